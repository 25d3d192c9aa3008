import { overviewEntries, wireId, type Overview } from '@groundwork/api'
import { sql } from 'kysely'
import { selectSql, type Context } from '../../context.ts'

type FailedSources = NonNullable<Overview['attention']['sources']>
type Failed = FailedSources['data'][number]

/** Returns whether the last attempt failed. A source with earlier content is `completed` nevertheless. */
export const lastAttemptFailed = ({ status, error_code }: { status: string; error_code: string | null }): boolean =>
  status === 'failed' || (status === 'completed' && error_code !== null)

/** Returns the sources of all knowledge bases whose last attempt failed, newest failure first. */
export async function failedSources(ctx: Context): Promise<FailedSources> {
  const rows = await selectSql(
    ctx,
    sql<Omit<Failed, 'updatedAt'> & { updatedAt: Date; count: number }>`
      select source.id, base.id as "baseId", base.name as "baseName", source.name, source.type, status, error_code as "errorCode", error,
        source.updated_at as "updatedAt", count(*) over () as count
      from source join base on base.organization_id = source.organization_id and base.id = source.base_id
      where status = 'failed' or (status = 'completed' and error_code is not null)
      order by source.updated_at desc, source.id desc limit ${overviewEntries}`,
  )
  return {
    count: rows[0]?.count ?? 0,
    data: rows.map((row) => ({
      ...row,
      id: wireId('src', row.id),
      baseId: wireId('kb', row.baseId),
      updatedAt: row.updatedAt.toISOString(),
    })),
  }
}
