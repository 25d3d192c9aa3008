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
import { withTransaction, select, type Context, type PublicContext } from '../context.ts'
import type { ApiTokenTable, Transaction } from '../db/schema.ts'
import { newestFirst } from '../db/newest-first.ts'
import { requireBases } from '../knowledge/bases/require.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { refuseMoreThanActorHas } from './grant.ts'
import { asScopes, insertToken } from './issue.ts'
import { hashSecret, hintOf, isWellFormedSecret, newSecret } from './secret.ts'

/**
 * @throws AppError `forbidden` for a scope, a base or a time that the actor does not have, `validation_error` for a base
 * that does not exist or an end that is past
 */
export function createToken(ctx: Context, input: CreateApiToken): Promise<ApiTokenWithSecret> {
  const { name, scopes, baseIds = null, expiresAt = null } = input
  return withTransaction(ctx, async (trx) => {
    const now = ctx.now()
    if (expiresAt !== null && expiresAt <= now)
      throw new AppError('validation_error', 'expiresAt must be in the future', { field: 'expiresAt' })
    const createdBy = await refuseMoreThanActorHas(ctx, trx, { scopes, baseIds, expiresAt })
    if (baseIds !== null) await requireBases(trx, baseIds)
    const { organizationId } = ctx
    const { row, secret } = await insertToken(trx, { organizationId, name, scopes, baseIds, expiresAt, createdBy, now })
    await audit(ctx, trx, { action: 'token.created', target: wireId('tok', row.id) })
    return { ...toApiToken(await readToken(trx, row.id)), token: secret }
  })
}

/** @throws AppError `not_found` */
export function getToken(ctx: Context, tokenId: string): Promise<ApiToken> {
  return withTransaction(ctx, async (trx) => toApiToken(await readToken(trx, tokenId)))
}

/** How many can be presented by now. */
export async function workingTokens(ctx: Context): Promise<number> {
  const [counted] = await select(ctx, (db) =>
    db
      .selectFrom('api_token')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('revoked_at', 'is', null)
      .where((of) => of.or([of('expires_at', 'is', null), of('expires_at', '>', ctx.now())])),
  )
  return counted?.total ?? 0
}

/** Newest first. */
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
    const { name: before } = await lockToken(trx, tokenId)
    await trx
      .updateTable('api_token')
      .set({ name: name ?? before })
      .where('id', '=', tokenId)
      .execute()
    await audit(ctx, trx, { action: 'token.updated', target: wireId('tok', tokenId) })
    return toApiToken(await readToken(trx, tokenId))
  })
}

/**
 * Gives the token a new secret; the one of before goes on for `overlapSeconds`, the one before that ends.
 * @throws AppError `not_found`, `conflict` when it is revoked or expired, `forbidden` when it may do more than the actor,
 * who would get that by its secret
 */
export async function rotateToken(ctx: Context, tokenId: string, { overlapSeconds }: RotateApiToken): Promise<ApiTokenWithSecret> {
  const secret = newSecret()
  const row = await withTransaction(ctx, async (trx) => {
    const now = ctx.now()
    const before = await lockToken(trx, tokenId, ctx.actor?.kind === 'token' ? ctx.actor.tokenId : tokenId)
    await refuseMoreThanActorHas(ctx, trx, { scopes: asScopes(before.scopes), baseIds: before.base_ids, expiresAt: before.expires_at })
    if (before.revoked_at !== null) throw new AppError('conflict', 'a revoked token cannot be rotated')
    if (before.expires_at !== null && before.expires_at <= now) throw new AppError('conflict', 'an expired token cannot be rotated')
    const overlap =
      overlapSeconds === 0
        ? endOfOverlap
        : { previous_hash: before.hash, previous_expires_at: new Date(now.getTime() + overlapSeconds * 1000) }
    await audit(ctx, trx, { action: 'token.rotated', target: wireId('tok', tokenId) })
    await trx
      .updateTable('api_token')
      .set({ hash: hashSecret(secret), hint: hintOf(secret), ...overlap })
      .where('id', '=', tokenId)
      .execute()
    return readToken(trx, tokenId)
  })
  ctx.invalidateToken(tokenId)
  return { ...toApiToken(row), token: secret }
}

