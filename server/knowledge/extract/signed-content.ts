import { SourceError } from '../../lib/errors.ts'
import type { Draft, ExtractInput, ParseNested } from './draft.ts'

/** Object identifier of signed data, DER (RFC 5652, 5.1). */
const signedData = Buffer.from('06092a864886f70d010702', 'hex')
/** The length of the enclosing sequence takes one to five bytes. */
const lastIdentifier = 6

/** Tags of BER (ITU-T X.690). */
const tags = { octets: 0x04, sequence: 0x30, constructedOctets: 0x24, explicit: 0xa0 }
const maxDepth = 32

/** Returns whether a file is CMS signed data, such as `smime.p7m` of a signed message, or a document with a CAdES signature. */
export function isSignedData(bytes: Uint8Array): boolean {
  return bytes[0] === tags.sequence && Buffer.from(bytes.subarray(0, lastIdentifier + signedData.length)).includes(signedData)
}

/**
 * Returns the content of CMS signed data (RFC 5652) without checking the signature; null for a signature without its content.
 * @throws SourceError corrupt_file
 */
export function signedContent(bytes: Uint8Array): Uint8Array | null {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const signed = children(children(elementAt(whole, 0))[1]).find(({ tag }) => tag === tags.sequence)
  const encapsulated = children(signed).find(({ tag }) => tag === tags.sequence)
  const content = children(children(encapsulated).find(({ tag }) => tag === tags.explicit))[0]
  return content === undefined ? null : Buffer.concat(octetsOf(content))
}

/** Extracts a signed file as the file that it contains. @throws SourceError as for that file; empty_content without one */
export function extractSigned({ bytes, fileName }: ExtractInput, parseNested: ParseNested): Promise<Draft> {
  const content = signedContent(bytes)
  if (content === null) throw new SourceError('empty_content', 'The file is a signature without the signed content.')
  const name = fileName?.replace(/\.p7m$/i, '')
  return parseNested({ bytes: asMessage(content) ?? content, ...(name !== undefined && { fileName: name }) })
}

/** Returns a MIME entity as a mail message; null if the content does not begin with a header field of MIME. */
export function asMessage(content: Uint8Array): Uint8Array | null {
  const head = Buffer.from(content.subarray(0, 64)).toString('latin1')
  return /^(?:content-[a-z-]+|mime-version):/i.test(head) ? Buffer.concat([Buffer.from('MIME-Version: 1.0\r\n'), content]) : null
}

interface Element {
  readonly tag: number
  readonly content: Buffer
  /** Offset of the following element. */
  readonly next: number
}

function elementAt(buffer: Buffer, start: number, depth = 0): Element {
  const [tag, first] = [buffer[start], buffer[start + 1]]
  if (tag === undefined || first === undefined || depth > maxDepth) throw damaged()
  if (first === 0x80) return indefiniteElement(buffer, tag, start + 2, depth)
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  const from = start + 2 + lengthBytes
  if (lengthBytes > 4 || from > buffer.length) throw damaged()
  const length = lengthBytes === 0 ? first : buffer.readUIntBE(start + 2, lengthBytes)
  if (from + length > buffer.length) throw damaged()
  return { tag, content: buffer.subarray(from, from + length), next: from + length }
}

/** Reads an element that ends with two zero bytes instead of having a length. */
function indefiniteElement(buffer: Buffer, tag: number, from: number, depth: number): Element {
  let at = from
  while (buffer[at] !== 0 || buffer[at + 1] !== 0) at = elementAt(buffer, at, depth + 1).next
  return { tag, content: buffer.subarray(from, at), next: at + 2 }
}

function children(element: Pick<Element, 'content'> | undefined): Element[] {
  const found: Element[] = []
  const buffer = element?.content ?? Buffer.alloc(0)
  for (let at = 0; at < buffer.length;) {
    const child = elementAt(buffer, at)
    found.push(child)
    at = child.next
  }
  return found
}

/** Returns the parts of an octet string, whose parts can have parts. */
function octetsOf(element: Element, depth = 0): Buffer[] {
  if (element.tag === tags.octets) return [element.content]
  if (element.tag !== tags.constructedOctets || depth > maxDepth) throw damaged()
  return children(element).flatMap((part) => octetsOf(part, depth + 1))
}

function damaged(): SourceError {
  return new SourceError('corrupt_file', 'The signed message is damaged: its parts do not follow its format.')
}
