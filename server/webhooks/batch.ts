import type { Selectable } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import { defer } from '../db/deferred.ts'
import type { Transaction, WebhookEndpointTable } from '../db/schema.ts'
import { emit } from '../events/emit.ts'
import { cancelPending } from './cancel.ts'
import { claimDue, unclaim, type Claimed } from './claim.ts'
import type { WebhookContext } from './context.ts'
import { owner } from './endpoints.ts'
import { isGone, recordOutcomes, succeeded, type Outcome } from './record-outcomes.ts'
import { toWebhookEndpoint } from './record.ts'
import { openSecret } from './secret.ts'

/** Time of consecutive failures after which an endpoint is disabled. */
const disableAfterMs = 5 * 86_400_000

/** The input of one transaction of an endpoint worker. */
export interface Batch {
  readonly outcomes: readonly Outcome[]
  /** Claimed earlier, but not attempted. */
  readonly untried: readonly Claimed[]
  /** Maximum deliveries to claim. */
  readonly maxClaims: number
}

export interface ClaimedBatch {
  readonly claimed: readonly Claimed[]
  readonly url: string
  /** Null if they cannot be decrypted. */
  readonly secrets: readonly string[] | null
}

/** Records the outcomes of finished requests and claims further deliveries; null for an endpoint that is disabled or deleted. */
export async function processBatch(
  ctx: WebhookContext,
  endpointId: string,
  { outcomes, untried, maxClaims }: Batch,
): Promise<ClaimedBatch | null> {
  const taken = await withTransaction(ctx, async (trx) => {
    const query = trx.selectFrom('webhook_endpoint').selectAll().where('id', '=', endpointId)
    const endpoint = await (outcomes.length > 0 ? query.forNoKeyUpdate() : query).executeTakeFirst()
    if (endpoint === undefined) return null
    if (outcomes.length > 0) await recordOutcomes(ctx, trx, endpoint, outcomes)
    if (untried.length > 0) await unclaim(ctx, trx, endpointId, untried)
    const failingSince = failingAfter(endpoint.failing_since, outcomes)
    if (endpoint.enabled && outcomes.some(isGone)) return disable(ctx, trx, endpoint, { reason: 'gone', failingSince })
    if (endpoint.enabled && failingSince !== null && outcomes.length > 0 && ctx.now().getTime() >= failingSince.getTime() + disableAfterMs)
      return disable(ctx, trx, endpoint, { reason: 'failing', failingSince })
    if (failingSince?.getTime() !== endpoint.failing_since?.getTime())
      await defer(trx, trx.updateTable('webhook_endpoint').set({ failing_since: failingSince }).where('id', '=', endpointId).compile())
    if (!endpoint.enabled) return null
    return { endpoint, claimed: maxClaims > 0 ? await claimDue(ctx, trx, endpointId, maxClaims) : () => [] }
  })
  return taken && { claimed: taken.claimed(), url: taken.endpoint.url, secrets: secretsOf(ctx, taken.endpoint) }
}

/** Failed test events do not count. */
function failingAfter(before: Date | null, outcomes: readonly Outcome[]): Date | null {
  if (outcomes.some(succeeded)) return null
  return before ?? outcomes.find(({ delivery }) => !delivery.isTest)?.attempt.at ?? null
}

async function disable(
  ctx: Context,
  trx: Transaction,
  { id, url }: Selectable<WebhookEndpointTable>,
  { reason, failingSince }: { reason: 'gone' | 'failing'; failingSince: Date | null },
): Promise<null> {
  const now = ctx.now()
  const row = await trx
    .updateTable('webhook_endpoint')
    .set({ enabled: false, disabled_at: now, disabled_reason: reason, failing_since: failingSince, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await cancelPending(trx, id)
  await emit(ctx, trx, 'webhook_endpoint.disabled', toWebhookEndpoint(row))
  ctx.log.warn({ organizationId: ctx.organizationId, endpointId: id, url, reason }, 'a webhook endpoint was disabled')
  return null
}

/** Returns the current secret, and the previous one while it is valid. */
function secretsOf(ctx: WebhookContext, endpoint: Selectable<WebhookEndpointTable>): string[] | null {
  const { id: endpointId, secret, previous_secret: previous, previous_secret_expires_at: until } = endpoint
  const overlapping = previous !== null && until !== null && until > ctx.now() ? [previous] : []
  try {
    return [secret, ...overlapping].map((sealed) => openSecret(sealed, owner(ctx, endpointId)))
  } catch (error) {
    ctx.log.error({ err: error, organizationId: ctx.organizationId, endpointId }, 'the secret of a webhook endpoint cannot be decrypted')
    return null
  }
}
