import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import type { LoggedRequest } from './request.ts'
import { enqueueExpiry } from './retention.ts'

/**
 * Adds the rows of one organization with one statement. Locks the organization, so that no row is added behind its deletion. The
 * first rows of a day enqueue the job that deletes them.
 */
export function writeRequests(
  db: Database,
  ctx: Pick<Context, 'jobs' | 'organizationId'>,
  requests: readonly LoggedRequest[],
): Promise<void> {
  const column = <Name extends keyof LoggedRequest>(name: Name): LoggedRequest[Name][] => requests.map((request) => request[name])
  return db.transaction(ctx.organizationId, async (trx) => {
    const { rows } = await sql<{ before: Date | null; last: Date | null }>`
      with held as materialized (
        select id from organization where id = ${ctx.organizationId}::uuid for key share
      ), kept as (
        insert into api_request (organization_id, created_at, id, method, route, path, status, duration_ms, actor_type, actor_id)
        select held.id, r.* from held, unnest(
          ${column('createdAt').map((time) => time.toISOString())}::timestamptz[], ${column('id')}::uuid[], ${column('method')}::text[],
          ${column('route')}::text[], ${column('path')}::text[], ${column('status')}::smallint[], ${column('durationMs')}::real[],
          ${column('actorType')}::text[], ${column('actorId')}::uuid[]
        ) as r
        on conflict do nothing returning created_at
      )
      select max(created_at) as last, (select max(created_at) from api_request) as before from kept`.execute(trx)
    for (const { before, last } of rows) if (last !== null) await enqueueExpiry(ctx, trx, { before, last })
  })
}
