import type { ErrorCandidate, ErrorCode, ErrorIssue } from '@groundwork/api'
import { sql } from 'kysely'
import { select, type Context } from '../context.ts'
import { defer } from '../db/deferred.ts'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { open, seal, type SealedPlace, type SealOptions, type SecretKeys } from '../lib/secrets.ts'
import { enqueuePurge, retentionMs } from './purge.ts'

export interface SealedContext extends Context {
  /** Encrypts stored responses. */
  readonly secretKey: SecretKeys
}

/** A request with an Idempotency-Key. The hash tells whether a repetition is the same request. */
export interface KeyedRequest {
  readonly key: string
  readonly hash: Buffer
  /** The hash that programs of former versions stored, which depends on the order of the members of objects. */
  readonly formerHash: Buffer
  /** The path of the request, which contains ids of records. */
  readonly path: string
}

/** The stored outcome of a request: a response with its headers, or an error. */
export type Outcome =
  | { readonly body?: unknown; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly refusal: {
        code: ErrorCode
        message: string
        field?: string
        issues?: readonly ErrorIssue[]
        candidates?: readonly ErrorCandidate[]
      }
    }

/**
 * Returns the stored outcome of this request; undefined if it was not sent within the last 24 hours.
 * @throws AppError `idempotency_conflict` if the key was used for another request, `conflict` if the response cannot be
 * decrypted because the secret key has changed, or if one of its records has been deleted
 */
export async function findAnswer(ctx: SealedContext, keyed: KeyedRequest): Promise<Outcome | undefined> {
  const { key, hash, formerHash } = keyed
  const [row] = await select(ctx, (db) => selectAnswer(ctx, db, keyed))
  if (row === undefined) return undefined
  if (!row.request_hash.equals(hash) && !row.request_hash.equals(formerHash)) {
    throw new AppError('idempotency_conflict', 'This Idempotency-Key was used for a different request.', { field: 'Idempotency-Key' })
  }
  if (row.answer.length === 0) {
    throw new AppError('conflict', 'The request was executed before, but a record in its response has been deleted or replaced since.', {
      field: 'Idempotency-Key',
    })
  }
  return readOutcome(ctx, { key, answer: row.answer })
}

/** Selects the answer that was stored under the key within the last 24 hours. */
export const selectAnswer = (ctx: Context, db: Transaction, { key }: KeyedRequest) =>
  db
    .selectFrom('idempotency_answer')
    .select(['request_hash', 'answer'])
    .where('key', '=', key)
    .where('created_at', '>', new Date(ctx.now().getTime() - retentionMs))

/** Claims the key until the transaction ends. Returns false while another transaction holds it. */
export async function claimKey(ctx: Context, trx: Transaction, { key }: KeyedRequest): Promise<boolean> {
  const { rows } = await sql<{ claimed: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${ctx.organizationId} ${key}`}, 0)) as claimed`.execute(trx)
  return rows[0]?.claimed === true
}

/** Stores the outcome for 24 hours, with the commit of the request transaction. Deleting a record in it erases it (migration 0001). */
export async function storeAnswer(
  ctx: SealedContext,
  trx: Transaction,
  { key, hash, path }: KeyedRequest,
  outcome: Outcome,
): Promise<void> {
  const now = ctx.now()
  await enqueuePurge(ctx, trx, now)
  const values = {
    request_hash: hash,
    answer: seal(JSON.stringify(outcome), sealOf(ctx, key)),
    record_ids: recordIdsIn(path, outcome),
    created_at: now,
  }
  const answer = trx
    .insertInto('idempotency_answer')
    .values({ organization_id: ctx.organizationId, key, ...values })
    .onConflict((conflict) => conflict.columns(['organization_id', 'key']).doUpdateSet(values))
  await defer(trx, answer.compile())
}

/**
 * Returns the ids of the records in a response and in the path of its request: also of the knowledge base of a record, and of the
 * contact of a proposal, whose name and address the response contains.
 */
function recordIdsIn(path: string, outcome: Outcome): string[] {
  const ids: string[] = path.match(uuid) ?? []
  JSON.stringify(outcome, (field, value: unknown) => {
    if (idFields.includes(field) && typeof value === 'string') ids.push(...(value.match(uuid) ?? []))
    return value
  })
  return [...new Set(ids.map((id) => id.toLowerCase()))]
}

const idFields = ['id', 'baseId', 'contactId']
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

export const answerPlace = (organizationId: string, key: string): SealedPlace => ({
  purpose: 'idempotency answers',
  aad: `${organizationId} ${key}`,
})

const sealOf = ({ secretKey, organizationId }: SealedContext, key: string): SealOptions => ({
  secretKey,
  ...answerPlace(organizationId, key),
})

/**
 * Safe cast: only `storeAnswer` writes outcomes.
 * @throws AppError `conflict` if the response cannot be decrypted
 */
export function readOutcome(ctx: SealedContext, { key, answer }: { key: string; answer: Buffer }): Outcome {
  try {
    return JSON.parse(open(answer, sealOf(ctx, key))) as Outcome
  } catch (cause) {
    throw new AppError('conflict', 'The request was executed before, but its response can no longer be decrypted.', {
      field: 'Idempotency-Key',
      cause,
    })
  }
}
