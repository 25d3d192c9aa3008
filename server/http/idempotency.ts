import { isReplayed } from '@groundwork/api'
import type { FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { withTransaction } from '../context.ts'
import type { PlatformContext } from '../platform.ts'
import { defer } from '../db/deferred.ts'
import { openRequestTransaction, type RequestTransaction } from '../db/request-transaction.ts'
import { isChangedResult, isDeadlock, isSerializationFailure } from '../db/violations.ts'
import { WithHeaders } from '../handlers.ts'
import { claimKey, findAnswer, selectAnswer, storeAnswer, type KeyedRequest, type Outcome } from '../idempotency/answers.ts'
import { AppError } from '../lib/errors.ts'

/** The response to a request, or a stored error. `replayed` is true if it comes from an earlier request with the same key. */
export interface RequestResult {
  readonly outcome: WithHeaders<unknown> | AppError
  readonly replayed: boolean
}

/** Another request with the same key is running. */
export class KeyInUse extends Error {}
class AnsweredConcurrently extends Error {}

/** Maximum attempts after serialization failures, and after migrations that changed the columns of prepared statements. */
const maxAttempts = 10

/**
 * Runs the handler, its precondition and the storage of its response in one request transaction. Effects and response commit
 * together, so a crash leaves nothing to clean up.
 * @throws KeyInUse while another request with the same key is running; AppError for an error that is not stored, which leaves
 * the key free
 */
export async function runRequest(
  ctx: PlatformContext,
  { keyed, precondition }: { keyed: KeyedRequest | undefined; precondition: ((ctx: PlatformContext) => Promise<void>) | undefined },
  work: (ctx: PlatformContext) => Promise<WithHeaders<unknown>>,
): Promise<RequestResult> {
  for (let attempt = 1; ; attempt += 1) {
    const known = keyed && (await findAnswer(ctx, keyed))
    if (known !== undefined) return { outcome: fromOutcome(known), replayed: true }
    const transaction = openRequestTransaction(ctx.db, ctx.organizationId, {
      repeatableRead: precondition !== undefined,
      first:
        keyed &&
        (async (trx) => {
          if (!(await claimKey(ctx, trx, keyed))) throw new KeyInUse()
          // After the claim, in a statement of its own: one statement would not see an answer that is committed before the claim.
          const onRows = ([answer]: readonly unknown[]): void => {
            if (answer !== undefined) throw new AnsweredConcurrently()
          }
          await defer(trx, selectAnswer(ctx, trx, keyed).compile(), { onRows, isCheck: true })
        }),
    })
    try {
      return { outcome: await runAttempt(ctx, transaction, keyed, precondition, work), replayed: false }
    } catch (error) {
      await transaction.rollback()
      const isRetryable =
        error instanceof AnsweredConcurrently || isSerializationFailure(error) || isDeadlock(error) || isChangedResult(error)
      if (!isRetryable || attempt === maxAttempts) throw error
    }
  }
}

async function runAttempt(
  ctx: PlatformContext,
  transaction: RequestTransaction,
  keyed: KeyedRequest | undefined,
  precondition: ((ctx: PlatformContext) => Promise<void>) | undefined,
  work: (ctx: PlatformContext) => Promise<WithHeaders<unknown>>,
): Promise<WithHeaders<unknown> | AppError> {
  const invalidatedTokenIds: string[] = []
  const requestCtx: PlatformContext = {
    ...ctx,
    db: transaction.db,
    independentDb: ctx.db,
    storesResponse: keyed !== undefined,
    invalidateToken: (tokenId) => invalidatedTokenIds.push(tokenId),
  }
  await precondition?.(requestCtx)
  const outcome = await work(requestCtx).catch((error: unknown) => {
    if (keyed !== undefined && error instanceof AppError && isReplayed(error.code)) return error
    throw error
  })
  if (keyed !== undefined) await withTransaction(requestCtx, (trx) => storeAnswer(requestCtx, trx, keyed, toOutcome(outcome)))
  await transaction.commit()
  // Only after the commit: an earlier look-up could cache the old row again.
  for (const tokenId of invalidatedTokenIds) ctx.invalidateToken(tokenId)
  return outcome
}

function toOutcome(outcome: WithHeaders<unknown> | AppError): Outcome {
  if (outcome instanceof WithHeaders) return { body: outcome.body, headers: outcome.headers }
  const { code, message, field, issues, candidates } = outcome
  const detail = {
    ...(field !== undefined && { field }),
    ...(issues !== undefined && { issues }),
    ...(candidates !== undefined && { candidates }),
  }
  return { refusal: { code, message, ...detail } }
}

function fromOutcome(outcome: Outcome): WithHeaders<unknown> | AppError {
  if (!('refusal' in outcome)) return new WithHeaders(outcome.body, outcome.headers)
  const { code, message, ...detail } = outcome.refusal
  return new AppError(code, message, detail)
}

/**
 * Returns the key and a hash of the request; undefined without Idempotency-Key. The hash includes the token's permissions, so
 * that a stored response is never replayed to a caller with fewer permissions.
 * @throws AppError `bad_request` unless the key is 1 to 255 visible ASCII characters
 */
export function keyedRequest(request: FastifyRequest, ctx: PlatformContext): KeyedRequest | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new AppError('bad_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.', { field: 'Idempotency-Key' })
  }
  const permissions = [ctx.actor?.scopes.toSorted(), ctx.actor?.baseIds?.toSorted() ?? null]
  const parts = [request.method, request.url, permissions, request.body ?? null]
  return { key, hash: hashOf(JSON.stringify(parts, sorted)), formerHash: hashOf(JSON.stringify(parts)), path: request.url }
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Returns an object with its members in order of their names, which is no part of a JSON value. */
const sorted = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value
