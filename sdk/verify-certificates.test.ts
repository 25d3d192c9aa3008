import { createHash, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseSigningKeys } from './signing-keys.ts'
import { verifyCertificates } from './verify-certificates.ts'

/** A key pair for certificates, with its entry of a key file. Independent of the SDK and of the service. */
interface TestKey {
  readonly privateKey: KeyObject
  readonly jwk: { kty: string; crv: string; x: string; kid: string; use: string; createdAt: string; retiredAt: string | null }
}

function testKey(use: { createdAt?: string; retiredAt?: string | null } = {}): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
  return {
    privateKey,
    jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', createdAt: '2026-01-01T00:00:00.000Z', retiredAt: null, ...use },
  }
}

const keyFile = (...keys: readonly TestKey[]): string => JSON.stringify({ keys: keys.map(({ jwk }) => jwk) })

// oxlint-disable-next-line typescript/no-explicit-any -- a test changes any field
type Changeable = any

/** Returns the file of a certificate. `change` changes it before it is signed. */
function signedFile(key: TestKey, sequence: number, previous: string | null, change: (certificate: Changeable) => void = () => {}): string {
  const line = {
    description: 'Bicycle "City"',
    quantity: '3',
    unitPrice: '420.00',
    discount: '0.00',
    taxRate: '0',
    optional: false,
    total: '1260.00',
  }
  const content = {
    number: `P-${1000 + sequence}`,
    title: 'Three days of bicycles – Zoë 😀',
    message: null,
    currency: 'EUR',
    totalAmount: '1260.00',
    items: [line, { ...line, optional: true, total: '5.00' }],
    expiresAt: null,
  }
  const certificate = {
    format: 'groundwork-certificate/1',
    id: `crt_0197a2c4-9c1e-7b52-8f0e-${String(sequence).padStart(12, '0')}`,
    sequence,
    previousHash: previous === null ? null : hashOf(previous),
    issuedAt: new Date(Date.UTC(2026, 4, 25, 20, sequence)).toISOString(),
    keyId: key.jwk.kid,
    publicKey: key.jwk.x,
    organization: { id: 'org_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8', name: 'Moss Bicycles' },
    proposal: { id: `prp_0197a2c4-9c1e-7b52-8f0e-${String(sequence).padStart(12, '0')}`, number: `P-${1000 + sequence}` },
    contentHash: hashOf(sorted(content)),
    content,
    signers: [
      {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        method: 'typed',
        wording: 'I accept this offer.',
        signedAt: new Date(Date.UTC(2026, 4, 25, 20, sequence)).toISOString(),
        address: '192.0.2.7',
        userAgent: 'Mozilla/5.0',
      },
    ],
  }
  change(certificate)
  const signature = sign(null, Buffer.from(sorted(certificate)), key.privateKey).toString('base64url')
  return sorted({ certificate, signature })
}

/** Returns the files of a chain of certificates. */
function chainOf(key: TestKey, count: number): string[] {
  const files: string[] = []
  for (let sequence = 1; sequence <= count; sequence += 1) files.push(signedFile(key, sequence, files.at(-1) ?? null))
  return files
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Canonical JSON for names of letters. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

const key = testKey()
const keys = await parseSigningKeys(keyFile(key))
const chain = chainOf(key, 50)
const named = (files: readonly string[]) => files.map((content, index) => ({ name: `${index}.json`, content }))

/** Returns the list of these erased certificates, by number. */
const erasedOf = (numbers: readonly number[], change: (link: Changeable) => void = () => undefined): { name: string; content: string } => {
  const certificates = numbers.map((sequence) => {
    const { id, previousHash, issuedAt } = JSON.parse(chain[sequence - 1] ?? '').certificate
    const link = { erasedAt: '2036-05-25T20:14:00.000Z', hash: hashOf(chain[sequence - 1] ?? ''), id, issuedAt, previousHash, sequence }
    change(link)
    return link
  })
  const { organization } = JSON.parse(chain[0] ?? '').certificate
  return { name: 'erased.json', content: sorted({ format: 'groundwork-erased-certificates/1', organization, certificates }) }
}

const failing = async (files: readonly { name: string; content: string | Uint8Array }[]) =>
  (await verifyCertificates(files, { keys })).filter(({ holds }) => holds !== true)

/** Verifies one file by Node's own cryptography, independent of the SDK. Returns whether it is intact. */
function isIntact(text: string): boolean {
  try {
    const { certificate, signature, ...others } = JSON.parse(text)
    const body = text.slice('{"certificate":'.length, -`,"signature":"${signature}"}`.length)
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.jwk.x }, format: 'jwk' })
    return (
      Object.keys(others).length === 0 &&
      text === `{"certificate":${body},"signature":"${signature}"}` &&
      certificate.publicKey === key.jwk.x &&
      certificate.keyId === key.jwk.kid &&
      verify(null, Buffer.from(body), publicKey, Buffer.from(signature, 'base64url'))
    )
  } catch {
    return false
  }
}

