import forge from 'node-forge'
import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

const { asn1, md, pki, pkcs12 } = forge
const validYears = 30

export interface NewSigner {
  /** Name in the certificate. */
  readonly name: string
  readonly passphrase: string
  /** Start of the validity, as ISO 8601. */
  readonly notBefore: string
}

/** Returns a new RSA key with a self-signed certificate as PKCS #12. */
export async function createSigner({ name, passphrase, notBefore }: NewSigner): Promise<Uint8Array> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 3072 })
  const key = pki.privateKeyFromPem(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString())
  const certificate = pki.createCertificate()
  certificate.publicKey = pki.setRsaPublicKey(key.n, key.e)
  // The first byte keeps the number positive.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`
  certificate.validity.notBefore = new Date(notBefore)
  certificate.validity.notAfter = new Date(Date.UTC(new Date(notBefore).getUTCFullYear() + validYears, 0, 1))
  const subject = [{ name: 'commonName', value: name }]
  certificate.setSubject(subject)
  certificate.setIssuer(subject)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, nonRepudiation: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ])
  certificate.sign(key, md.sha256.create())
  const der = asn1.toDer(pkcs12.toPkcs12Asn1(key, [certificate], passphrase, { algorithm: 'aes256' })).getBytes()
  return Buffer.from(der, 'binary')
}
