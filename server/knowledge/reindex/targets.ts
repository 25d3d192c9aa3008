import { RagSettingsOverride } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { chunkingOf, indexConfig, mergeSettings } from '../rows/settings.ts'
import type { ChunkingSettings } from '../chunk/chunk.ts'
import type { Embedder } from '../embed/embedder.ts'
import { settingsOf, type ReindexRow } from './rows.ts'

/** Returns the chunking settings of a source in the re-index, including its own, and the index configuration. */
export function targetOf(
  embedder: Pick<Embedder, 'model' | 'dimensions'>,
  reindex: Pick<ReindexRow, 'settings_after'>,
  source: Pick<Selectable<SourceTable>, 'rag_settings_override'>,
): { chunking: ChunkingSettings; indexConfig: string } {
  const { embeddingModels: _models, ...chosen } = settingsOf(reindex.settings_after)
  const override = RagSettingsOverride.parse(source.rag_settings_override ?? {})
  const chunking = chunkingOf(mergeSettings(mergeSettings(null, chosen, ''), override, 'ragSettingsOverride'))
  return { chunking, indexConfig: indexConfig(embedder, chunking) }
}

export interface Measure {
  readonly chunks: number
  readonly tokens: number
}

/** Returns the number of chunks of a generation and the sum of their tokens. */
export async function measure(trx: Transaction, generation: number): Promise<Measure> {
  const { rows } = await sql<Measure>`
    select count(*)::integer as chunks, coalesce(sum(tokens), 0)::bigint as tokens from chunk
    where organization_id = (select app_organization()) and generation = ${generation}::bigint`.execute(trx)
  return rows[0] ?? { chunks: 0, tokens: 0 }
}
