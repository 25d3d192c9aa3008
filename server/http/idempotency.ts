import { isReplayed } from '@groundwork/api'
import type { FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { withTransaction, type Context } from '../context.ts'
import { openRequestTransaction, type RequestTransaction } from '../db/request-transaction.ts'
import { isSerializationFailure } from '../db/violations.ts'
import { WithHeaders } from '../handlers.ts'
import { claimKey, findAnswer, storeAnswer, type KeyedRequest, type Outcome } from '../idempotency/answers.ts'
import { AppError } from '../lib/errors.ts'

/** The answer to a request, or the refusal that stands; `replayed` says that it was made when the request came first. */
export interface Settled {
  readonly outcome: WithHeaders<unknown> | AppError
  readonly replayed: boolean
}

/** The key is being used by a request that is not done. */
export class StillRunning extends Error {}
class AnsweredMeanwhile extends Error {}

/** Times that a request is begun at most, when others change what it reads. */
const maxAttempts = 10

/**
 * Does the request's work in one transaction, in which also its precondition is checked and its answer kept: there is
 * no effect without an answer, and nothing to clean up after a crash, whenever it comes.
 * @throws StillRunning while the same key is in use; AppError for a refusal that does not stand: the key is free again
 */
export async function settle(
  ctx: Context,
  { keyed, precondition }: { keyed: KeyedRequest | undefined; precondition: ((ctx: Context) => Promise<void>) | undefined },
  work: (ctx: Context) => Promise<WithHeaders<unknown>>,
): Promise<Settled> {
  for (let attempt = 1; ; attempt += 1) {
    const known = keyed && (await withTransaction(ctx, (trx) => findAnswer(ctx, trx, keyed)))
    if (known !== undefined) return { outcome: fromOutcome(known), replayed: true }
    const joined = openRequestTransaction(ctx.db, ctx.organizationId, {
      repeatableRead: precondition !== undefined,
      async first(trx) {
        if (keyed === undefined) return
        if (!(await claimKey(ctx, trx, keyed))) throw new StillRunning()
        if ((await findAnswer(ctx, trx, keyed)) !== undefined) throw new AnsweredMeanwhile()
      },
    })
    try {
      return { outcome: await once(ctx, joined, keyed, precondition, work), replayed: false }
    } catch (error) {
      await joined.rollback()
      const again = error instanceof AnsweredMeanwhile || isSerializationFailure(error)
      if (!again || attempt === maxAttempts) throw error
    }
  }
}

async function once(
  ctx: Context,
  joined: RequestTransaction,
  keyed: KeyedRequest | undefined,
  precondition: ((ctx: Context) => Promise<void>) | undefined,
  work: (ctx: Context) => Promise<WithHeaders<unknown>>,
): Promise<WithHeaders<unknown> | AppError> {
  const forgotten: string[] = []
  const own: Context = { ...ctx, db: joined.db, independentDb: ctx.db, invalidateToken: (tokenId) => forgotten.push(tokenId) }
  await precondition?.(own)
  const outcome = await work(own).catch((error: unknown) => {
    if (keyed !== undefined && error instanceof AppError && isReplayed(error.code)) return error
    throw error
  })
  if (keyed !== undefined) await withTransaction(own, (trx) => storeAnswer(own, trx, keyed, toOutcome(outcome)))
  await joined.commit()
  // Not before: who asks again must see what was kept.
  for (const tokenId of forgotten) ctx.invalidateToken(tokenId)
  return outcome
}

function toOutcome(outcome: WithHeaders<unknown> | AppError): Outcome {
  if (outcome instanceof WithHeaders) return { body: outcome.body, headers: outcome.headers }
  const { code, message, field, issues } = outcome
  return { refusal: { code, message, ...(field !== undefined && { field }), ...(issues !== undefined && { issues }) } }
}

function fromOutcome(outcome: Outcome): WithHeaders<unknown> | AppError {
  if (!('refusal' in outcome)) return new WithHeaders(outcome.body, outcome.headers)
  const { code, message, ...detail } = outcome.refusal
  return new AppError(code, message, detail)
}

/**
 * The request as its Idempotency-Key stands for it; undefined without one. A token that may see or do other things sends
 * another request: a stored answer reaches nobody who could not have been given it.
 * @throws AppError `bad_request` when the key is not 1 to 255 visible characters
 */
export function keyedRequest(request: FastifyRequest, ctx: Context): KeyedRequest | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new AppError('bad_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters', { field: 'Idempotency-Key' })
  }
  const reach = [ctx.actor?.scopes.toSorted(), ctx.actor?.baseIds?.toSorted() ?? null]
  const parts = [request.method, request.url, reach, request.body ?? null]
  return { key, hash: createHash('sha256').update(JSON.stringify(parts)).digest(), path: request.url }
}