/** Returns the position of one character in the value of each field of the file, and of one in each name. */
function positions(text: string): number[] {
  const found: number[] = []
  let at = 0
  while (at < text.length) {
    const [token = ''] = /^(?:"(?:[^"\\]|\\.)*"|[\w.-]+|.)/su.exec(text.slice(at)) ?? []
    found.push(at + (token.startsWith('"') && token.length > 2 ? 1 + Math.floor((token.length - 2) / 2) : 0))
    at += token.length
  }
  return found
}

/** Changes one byte of the file. */
function changed(bytes: Uint8Array, at: number, flip: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ flip
  return copy
}

describe('verifyCertificates', () => {
  test('accepts 50 certificates in any order, with one line for each check', async () => {
    const checks = await verifyCertificates(named(chain.toReversed()), { keys })
    expect(checks.filter(({ holds }) => holds !== true)).toEqual([])
    expect(checks.filter(({ file }) => file === '0.json').map(({ check }) => check)).toEqual([
      'format',
      'canonical',
      'content',
      'signature',
      'key',
      'signers',
      'totals',
    ])
    expect(checks.at(-1)).toEqual({
      file: null,
      check: 'chain',
      holds: true,
      detail: 'Certificates 1 to 50 of Moss Bicycles are complete and in order.',
    })
    expect(chain.every(isIntact)).toBe(true)
  })

  test('names the file in which one byte of any name or value was changed, as an independent verification does', async () => {
    let tried = 0
    for (const [index, file] of chain.entries()) {
      const bytes = Buffer.from(file)
      const files = positions(file).map((position) => {
        // A position counts characters; the file has characters of several bytes.
        const at = Buffer.byteLength(file.slice(0, position))
        return { name: `${at}.json`, content: changed(bytes, at, 1 + ((index + position) % 3)) }
      })
      const checks = await verifyCertificates(files, { keys })
      const failed = new Set(checks.flatMap(({ file: name, holds, check }) => (holds === false && check !== 'chain' ? [name] : [])))
      expect(files.filter(({ name }) => !failed.has(name))).toEqual([])
      expect(files.filter(({ content }) => isIntact(Buffer.from(content).toString('utf8')))).toEqual([])
      tried += files.length
    }
    expect(tried).toBeGreaterThan(50 * 100)
  }, 600_000)

  test.each([
    ['white space', (text: string) => `${text}\n`, 'canonical'],
    ['a byte order mark', (text: string) => `\ufeff${text}`, 'format'],
    [
      'another order of names',
      (text: string) => text.replace(/(\{"certificate":.*),("signature":"[\w-]+")\}$/u, '{$2,$1}').replace(',{', ','),
      'canonical',
    ],
    ['a second member of the same name', (text: string) => text.replace('"sequence":1,', '"sequence":9,"sequence":1,'), 'canonical'],
    ['an unsigned member', (text: string) => text.replace('{"certificate":', '{"A":1,"certificate":'), 'format'],
    ['an unpaired surrogate', (text: string) => text.replace('Ada', String.raw`\ud800`), 'canonical'],
    ['an unknown format', (text: string) => text.replace('certificate/1', 'certificate/2'), 'format'],
    ['a missing field', (text: string) => text.replace('"address":"192.0.2.7",', ''), 'format'],
    ['no object', () => '[]', 'format'],
    ['nothing', () => '', 'format'],
  ])('refuses a file with %s', async (_name, change, check) => {
    const [first = ''] = chain
    const content = change(first)
    expect(content).not.toBe(first)
    expect(await failing([{ name: 'a.json', content }])).toContainEqual(expect.objectContaining({ file: 'a.json', check, holds: false }))
  })

  test('accepts a chain with erased certificates, whose links take their places', async () => {
    const given = named(chain.slice(0, 6)).filter((_, index) => ![1, 2, 4].includes(index))
    expect((await failing(given)).map(({ detail }) => detail)).toEqual(['Certificates 2 to 3 are missing.', 'Certificate 5 is missing.'])
    // Links before the first and after the last given certificate are ignored. A kept copy is checked instead of its link.
    const files = [...given, erasedOf([2, 3, 5, 9])]
    expect(await failing(files)).toEqual([])
    const { detail } = (await verifyCertificates(files, { keys })).at(-1) ?? {}
    expect(detail).toMatch(/^Certificates 1 to 6 of .* are complete and in order\. Erased, and known by hash only: 2, 3, 5\.$/)
    const copy = { name: 'copy.json', content: chain[1] ?? '' }
    expect((await verifyCertificates([...files, copy], { keys })).at(-1)?.detail).toMatch(/by hash only: 3, 5\.$/)
    expect((await verifyCertificates([erasedOf([2, 9])], { keys })).map(({ check, holds }) => [check, holds])).toEqual([['format', true]])
  })

  test.each<[name: string, change: (link: Changeable) => void, detail: RegExp]>([
    ['another hash', (it) => (it.hash = 'f'.repeat(64)), /Certificate 3 does not contain the hash of certificate 2 \(erased\.json\)\./],
    [
      'another previous hash',
      (it) => (it.previousHash = 'f'.repeat(64)),
      /Certificate 2 does not contain the hash of certificate 1 \(0\.json\)\./,
    ],
    ['a time before the previous one', (it) => (it.issuedAt = '2020-01-01T00:00:00.000Z'), /before certificate 1/],
    ['a missing time', (it) => delete it.erasedAt, /certificates\.0\.erasedAt is missing or malformed/],
  ])('refuses a link of an erased certificate with %s', async (_name, change, detail) => {
    const given = named(chain.slice(0, 3)).filter((_, index) => index !== 1)
    expect(await failing([...given, erasedOf([2], change)])).toContainEqual(
      expect.objectContaining({ holds: false, detail: expect.stringMatching(detail) }),
    )
  })

  test.each<[name: string, change: (certificate: Changeable) => void, check: string, detail: string]>([
    ['content with another hash', (it) => (it.content.totalAmount = '1.00'), 'content', 'does not match the hash'],
    ['lines that do not add up', (it) => (it.content.totalAmount = '1261.00'), 'totals', 'do not add up to 1261.00 EUR'],
    ['no signer', (it) => (it.signers = []), 'signers', 'Nobody signed'],
    ['a signer without a name', (it) => (it.signers[0].name = ' '), 'signers', 'is missing a name'],
    [
      'a signature after its issue',
      (it) => (it.signers[0].signedAt = '2026-05-25T20:02:00.000Z'),
      'signers',
      'after the certificate was issued',
    ],
    ['another key id', (it) => (it.keyId = testKey().jwk.kid), 'key', 'does not match its key ID'],
    ['a time before its key existed', (it) => (it.issuedAt = '2025-12-31T23:59:59.999Z'), 'key', 'before its key existed'],
  ])('refuses %s under a valid signature', async (_name, change, check, detail) => {
    const content = signedFile(key, 1, null, change)
    expect(await failing([{ name: 'a.json', content }])).toContainEqual({
      file: 'a.json',
      check,
      holds: false,
      detail: expect.stringContaining(detail),
    })
  })

  test('refuses a certificate of a key that is not in the key file, or that was retired before', async () => {
    const other = testKey({ retiredAt: '2026-03-01T00:00:00.000Z' })
    const content = signedFile(other, 1, null)
    const files = [{ name: 'a.json', content }]
    expect(await failing(files)).toEqual([
      { file: 'a.json', check: 'key', holds: false, detail: `The key ${other.jwk.kid} is not in the key file.` },
    ])
    const checks = await verifyCertificates(files, { keys: await parseSigningKeys(keyFile(key, other)) })
    expect(checks.find(({ check }) => check === 'key')).toMatchObject({
      holds: false,
      detail: expect.stringContaining('after its key was retired'),
    })
  })

  test('without keys does not prove whose key it is, and says so', async () => {
    const checks = await verifyCertificates(named(chain.slice(0, 1)))
    expect(checks.filter(({ holds }) => holds !== true)).toEqual([
      { file: '0.json', check: 'key', holds: null, detail: expect.stringContaining(key.jwk.kid) },
    ])
  })
})

