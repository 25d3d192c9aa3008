/** An element of DER (X.690). Both arrays are views of the array that was read. */
export interface DerElement {
  readonly tag: number
  readonly content: Uint8Array<ArrayBuffer>
  /** Tag, length and content. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The bytes are not DER, or not of the expected form. */
export class DerError extends Error {}

export const derTag = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, utcTime: 0x17, sequence: 0x30, set: 0x31, context0: 0xa0 }

/** Returns the first element. @throws DerError */
export function readDer(bytes: Uint8Array<ArrayBuffer>): DerElement {
  const [tag, first] = bytes
  if (tag === undefined || first === undefined) throw new DerError('An element is missing.')
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  if (lengthBytes > 4 || bytes.length < 2 + lengthBytes) throw new DerError('A length is not readable.')
  const length = first < 0x80 ? first : bytes.subarray(2, 2 + lengthBytes).reduce((sum, byte) => sum * 256 + byte, 0)
  const start = 2 + lengthBytes
  if (bytes.length < start + length) throw new DerError('An element is longer than its container.')
  return { tag, content: bytes.subarray(start, start + length), bytes: bytes.subarray(0, start + length) }
}

/** Returns the elements one after the other. @throws DerError */
export function derElements(bytes: Uint8Array<ArrayBuffer>): DerElement[] {
  const elements: DerElement[] = []
  for (let rest = bytes; rest.length > 0;) {
    const element = readDer(rest)
    elements.push(element)
    rest = rest.subarray(element.bytes.length)
  }
  return elements
}

/** Returns the elements of a container. @throws DerError if it has another tag or fewer elements */
export function derParts<const Count extends number>(element: DerElement | undefined, tag: number, count: Count): Parts<Count> {
  const parts = element?.tag === tag ? derElements(element.content) : []
  if (parts.length < count) throw new DerError('An element has another form.')
  return parts as Parts<Count>
}

type Parts<Count extends number, Found extends DerElement[] = []> = Found['length'] extends Count
  ? [...Found, ...DerElement[]]
  : Parts<Count, [...Found, DerElement]>

/** Returns an element of this content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = content.reduce((sum, part) => sum + part.length, 0)
  const lengthBytes: number[] = []
  const isLong = size >= 0x80
  for (let rest = isLong ? size : 0; rest > 0; rest = Math.floor(rest / 256)) lengthBytes.unshift(rest % 256)
  const header = [tag, ...(isLong ? [0x80 + lengthBytes.length, ...lengthBytes] : [size])]
  const bytes = new Uint8Array(header.length + size)
  bytes.set(header)
  let at = header.length
  for (const part of content) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Returns the element of an object identifier, such as `2.5.4.3`. */
export function derOid(oid: string): Uint8Array<ArrayBuffer> {
  const [first = 0, second = 0, ...others] = oid.split('.').map(Number)
  const bytes = [first * 40 + second, ...others].flatMap((arc) => {
    const groups = [arc % 128]
    for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) groups.unshift((rest % 128) + 128)
    return groups
  })
  return der(derTag.oid, Uint8Array.from(bytes))
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, at) => byte === b[at])