/**
 * Ends the token: here at once, in other processes as soon as they ask the database again. Revoking again changes nothing.
 * @throws AppError `not_found`
 */
export async function revokeToken(ctx: Context, tokenId: string): Promise<void> {
  await withTransaction(ctx, async (trx) => {
    const { revoked_at } = await lockToken(trx, tokenId)
    if (revoked_at !== null) return
    await trx
      .updateTable('api_token')
      .set({ revoked_at: ctx.now(), ...endOfOverlap })
      .where('id', '=', tokenId)
      .execute()
    await audit(ctx, trx, { action: 'token.revoked', target: wireId('tok', tokenId) })
  })
  ctx.invalidateToken(tokenId)
}

/**
 * Revokes the token of the secret, or ends the overlap of a secret that a rotation has replaced. Succeeds for any text,
 * so that the answer does not tell whether it was a secret.
 */
export async function revokePresentedToken(visit: PublicContext, secret: string): Promise<void> {
  if (!isWellFormedSecret(secret)) return
  const hash = hashSecret(secret)
  const { found: token } = await visit.authenticationThrottle.lookUp(visit.origin.address, () =>
    // oxlint-disable-next-line no-restricted-properties -- a secret names its organization only once it is found
    visit.db.presenting({ kind: 'token_hash', value: hash }, (trx) =>
      trx
        .selectFrom('api_token')
        .select(['organization_id', 'id'])
        .where((where) => where.or([where('hash', '=', hash), where('previous_hash', '=', hash)]))
        .executeTakeFirst(),
    ),
  )
  if (token === undefined) return
  const ctx: Context = { ...visit, organizationId: token.organization_id }
  // Who has the secret acts as the token.
  const bearer: Author = { type: 'token', id: token.id, ...visit.origin }
  await withTransaction(ctx, async (trx) => {
    const update = trx.updateTable('api_token').where('id', '=', token.id).returning('id')
    const revoked = await update
      .set({ revoked_at: ctx.now(), ...endOfOverlap })
      .where('hash', '=', hash)
      .where('revoked_at', 'is', null)
      .execute()
    const ended = await update.set(endOfOverlap).where('previous_hash', '=', hash).execute()
    const target = wireId('tok', token.id)
    if (revoked.length > 0) await audit(ctx, trx, { action: 'token.revoked', target }, bearer)
    if (ended.length > 0) await audit(ctx, trx, { action: 'token.overlap_ended', target }, bearer)
  })
  visit.invalidateToken(token.id)
}

const endOfOverlap = { previous_hash: null, previous_expires_at: null }

/** Another row that will be locked too is locked at once, in the order of ids: so two tokens that rotate each other do not wait in a circle. */
async function lockToken(trx: Transaction, tokenId: string, andId = tokenId): Promise<Selectable<ApiTokenTable>> {
  const rows = await trx.selectFrom('api_token').selectAll().where('id', 'in', [tokenId, andId]).orderBy('id').forUpdate().execute()
  const row = rows.find(({ id }) => id === tokenId)
  if (row === undefined) throw noSuchToken()
  return row
}

const noSuchToken = (): AppError => new AppError('not_found', 'there is no such API token', { field: 'tokenId' })

/** Of the token or the user that made it, who may have left since. */
const makerName = sql<string | null>`case
  when created_by_user is not null then (select name from actor_names(array[created_by_user]))
  else (select maker.name from api_token as maker where maker.id = api_token.created_by)
end`

const tokensIn = (trx: Transaction) => trx.selectFrom('api_token').selectAll('api_token').select(makerName.as('maker_name'))

type TokenRow = Selectable<ApiTokenTable> & { maker_name: string | null }

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
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by_user === null ? row.created_by && wireId('tok', row.created_by) : wireId('usr', row.created_by_user),
    createdByName: row.maker_name,
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    lastUsedAddress: row.last_used_address,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }
}
