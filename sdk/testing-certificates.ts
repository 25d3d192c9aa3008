import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

/** A key pair for certificates, with its entry of a key file. Independent of the SDK and of the service. */
export interface TestKey {
  readonly privateKey: KeyObject
  readonly jwk: { kty: string; crv: string; x: string; kid: string; use: string; createdAt: string; retiredAt: string | null }
}

export function testKey(use: { createdAt?: string; retiredAt?: string | null } = {}): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
  return {
    privateKey,
    jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', createdAt: '2026-01-01T00:00:00.000Z', retiredAt: null, ...use },
  }
}

export const keyFile = (...keys: readonly TestKey[]): string => JSON.stringify({ keys: keys.map(({ jwk }) => jwk) })

// oxlint-disable-next-line typescript/no-explicit-any -- a test changes any field
type Changeable = any

/** Returns the file of a certificate. `change` changes it before it is signed. */
export function signedFile(
  key: TestKey,
  sequence: number,
  previous: string | null,
  change: (certificate: Changeable) => void = () => {},
): string {
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
export function chainOf(key: TestKey, count: number): string[] {
  const files: string[] = []
  for (let sequence = 1; sequence <= count; sequence += 1) files.push(signedFile(key, sequence, files.at(-1) ?? null))
  return files
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Canonical JSON for names of letters. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
