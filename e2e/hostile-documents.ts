import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { documentFolders, readManifest } from './evaluation-documents.ts'

export interface HostileDocument {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Documents that try to crash, exhaust or block a parser: generated ones, and those with this kind in the folders of documents. */
export async function hostileDocuments(): Promise<HostileDocument[]> {
  const given = documentFolders.flatMap((folder) =>
    readManifest(folder)
      .filter(({ kind }) => kind === 'nasty')
      .map(({ path }) => join(folder, path)),
  )
  const read = given.map(async (path) => ({ name: basename(path), bytes: await readFile(path) }))
  return [...made(), ...(await Promise.all(read))]
}

function made(): HostileDocument[] {
  const text = (name: string, content: string): HostileDocument => ({ name, bytes: Buffer.from(content) })
  const entities = Array.from({ length: 20 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(20)}">`).join('')
  return [
    { name: 'unpacks-to-400-mb.pdf', bytes: pdfWithStream(deflateSync(Buffer.alloc(400 * 2 ** 20, 32))) },
    { name: 'cut-short.docx', bytes: Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(4_000, 7)]) },
    { name: 'noise.bin', bytes: Buffer.from(Array.from({ length: 50_000 }, (_, at) => (at * 2_654_435_761) >>> 24)) },
    text('entities.xml', `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "keys">${entities}]><d>&e20;</d>`),
    text('deep.html', `<p>Keys</p>${'<div>'.repeat(200_000)}<p>Ramp</p>`),
    text('deep.json', `${'['.repeat(300_000)}1${']'.repeat(300_000)}`),
    text('open-quote.csv', `a,b\n"${'x,y\n'.repeat(200_000)}`),
    text('one-line.txt', 'key'.repeat(100_000)),
    text('wide-table.html', `<table>${`<tr>${'<td rowspan=1000 colspan=1000>x</td>'.repeat(50)}</tr>`.repeat(50)}</table>`),
    text('nested.eml', 'Content-Type: message/rfc822\n\n'.repeat(5_000)),
    text('nothing.txt', ''),
  ]
}

function pdfWithStream(packed: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n` +
        `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>endobj\n4 0 obj<</Length ${packed.length}/Filter/FlateDecode>>stream\n`,
    ),
    packed,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
  ])
}