describe('a PDF', () => {
  const pdfOf = (...attachments: string[]): Buffer =>
    Buffer.from(
      `%PDF-1.7\n${attachments.map((text) => `7 0 obj\n<< /Type /EmbeddedFile /Length ${Buffer.byteLength(text)} >>\nstream\n${text}\nendstream\nendobj\n`).join('')}`,
    )
  const [first = ''] = chain
  const offer = /"content":(\{.*?\}),"contentHash"/.exec(first)?.[1] ?? ''
  const verifyPdf = (...attachments: string[]) => failing([{ name: 'P-1001.pdf', content: pdfOf(...attachments) }])

  const unsealed = { file: 'P-1001.pdf', check: 'seal', holds: false, detail: expect.stringContaining('has no seal') }

  test('is verified by its certificate, its seal and its attached offer', async () => {
    expect(await verifyPdf(offer, first)).toEqual([unsealed])
    for (const attachments of [[first], [offer.replace('EUR', 'USD'), first]]) {
      const fault = { file: 'P-1001.pdf', check: 'pdf', holds: false, detail: expect.stringContaining('is not attached') }
      expect(await verifyPdf(...attachments)).toEqual([unsealed, fault])
    }
  })

  test('is part of a chain with certificate files', async () => {
    const files = [{ name: 'P-1001.pdf', content: pdfOf(offer, first) }, ...named(chain.slice(1, 3))]
    expect((await verifyCertificates(files, { keys })).at(-1)).toMatchObject({ check: 'chain', holds: true })
  })

  test.each([
    ['no certificate', [offer], 'format', 'contains no certificate'],
    ['two certificates', [first, chain[1] ?? ''], 'format', 'contains 2 certificates'],
    ['a changed certificate', [offer, first.replace('Ada', 'Eve')], 'signature', 'not valid'],
  ])('with %s is refused', async (_name, attachments, check, detail) => {
    expect(await verifyPdf(...attachments)).toContainEqual({
      file: 'P-1001.pdf',
      check,
      holds: false,
      detail: expect.stringContaining(detail),
    })
  })
})

