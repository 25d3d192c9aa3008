import {
  wireId,
  type ApiToken,
  type ApiTokenWithSecret,
  type CreateApiToken,
  type ListApiTokens,
  type RotateApiToken,
  type UpdateApiToken,
} from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { audit } from '../audit/audit.ts'
import type { Author } from '../audit/entry.ts'
import { withTransaction, select, type Context } from '../context.ts'
import type { PublicContext } from '../identity/context.ts'
import type { ApiTokenTable, Transaction } from '../db/schema.ts'
import { newestFirst } from '../db/newest-first.ts'
import { requireBases } from '../knowledge/rows/bases.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { requireGrantable } from './grant.ts'
import { asScopes, insertToken, publishableOf } from './issue.ts'
import { hashSecret, hintOf, isWellFormedSecret, newSecret } from './secret.ts'

export interface TokenServices {
  /** Removes the token from this process's cache after it was revoked or rotated. */
  invalidateToken: (tokenId: string) => void
}

interface TokenContext extends Context, TokenServices {}

/**
 * @throws AppError `forbidden` for a scope, a knowledge base or an expiry that the actor does not have, `validation_error` for
 * a knowledge base that does not exist or an expiry in the past
 */
export function createToken(ctx: Context, input: CreateApiToken): Promise<ApiTokenWithSecret> {
  const { name, scopes, baseIds = null, expiresAt = null, agent = false, publishable = null } = input
  if (publishable !== null) requireSearchOfOneBase(input)
  return withTransaction(ctx, async (trx) => {
    const now = ctx.now()
    if (expiresAt !== null && expiresAt <= now)
      throw new AppError('validation_error', 'expiresAt must be in the future', { field: 'expiresAt' })
    const createdBy = await requireGrantable(ctx, trx, { scopes, baseIds, expiresAt, agent })
    if (baseIds !== null) await requireBases(trx, baseIds)
    const { organizationId } = ctx
    const { row, secret } = await insertToken(trx, {
      organizationId,
      name,
      scopes,
      baseIds,
      expiresAt,
      agent,
      publishable,
      createdBy,
      now,
    })
    await audit(ctx, trx, { action: 'token.created', target: wireId('tok', row.id) })
    return { ...toApiToken(await readToken(trx, row.id)), token: secret }
  })
}

/** @throws AppError `validation_error` if a publishable token would have other permissions than to search one knowledge base */
function requireSearchOfOneBase({ scopes, baseIds, agent }: CreateApiToken): void {
  const refuse = (field: string, rule: string): AppError => new AppError('validation_error', `${field} ${rule}`, { field })
  if (scopes.some((scope) => scope !== 'search:read')) throw refuse('scopes', 'of a publishable token must be search:read alone')
  if (baseIds?.length !== 1) throw refuse('baseIds', 'of a publishable token must name one knowledge base')
  if (agent === true) throw refuse('agent', 'must be false for a publishable token')
}

/** @throws AppError `not_found` */
export function getToken(ctx: Context, tokenId: string): Promise<ApiToken> {
  return withTransaction(ctx, async (trx) => toApiToken(await readToken(trx, tokenId)))
}

/** Returns the number of tokens that are neither revoked nor expired. */
export async function activeTokenCount(ctx: Context): Promise<number> {
  const [counted] = await select(ctx, (db) =>
    db
      .selectFrom('api_token')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('revoked_at', 'is', null)
      .where((of) => of.or([of('expires_at', 'is', null), of('expires_at', '>', ctx.now())])),
  )
  return counted?.total ?? 0
}

export function listTokens(ctx: Context, input: ListApiTokens): Promise<{ data: ApiToken[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    let query = tokensIn(trx)
    if (input.createdBy !== undefined) query = query.where('created_by_user', '=', input.createdBy)
    const page = pageOf(await newestFirst(query, 'api_token', input).execute(), input.limit)
    return { data: page.rows.map(toApiToken), nextCursor: page.nextCursor }
  })
}

/** @throws AppError `not_found` */
export function updateToken(ctx: Context, tokenId: string, { name }: UpdateApiToken): Promise<ApiToken> {
  return withTransaction(ctx, async (trx) => {
    const before = await lockToken(trx, tokenId)
    if (name !== undefined && name !== before.name) {
      await trx.updateTable('api_token').set({ name }).where('id', '=', tokenId).execute()
      await audit(ctx, trx, { action: 'token.updated', target: wireId('tok', tokenId) })
    }
    return toApiToken(await readToken(trx, tokenId))
  })
}

/**
 * Replaces the secret of a token. The previous secret stays valid for `overlapSeconds`; an earlier one ends immediately.
 * @throws AppError `not_found`, `conflict` if the token is revoked or expired, `forbidden` if it has more permissions than the
 * actor, who would gain them with its secret
 */
