import type { ErrorCode, ErrorIssue } from '@groundwork/api'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { open, seal, type Seal } from '../lib/secrets.ts'
import { enqueuePurge, keptMs } from './purge.ts'

/** A request that may be sent again: the key is the caller's, the hash tells whether it is the same request. */
export interface KeyedRequest {
  readonly key: string
  readonly hash: Buffer
  /** Its path, in which ids name the records that it is about. */
  readonly path: string
}

/** What a request came to: a reply with headers of its own, or a refusal that stands. */
export type Outcome =
  | { readonly body?: unknown; readonly headers: Readonly<Record<string, string>> }
  | { readonly refusal: { code: ErrorCode; message: string; field?: string; issues?: readonly ErrorIssue[] } }

/**
 * What this request came to when it was first sent; undefined when it was not sent within the last 24 hours.
 * @throws AppError `idempotency_conflict` when the key was used for another request, `conflict` when the answer cannot be
 * read because the secret key was changed, or a record that it told of was deleted since
 */
export async function findAnswer(ctx: Context, trx: Transaction, { key, hash }: KeyedRequest): Promise<Outcome | undefined> {
  const row = await trx
    .selectFrom('idempotency_answer')
    .select(['request_hash', 'answer'])
    .where('key', '=', key)
    .where('created_at', '>', new Date(ctx.now().getTime() - keptMs))
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (!row.request_hash.equals(hash)) {
    throw new AppError('idempotency_conflict', 'this Idempotency-Key was used for another request', { field: 'Idempotency-Key' })
  }
  if (row.answer.length === 0) {
    throw new AppError('conflict', 'The request was done, but its answer told of something that has been deleted or replaced since.', {
      field: 'Idempotency-Key',
    })
  }
  return readOutcome(row.answer, sealOf(ctx, key))
}

/** Whether the request is ours to do until the transaction ends: false while another transaction does it. */
export async function claimKey(ctx: Context, trx: Transaction, { key }: KeyedRequest): Promise<boolean> {
  const { rows } = await sql<{ claimed: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${ctx.organizationId} ${key}`}, 0)) as claimed`.execute(trx)
  return rows[0]?.claimed === true
}

/**
 * Keeps the outcome for 24 hours, in the transaction that also makes it true. The deletion of a record that it tells of
 * erases it (migration 0060).
 */
export async function storeAnswer(ctx: Context, trx: Transaction, { key, hash, path }: KeyedRequest, outcome: Outcome): Promise<void> {
  const now = ctx.now()
  await enqueuePurge(ctx, trx, now)
  const values = {
    request_hash: hash,
    answer: seal(JSON.stringify(outcome), sealOf(ctx, key)),
    record_ids: recordIdsIn(path, outcome),
    created_at: now,
  }
  await trx
    .insertInto('idempotency_answer')
    .values({ organization_id: ctx.organizationId, key, ...values })
    .onConflict((conflict) => conflict.columns(['organization_id', 'key']).doUpdateSet(values))
    .execute()
}

/** The ids of the records that an answer shows, and of those that the path of the request names. */
function recordIdsIn(path: string, outcome: Outcome): string[] {
  const ids: string[] = path.match(uuid) ?? []
  JSON.stringify(outcome, (field, value: unknown) => {
    if ((field === 'id' || field === 'baseId') && typeof value === 'string') ids.push(...(value.match(uuid) ?? []))
    return value
  })
  return [...new Set(ids.map((id) => id.toLowerCase()))]
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

const sealOf = ({ secretKey, organizationId }: Context, key: string): Seal => ({
  secretKey,
  purpose: 'idempotency answers',
  place: `${organizationId} ${key}`,
})

/** `storeAnswer` alone seals what opens here. */
function readOutcome(answer: Buffer, sealed: Seal): Outcome {
  try {
    return JSON.parse(open(answer, sealed)) as Outcome
  } catch (cause) {
    throw new AppError('conflict', 'the request was done, but its answer can no longer be read', { field: 'Idempotency-Key', cause })
  }
}
