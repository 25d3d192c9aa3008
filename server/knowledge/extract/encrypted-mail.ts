/** Object identifiers of encrypted CMS content, DER: enveloped data and authenticated enveloped data (RFC 5652, RFC 5083). */
const encryptedContent = [Buffer.from('06092a864886f70d010703', 'hex'), Buffer.from('060b2a864886f70d0109100117', 'hex')]
/** The length of the enclosing sequence takes one to five bytes. */
const lastIdentifier = 6

/** Returns whether a file is an encrypted message: S/MIME (CMS), or ASCII-armored PGP. */
export function isEncryptedMessage(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 64))
  if (head[0] === 0x30)
    return encryptedContent.some((identifier) => head.subarray(0, lastIdentifier + identifier.length).includes(identifier))
  return /^\s*-----BEGIN PGP MESSAGE-----/.test(head.toString('latin1'))
}

const block = (name: string): RegExp => new RegExp(`-----BEGIN PGP ${name}-----[\\s\\S]*?(?:-----END PGP ${name}-----|$)`, 'g')

/** Removes what PGP adds to a body: encrypted parts, signatures and keys. */
export function withoutPgp(body: string): { text: string; isEncrypted: boolean } {
  if (!body.includes('-----BEGIN PGP ')) return { text: body, isEncrypted: false }
  const text = body.replace(block('MESSAGE'), '')
  return {
    text: text
      .replace(block('SIGNATURE'), '')
      .replace(block('PUBLIC KEY BLOCK'), '')
      .replace(/-----BEGIN PGP SIGNED MESSAGE-----\r?\n(?:\w+: .*\r?\n)*/g, ''),
    isEncrypted: text !== body,
  }
}

const additions = /^application\/(?:pgp-signature|(?:x-)?pkcs7-signature|pgp-keys|pgp-encrypted)$/i

/** Returns whether an attachment belongs to the encryption or the signature of a message and has no content. */
export function isCryptographic(mediaType: string, bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 64)).toString('latin1')
  return additions.test(mediaType) || /^\s*-----BEGIN PGP (?:SIGNATURE|PUBLIC KEY BLOCK)-----/.test(head)
}
