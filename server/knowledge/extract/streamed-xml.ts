import { Parser, type Handler } from 'htmlparser2'
import { piecesOfEntry, type ZipEntry } from './zip.ts'

/** Parses an XML part of an archive piece by piece, without a tree. @throws SourceError corrupt_file, encrypted_file; errors of the handler */
export async function streamXml(bytes: Uint8Array, entry: ZipEntry, handler: Partial<Handler>): Promise<void> {
  const decoder = new TextDecoder()
  const parser = new Parser(handler, { xmlMode: true, decodeEntities: true })
  for await (const piece of piecesOfEntry(bytes, entry)) parser.write(decoder.decode(piece, { stream: true }))
  parser.end(decoder.decode())
}

/** Returns a name without its namespace. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
