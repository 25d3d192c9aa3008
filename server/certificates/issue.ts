import { wireId } from '@groundwork/api'
import { canonicalJson } from '@groundwork/sdk/canonical-json'
import { certificateFormat, type Certificate, type CertificateSigner } from '@groundwork/sdk/certificate'
import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import { currentSigningKey } from './current-key.ts'
import { signText } from './signing-key.ts'

export interface CertificateContext extends Context {
  /** Decrypts the signing key. */
  readonly secretKey: SecretKeys
}

/** An accepted proposal. */
export interface Acceptance {
  readonly proposalId: string
  /** Canonical JSON (RFC 8785) of the object that was accepted. */
  readonly canonicalContent: string
  /** SHA-256 of `canonicalContent` in hexadecimal. */
  readonly contentHash: string
  readonly signers: readonly CertificateSigner[]
  readonly issuedAt: Date
}

export interface IssuedCertificate {
  readonly id: string
  /** SHA-256 of `json` in hexadecimal. */
  readonly hash: string
  /** The file: canonical JSON. */
  readonly json: string
}

/**
 * Issues the certificate of an accepted proposal, in the transaction of its acceptance. The certificates of an organization form a
 * chain: consecutive sequence numbers, each with the hash of the previous one. The organization's row stays locked until the
 * transaction ends, so the chain has no gaps or forks. `issuedAt` is raised to the latest time that the certificate refers to, so
 * times in a chain never decrease.
 * @returns the certificate, or the existing one of this proposal
 * @throws Error if the content is not canonical, its hash differs, there is no signer, or the signing key cannot be decrypted
 */
export async function issueCertificate(ctx: CertificateContext, trx: Transaction, acceptance: Acceptance): Promise<IssuedCertificate> {
  const content = checkedContent(acceptance)
  const organization = await lockChain(trx)
  const issued = await trx
    .selectFrom('certificate')
    .select(['id', 'hash', 'json'])
    .where('proposal_id', '=', acceptance.proposalId)
    .$narrowType<{ json: string }>()
    .executeTakeFirst()
  if (issued !== undefined) return issued
  const previous = await trx
    .selectFrom('certificate')
    .select(['sequence', 'hash', 'issued_at'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { number } = await trx
    .selectFrom('proposal')
    .select('number')
    .where('id', '=', acceptance.proposalId)
    .executeTakeFirstOrThrow(() => new Error('a certificate needs a proposal of the organization'))
  const key = await currentSigningKey(trx, ctx.secretKey, acceptance.issuedAt)
  const issuedAt = latest([
    acceptance.issuedAt,
    key.createdAt,
    ...(previous === undefined ? [] : [previous.issued_at]),
    ...acceptance.signers.map(({ signedAt }) => new Date(signedAt)),
  ])
  const [id, sequence, previousHash] = [newId(issuedAt.getTime()), (previous?.sequence ?? 0) + 1, previous?.hash ?? null]
  const certificate: Certificate = {
    format: certificateFormat,
    id: wireId('crt', id),
    sequence,
    previousHash,
    issuedAt: issuedAt.toISOString(),
    keyId: key.id,
    publicKey: key.publicKey.toString('base64url'),
    organization: { id: wireId('org', ctx.organizationId), name: organization.name },
    proposal: { id: wireId('prp', acceptance.proposalId), number: number === null ? null : `P-${number}` },
    contentHash: acceptance.contentHash,
    content,
    signers: acceptance.signers.map(toSigner),
  }
  const signature = signText(canonicalJson(certificate), key.privateKey)
  const json = canonicalJson({ certificate, signature })
  const hash = sha256(json)
  await trx
    .insertInto('certificate')
    .values({
      organization_id: ctx.organizationId,
      id,
      sequence,
      proposal_id: acceptance.proposalId,
      json,
      hash,
      previous_hash: previousHash,
      key_id: key.id,
      signature,
      issued_at: issuedAt,
    })
    .execute()
  return { id, hash, json }
}

function checkedContent({ canonicalContent, contentHash, signers }: Acceptance): Certificate['content'] {
  const content: unknown = JSON.parse(canonicalContent)
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new Error('the content of a certificate is an object')
  if (canonicalJson(content) !== canonicalContent) throw new Error('the content of a certificate is canonical JSON')
  if (sha256(canonicalContent) !== contentHash) throw new Error('contentHash is not the hash of the content')
  if (signers.length === 0) throw new Error('a certificate has a signer')
  // Safe cast: JSON whose value is an object.
  return content as Certificate['content']
}

/** Locks the organization's row. Foreign keys to it can still be checked meanwhile. */
const lockChain = (trx: Transaction): Promise<{ name: string }> =>
  trx.selectFrom('organization').select('name').forNoKeyUpdate().executeTakeFirstOrThrow()

/** Names the fields, so that a certificate contains no others. */
const toSigner = ({ name, email, method, wording, signedAt, address, userAgent }: CertificateSigner): CertificateSigner => ({
  name,
  email,
  method,
  wording,
  signedAt: new Date(signedAt).toISOString(),
  address,
  userAgent,
})

const latest = (times: readonly Date[]): Date => new Date(Math.max(...times.map((time) => time.getTime())))

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
