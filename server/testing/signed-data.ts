/** Returns an element of BER with a tag and a definite length (ITU-T X.690, 8.1). */
export function der(tag: number, ...content: Buffer[]): Buffer {
  const bytes = Buffer.concat(content)
  const length = bytes.length < 0x80 ? Buffer.from([bytes.length]) : Buffer.from([0x82, bytes.length >> 8, bytes.length & 0xff])
  return Buffer.concat([Buffer.from([tag]), length, bytes])
}

/** Returns an element of BER that ends with a mark instead of saying its length. */
export const withoutLength = (tag: number, ...content: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...content, Buffer.alloc(2)])

const identifier = (last: number): Buffer => Buffer.from(`06092a864886f70d0107${last.toString(16).padStart(2, '0')}`, 'hex')
const version = der(0x02, Buffer.from([1]))

/** Returns CMS signed data without signers (RFC 5652, 5.1) around octet strings. */
export function signedData(element: typeof der, ...octetStrings: Buffer[]): Buffer {
  const encapsulated = element(0x30, identifier(1), ...octetStrings.map((octets) => element(0xa0, octets)))
  return element(0x30, identifier(2), element(0xa0, element(0x30, version, der(0x31), encapsulated, der(0x31, der(0x30, version)))))
}

/** Returns an octet string of UTF-8. */
export const octetString = (content: string): Buffer => der(0x04, Buffer.from(content))
