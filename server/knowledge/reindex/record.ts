import { namedFailures, wireId, type Reindex } from '@groundwork/api'
import { sql } from 'kysely'
import type { Transaction } from '../../db/schema.ts'
import { evaluationOf } from './evaluation.ts'
import { settingsOf, type ReindexRow } from './rows.ts'

/** Converts a row to the public record. */
export async function toReindex(trx: Transaction, row: ReindexRow): Promise<Reindex> {
  const sums = await trx
    .selectFrom('reindex_source')
    .select(({ fn }) => [
      fn.countAll<number>().as('sources'),
      fn.countAll<number>().filterWhere('status', 'in', ['done', 'switched']).as('done'),
      fn.countAll<number>().filterWhere('status', '=', 'failed').as('failed'),
      total('chunks').as('built'),
      sql<number>`coalesce(sum(chunks) filter (where status in ('done', 'switched')), 0)::float8`.as('chunks'),
      total('tokens').as('tokens'),
      total('chunks_before').as('chunksBefore'),
      total('tokens_before').as('tokensBefore'),
    ])
    .where('reindex_id', '=', row.id)
    .executeTakeFirstOrThrow()
  const failures = await trx
    .selectFrom('reindex_source')
    .select(['source_id', 'error_code', 'error'])
    .where('reindex_id', '=', row.id)
    .where('status', '=', 'failed')
    .orderBy('source_id')
    .limit(namedFailures)
    .execute()
  const evaluation = evaluationOf(row)
  return {
    id: wireId('rix', row.id),
    baseId: wireId('kb', row.base_id),
    status: row.status,
    error: row.error,
    switchWhenReady: row.switch_when_ready,
    settings: { before: settingsOf(row.settings_before), after: settingsOf(row.settings_after) },
    progress: { sources: sums.sources, done: sums.done, failed: sums.failed, chunks: sums.built },
    failures: failures.map(({ source_id, error_code, error }) => ({
      sourceId: wireId('src', source_id),
      errorCode: (error_code ?? 'internal') as Reindex['failures'][number]['errorCode'],
      error: error ?? '',
    })),
    comparison: {
      before: measured(sums.chunksBefore, sums.tokensBefore),
      after: measured(sums.chunks, sums.tokens),
      evaluation: evaluation !== null && 'result' in evaluation ? evaluation.result : null,
    },
    rollbackUntil: row.kept_until?.toISOString() ?? null,
    readyAt: row.ready_at?.toISOString() ?? null,
    switchedAt: row.switched_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

const total = (column: 'chunks' | 'tokens' | 'chunks_before' | 'tokens_before') => sql<number>`coalesce(sum(${sql.ref(column)}), 0)::float8`

const measured = (chunks: number, tokens: number) => ({ chunks, meanTokens: chunks === 0 ? null : Math.round((tokens / chunks) * 10) / 10 })