describe('a chain of certificates', () => {
  const chainFaults = async (files: readonly string[]) =>
    (await verifyCertificates(named(files), { keys })).flatMap(({ file, check, holds, detail }) =>
      check === 'chain' && holds !== true ? [file === null ? detail : `${file}: ${detail}`] : [],
    )

  test('names each certificate that was removed', async () => {
    for (let sequence = 2; sequence <= 49; sequence += 1)
      expect(await chainFaults(chain.toSpliced(sequence - 1, 1))).toEqual([`Certificate ${sequence} is missing.`])
    expect(await chainFaults(chain.toSpliced(9, 3))).toEqual(['Certificates 10 to 12 are missing.'])
  })

  test('names an inserted certificate', async () => {
    const inserted = signedFile(key, 21, chain[19] ?? '', (it) => (it.content.title = 'Another'))
    expect(await chainFaults([...chain, inserted])).toEqual([
      '20.json and 50.json are different, but both are certificate 21: only one of them can be right.',
      expect.stringMatching(/^21\.json: Certificate 22 does not contain the hash of certificate 21 \(50\.json\)\./),
    ])
  })

  test('names a certificate that was replaced by the holder of the key', async () => {
    const replaced = signedFile(key, 21, chain[19] ?? '', (it) => (it.signers[0].name = 'Eve'))
    expect(await chainFaults(chain.with(20, replaced))).toEqual([
      '21.json: Certificate 22 does not contain the hash of certificate 21 (20.json).',
    ])
  })

  test('names a backdated certificate', async () => {
    const [first = '', second = ''] = chain
    const backdated = signedFile(key, 3, second, (it) => {
      it.issuedAt = '2026-05-25T20:01:30.000Z'
      it.signers[0].signedAt = it.issuedAt
    })
    expect(await chainFaults([first, second, backdated])).toEqual([
      '2.json: Certificate 3 is dated 2026-05-25T20:01:30.000Z, before certificate 2 (2026-05-25T20:02:00.000Z).',
    ])
  })

  test('starts with a certificate that refers to no other, and only that one', async () => {
    expect(await chainFaults([signedFile(key, 1, chain[1] ?? '')])).toEqual(['0.json: The first certificate refers to an earlier one.'])
    expect(await chainFaults([signedFile(key, 2, null)])).toEqual(['0.json: Certificate 2 does not refer to the one before it.'])
  })

  test('counts a file that is given twice once, and keeps organizations apart', async () => {
    const [first = ''] = chain
    const other = signedFile(key, 1, null, (it) => (it.organization.id = 'org_another'))
    expect(await chainFaults([first, first, other])).toEqual([])
  })
})

describe('parseSigningKeys', () => {
  test.each([
    ['no JSON', '{', 'not JSON'],
    ['no JWK Set', '[]', 'not a JWK Set'],
    ['null', 'null', 'not a JWK Set'],
    ['a key with the id of another', JSON.stringify({ keys: [{ ...key.jwk, kid: testKey().jwk.kid }] }), 'is not the thumbprint'],
  ])('refuses %s', (_name, text, message) => expect(parseSigningKeys(text)).rejects.toThrow(message))

  test('ignores keys of other kinds', async () => {
    expect(await parseSigningKeys(JSON.stringify({ keys: [null, { kty: 'RSA', n: 'x' }, key.jwk] }))).toEqual([key.jwk])
  })
})

test('the hash of a certificate is the SHA-256 of its file', () => {
  const [first = '', second = ''] = chain
  expect(JSON.parse(second).certificate.previousHash).toBe(hashOf(first))
})
