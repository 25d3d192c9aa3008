import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { der, derOid, derTag } from './der.ts'
import { checkSeal } from './pdf-seal.ts'

const { sequence, set, oid: _oid, ...tags } = derTag
const text = (value: string) => new TextEncoder().encode(value)
const algorithm = (oid: string) => der(sequence, derOid(oid), der(0x05))
const rsaWithSha256 = algorithm('1.2.840.113549.1.1.11')
const nameOf = (name: string) => der(sequence, der(set, der(sequence, derOid('2.5.4.3'), der(0x0c, text(name)))))

interface TestSigner {
  readonly name: string
  readonly keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject }
}

const signerOf = (name: string): TestSigner => ({ name, keys: generateKeyPairSync('rsa', { modulusLength: 2048 }) })

function certificateOf({ name, keys }: TestSigner, issuer: TestSigner): Uint8Array {
  const validity = der(sequence, der(tags.utcTime, text('260101000000Z')), der(tags.utcTime, text('360101000000Z')))
  const key = keys.publicKey.export({ type: 'spki', format: 'der' })
  const version = der(tags.context0, der(tags.integer, Uint8Array.of(2)))
  const serial = der(tags.integer, Uint8Array.of(7))
  const body = der(sequence, version, serial, rsaWithSha256, nameOf(issuer.name), validity, nameOf(name), key)
  return der(sequence, body, rsaWithSha256, der(tags.bits, Uint8Array.of(0), sign('sha256', body, issuer.keys.privateKey)))
}

const signer = signerOf('Moss Bicycles')

interface SealOptions {
  readonly certificates?: readonly Uint8Array[]
  readonly issuer?: TestSigner
  readonly contentType?: string
  readonly certificateHash?: string
}

/** Returns a sealed file, which is a PDF only as far as the seal is concerned. */
function sealed({ issuer = signer, contentType = '1.2.840.113549.1.7.1', ...options }: SealOptions = {}): Uint8Array<ArrayBuffer> {
  const size = 4000
  const { certificates = [certificateOf(signer, issuer)] } = options
  const { certificateHash = createHash('sha256').update(Buffer.concat(certificates)).digest('hex') } = options
  const contact = `/ContactInfo (SHA-256 of the certificates: ${certificateHash})`
  const body = '%PDF-1.7\n(pages) 9 0 obj << /Type /Sig /ByteRange [0 00000 00000 00000] /Contents '
  const end = body.length
  const tail = ` ${contact} >>\n%%EOF`
  const range = `[0 ${[end, end + size + 2, tail.length].map((value) => String(value).padStart(5, '0')).join(' ')}]`
  const head = body.replace('[0 00000 00000 00000]', range)
  const digest = createHash('sha256').update(`${head}${tail}`).digest()
  const attributes = [
    der(sequence, derOid('1.2.840.113549.1.9.3'), der(set, derOid(contentType))),
    der(sequence, derOid('1.2.840.113549.1.9.4'), der(set, der(tags.octets, digest))),
  ]
  const one = der(tags.integer, Uint8Array.of(1))
  const sha256 = algorithm('2.16.840.1.101.3.4.2.1')
  const info = [
    one,
    der(sequence, nameOf(issuer.name), der(tags.integer, Uint8Array.of(7))),
    sha256,
    der(tags.context0, ...attributes),
    algorithm('1.2.840.113549.1.1.1'),
    der(tags.octets, sign('sha256', der(set, ...attributes), signer.keys.privateKey)),
  ]
  const content = [
    one,
    der(set, sha256),
    der(sequence, derOid('1.2.840.113549.1.7.1')),
    der(tags.context0, ...certificates),
    der(set, der(sequence, ...info)),
  ]
  const seal = der(sequence, derOid('1.2.840.113549.1.7.2'), der(tags.context0, der(sequence, ...content)))
  return new Uint8Array(Buffer.from(`${head}<${Buffer.from(seal).toString('hex').padEnd(size, '0')}>${tail}`))
}

const changedAt = (bytes: Uint8Array, at: number, change: number): Uint8Array<ArrayBuffer> => {
  const copy = new Uint8Array(bytes)
  copy[at] = (copy[at] ?? 0) ^ change
  return copy
}

const replaced = (bytes: Uint8Array, from: string, to: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(Buffer.from(bytes).toString('latin1').replace(from, to), 'latin1'))

describe('checkSeal', () => {
  const pdf = sealed()

  test('accepts a sealed file and names its certificate', async () => {
    const fingerprint = createHash('sha256').update(certificateOf(signer, signer)).digest('hex')
    const detail = `The file is unchanged since it was sealed by Moss Bicycles (SHA-256 of the certificates: ${fingerprint}).`
    expect(await checkSeal(pdf)).toEqual({ check: 'seal', holds: true, detail })
  })

  test('refuses the file after any single byte was changed', async () => {
    const accepted: number[] = []
    for (let at = 0; at < pdf.length; at += 1) if ((await checkSeal(changedAt(pdf, at, 1 << (at % 8)))).holds === true) accepted.push(at)
    expect(accepted).toEqual([])
  })

  test('accepts a chain of certificates, and no other', async () => {
    const root = signerOf('Root')
    const certificates = [certificateOf(signer, root), certificateOf(root, root)]
    expect(await checkSeal(sealed({ issuer: root, certificates }))).toMatchObject({ holds: true })
    const certificateHash = createHash('sha256').update(certificateOf(signer, root)).digest('hex')
    const detail = 'The seal’s certificates were changed.'
    expect(await checkSeal(sealed({ issuer: root, certificates, certificateHash }))).toMatchObject({ holds: false, detail })
  })

  test.each<[name: string, pdf: Uint8Array<ArrayBuffer>, detail: string]>([
    ['a change', replaced(pdf, '(pages)', '(other)'), 'The file was changed after it was sealed.'],
    ['bytes after the seal', new Uint8Array([...pdf, 10]), 'does not cover the whole file'],
    ['no seal', new Uint8Array(text('%PDF-1.7')), 'has no seal'],
    ['upper-case digits', replaced(pdf, '<30', '<3A'), 'leaves part of the file unprotected'],
    ['bytes between signature and padding', replaced(pdf, '00>', '01>'), 'is damaged'],
    ['the certificate of another key', sealed({ certificates: [certificateOf({ ...signerOf(signer.name) }, signer)] }), 'is not valid'],
    ['no certificate', sealed({ certificates: [] }), 'is damaged'],
    ['a signature of something else', sealed({ contentType: '1.2.840.113549.1.7.3' }), 'unexpected type'],
  ])('refuses a file with %s', async (_name, bytes, detail) => {
    expect(await checkSeal(bytes)).toEqual({ check: 'seal', holds: false, detail: expect.stringContaining(detail) })
  })
})
