import { wireId, type Base } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import type { BaseTable, ReindexTable, Transaction } from '../../db/schema.ts'
import { languageWarnings, type LanguageModel } from './language-warnings.ts'
import { storedSettings } from './settings.ts'

/** Selects knowledge bases with the statistics of their sources and with the re-index that is building or ready; a base has at most one. */
export function withStats(trx: Transaction) {
  return trx
    .selectFrom('base')
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('source')
          .select(({ fn }) => [
            fn.countAll<number>().as('sources'),
            fn.countAll<number>().filterWhere('source.status', '=', 'processing').as('processing'),
            fn.countAll<number>().filterWhere('source.status', '=', 'failed').as('failed'),
            sql<number>`coalesce(sum(coalesce(source.bytes, source.page_bytes)), 0)::bigint`.as('bytes'),
            fn.coalesce(fn.sum<number>('source.chunks_count'), sql<number>`0`).as('chunks'),
            fn.max('source.updated_at').as('last_updated_at'),
            sql<
              string[] | null
            >`array_agg(distinct source.language) filter (where source.language is not null and source.live_generation is not null)`.as(
              'languages',
            ),
          ])
          .whereRef('source.organization_id', '=', 'base.organization_id')
          .whereRef('source.base_id', '=', 'base.id')
          .as('stats'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('reindex')
          .leftJoin('reindex_source', (join) =>
            join
              .onRef('reindex_source.organization_id', '=', 'reindex.organization_id')
              .onRef('reindex_source.reindex_id', '=', 'reindex.id'),
          )
          .select(({ fn }) => [
            'reindex.id as reindex_id',
            'reindex.status as reindex_status',
            fn.count<number>('reindex_source.source_id').as('reindex_sources'),
            fn.countAll<number>().filterWhere('reindex_source.status', '=', 'done').as('reindex_done'),
            fn.countAll<number>().filterWhere('reindex_source.status', '=', 'failed').as('reindex_failed'),
            fn.coalesce(fn.sum<number>('reindex_source.chunks'), sql<number>`0`).as('reindex_chunks'),
          ])
          .whereRef('reindex.organization_id', '=', 'base.organization_id')
          .whereRef('reindex.base_id', '=', 'base.id')
          .where('reindex.status', 'in', ['building', 'ready'])
          .groupBy(['reindex.id', 'reindex.status'])
          .as('reindexing'),
      (join) => join.onTrue(),
    )
    .selectAll('base')
    .select([
      'stats.sources',
      'stats.processing',
      'stats.failed',
      'stats.chunks',
      'stats.bytes',
      'stats.last_updated_at',
      'stats.languages',
    ])
    .select(['reindex_id', 'reindex_status', 'reindex_sources', 'reindex_done', 'reindex_failed', 'reindex_chunks'])
}

interface BaseRow extends Selectable<BaseTable> {
  sources: number | null
  processing: number | null
  failed: number | null
  chunks: number | null
  bytes: number | null
  last_updated_at: Date | null
  languages: string[] | null
  reindex_id: string | null
  reindex_status: ReindexTable['status'] | null
  reindex_sources: number | null
  reindex_done: number | null
  reindex_failed: number | null
  reindex_chunks: number | null
}

/** Converts a row to the public record. `embedder` is the model of today's searches. */
export function toBase(row: BaseRow, embedder: LanguageModel): Base {
  const changes = [row.updated_at, row.last_updated_at, row.sources_removed_at].map((time) => time?.getTime() ?? 0)
  return {
    id: wireId('kb', row.id),
    name: row.name,
    description: row.description,
    starred: row.starred,
    ragSettings: storedSettings(row.rag_settings),
    language: row.language,
    retrievalLog: { enabled: row.log_retrievals, days: row.retrieval_days },
    reindexing: reindexingOf(row),
    warnings: (row.languages ?? []).flatMap((language) => languageWarnings(embedder, language)),
    stats: {
      sources: row.sources ?? 0,
      processing: row.processing ?? 0,
      failed: row.failed ?? 0,
      chunks: row.chunks ?? 0,
      bytes: row.bytes ?? 0,
      lastUpdatedAt: new Date(Math.max(...changes)).toISOString(),
    },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

function reindexingOf(row: BaseRow): Base['reindexing'] {
  const status = row.reindex_status
  if (row.reindex_id === null || (status !== 'building' && status !== 'ready')) return null
  return {
    id: wireId('rix', row.reindex_id),
    status,
    progress: {
      sources: row.reindex_sources ?? 0,
      done: row.reindex_done ?? 0,
      failed: row.reindex_failed ?? 0,
      chunks: row.reindex_chunks ?? 0,
    },
  }
}
