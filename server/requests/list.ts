import { wireId, type ApiRequest, type ListApiRequests } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { actorName } from '../audit/actor.ts'
import { requireWholeOrganization, select, type Context } from '../context.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { ApiRequestTable, Transaction } from '../db/schema.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { arrivalOf } from './request.ts'
import { oldestRequest } from './retention.ts'

/**
 * Returns requests, newest first. They concern the whole organization, so a token that is limited to some knowledge bases cannot
 * list them.
 * @throws AppError `forbidden` for a limited actor, `bad_request`, field `cursor`
 */
export async function listRequests(ctx: Context, input: ListApiRequests): Promise<{ data: ApiRequest[]; nextCursor: string | null }> {
  requireWholeOrganization(ctx)
  const rows = await select(ctx, (db) => {
    let query = keptRequests(ctx, db)
    const { method, status, actorType, tokenId, path, requestId, since, until } = input
    if (method !== undefined) query = query.where('method', '=', method)
    if (status !== undefined) query = query.where('status', '>=', lowest(status)).where('status', '<=', highest(status))
    if (actorType !== undefined) query = query.where('actor_type', '=', actorType)
    if (tokenId !== undefined) query = query.where('actor_id', '=', tokenId).where('actor_type', '=', 'token')
    if (path !== undefined) query = query.where(sql<boolean>`(starts_with(path, ${path}) or starts_with(route, ${path}))`)
    if (requestId !== undefined) query = query.where('created_at', '=', arrivalOf(requestId)).where('id', '=', requestId)
    if (since !== undefined) query = query.where('created_at', '>=', new Date(since))
    if (until !== undefined) query = query.where('created_at', '<', new Date(until))
    return newestFirst(query, 'api_request', input)
  })
  const page = pageOf(rows, input.limit)
  return { data: page.rows.map(toApiRequest), nextCursor: page.nextCursor }
}

/** @throws AppError `forbidden` for an actor that is limited to some knowledge bases, `not_found` */
export async function getRequest(ctx: Context, id: string): Promise<ApiRequest> {
  requireWholeOrganization(ctx)
  const [row] = await select(ctx, (db) => keptRequests(ctx, db).where('created_at', '=', arrivalOf(id)).where('id', '=', id))
  if (row === undefined) throw new AppError('not_found', 'There is no such request. Requests are kept for 7 days.')
  return toApiRequest(row)
}

const keptRequests = (ctx: Context, db: Transaction) =>
  db
    .selectFrom('api_request')
    .selectAll('api_request')
    .select([
      actorName('api_request').as('actor_name'),
      sql<string | null>`(select hint from api_token where api_token.id = api_request.actor_id)`.as('hint'),
    ])
    .where('created_at', '>=', oldestRequest(ctx))

const lowest = (status: string): number => Number(status.replace('xx', '00'))
const highest = (status: string): number => Number(status.replace('xx', '99'))

function toApiRequest(row: Selectable<ApiRequestTable> & { actor_name: string | null; hint: string | null }): ApiRequest {
  const { actor_type: type, actor_id, actor_name: name, hint } = row
  return {
    id: wireId('req', row.id),
    method: row.method,
    route: row.route,
    path: row.path,
    status: row.status,
    durationMs: row.duration_ms,
    actor: { type, id: wireId(type === 'user' ? 'usr' : 'tok', actor_id), name, hint },
    createdAt: row.created_at.toISOString(),
  }
}