export async function rotateToken(ctx: TokenContext, tokenId: string, { overlapSeconds }: RotateApiToken): Promise<ApiTokenWithSecret> {
  const { row, secret } = await withTransaction(ctx, async (trx) => {
    const now = ctx.now()
    const before = await lockToken(trx, tokenId, ctx.actor?.kind === 'token' ? ctx.actor.tokenId : tokenId)
    const { base_ids: baseIds, expires_at: expiresAt, agent } = before
    await requireGrantable(ctx, trx, { scopes: asScopes(before.scopes), baseIds, expiresAt, agent })
    if (before.revoked_at !== null) throw new AppError('conflict', 'A revoked token cannot be rotated.')
    if (before.expires_at !== null && before.expires_at <= now) throw new AppError('conflict', 'An expired token cannot be rotated.')
    const overlap =
      overlapSeconds === 0
        ? noOverlap
        : { previous_hash: before.hash, previous_expires_at: new Date(now.getTime() + overlapSeconds * 1000) }
    await audit(ctx, trx, { action: 'token.rotated', target: wireId('tok', tokenId) })
    const renewed = newSecret({ isPublishable: before.origins !== null })
    await trx
      .updateTable('api_token')
      .set({ hash: hashSecret(renewed), hint: hintOf(renewed), ...overlap })
      .where('id', '=', tokenId)
      .execute()
    return { row: await readToken(trx, tokenId), secret: renewed }
  })
  ctx.invalidateToken(tokenId)
  return { ...toApiToken(row), token: secret }
}

/**
 * Revokes the token: immediately in this process, and elsewhere when the cache expires. Idempotent.
 * @throws AppError `not_found`
 */
export async function revokeToken(ctx: TokenContext, tokenId: string): Promise<void> {
  await withTransaction(ctx, async (trx) => {
    const { revoked_at } = await lockToken(trx, tokenId)
    if (revoked_at !== null) return
    await trx
      .updateTable('api_token')
      .set({ revoked_at: ctx.now(), ...noOverlap })
      .where('id', '=', tokenId)
      .execute()
    await audit(ctx, trx, { action: 'token.revoked', target: wireId('tok', tokenId) })
  })
  ctx.invalidateToken(tokenId)
}

/**
 * Revokes the token of a secret, or ends the overlap of a rotated secret. Succeeds for any text, so that the response does not
 * reveal whether it was a secret.
 */
export async function revokePresentedToken(publicCtx: PublicContext & TokenServices, secret: string): Promise<void> {
  if (!isWellFormedSecret(secret)) return
  const hash = hashSecret(secret)
  const { found: token } = await publicCtx.authenticationThrottle.lookUp(publicCtx.origin.address, () =>
    // oxlint-disable-next-line no-restricted-properties -- the organization is unknown until the secret is found
    publicCtx.db.presenting({ kind: 'token_hash', value: hash }, (trx) =>
      trx
        .selectFrom('api_token')
        .select(['organization_id', 'id'])
        .where((where) => where.or([where('hash', '=', hash), where('previous_hash', '=', hash)]))
        .executeTakeFirst(),
    ),
  )
  if (token === undefined) return
  const ctx: Context = { ...publicCtx, organizationId: token.organization_id }
  // The audit log names the token as the actor.
  const author: Author = { type: 'token', id: token.id, ...publicCtx.origin }
  await withTransaction(ctx, async (trx) => {
    const update = trx.updateTable('api_token').where('id', '=', token.id).returning('id')
    const revoked = await update
      .set({ revoked_at: ctx.now(), ...noOverlap })
      .where('hash', '=', hash)
      .where('revoked_at', 'is', null)
      .execute()
    const ended = await update.set(noOverlap).where('previous_hash', '=', hash).execute()
    const target = wireId('tok', token.id)
    if (revoked.length > 0) await audit(ctx, trx, { action: 'token.revoked', target }, author)
    if (ended.length > 0) await audit(ctx, trx, { action: 'token.overlap_ended', target }, author)
  })
  publicCtx.invalidateToken(token.id)
}

const noOverlap = { previous_hash: null, previous_expires_at: null }

/** Locks the token and optionally a second one in id order, so that two tokens that rotate each other cannot deadlock. */
async function lockToken(trx: Transaction, tokenId: string, otherId = tokenId): Promise<Selectable<ApiTokenTable>> {
  const rows = await trx.selectFrom('api_token').selectAll().where('id', 'in', [tokenId, otherId]).orderBy('id').forUpdate().execute()
  const row = rows.find(({ id }) => id === tokenId)
  if (row === undefined) throw noSuchToken()
  return row
}

const noSuchToken = (): AppError => new AppError('not_found', 'There is no such API token.', { field: 'tokenId' })

/** Name of the token or user that created the token. A user may have left since. */
const creatorName = sql<string | null>`case
  when created_by_user is not null then (select name from actor_names(array[created_by_user]))
  else (select creator.name from api_token as creator where creator.id = api_token.created_by)
end`

const tokensIn = (trx: Transaction) => trx.selectFrom('api_token').selectAll('api_token').select(creatorName.as('creator_name'))

type TokenRow = Selectable<ApiTokenTable> & { creator_name: string | null }

/** @throws AppError `not_found` */
async function readToken(trx: Transaction, tokenId: string): Promise<TokenRow> {
  const row = await tokensIn(trx).where('id', '=', tokenId).executeTakeFirst()
  if (row === undefined) throw noSuchToken()
  return row
}

function toApiToken(row: TokenRow): ApiToken {
  return {
    id: wireId('tok', row.id),
    name: row.name,
    hint: row.hint,
    scopes: asScopes(row.scopes),
    baseIds: row.base_ids?.map((id) => wireId('kb', id)) ?? null,
    agent: row.agent,
    publishable: publishableOf(row),
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by_user === null ? row.created_by && wireId('tok', row.created_by) : wireId('usr', row.created_by_user),
    createdByName: row.creator_name,
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    lastUsedAddress: row.last_used_address,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }
}
