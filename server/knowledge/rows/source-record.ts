import { CrawlSettings, hasPages, Source, wireId } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { SourceTable } from '../../db/schema.ts'
import { storageUrlOf } from '../uploads/upload-row.ts'
import { isLanguageWarning, languageWarnings, type LanguageModel } from './language-warnings.ts'
import { remainingSeconds } from './remaining.ts'

/** Converts a row to the public record. `embedder` is the model of today's searches. */
export function toSource(row: Selectable<SourceTable>, embedder: LanguageModel): Source {
  return Source.parse({
    id: wireId('src', row.id),
    baseId: wireId('kb', row.base_id),
    name: row.name,
    type: row.type,
    ...(row.url !== null && { url: row.url }),
    ...(row.upload_id !== null && { storageUrl: storageUrlOf(row.upload_id) }),
    ...(row.video !== null && { video: row.video }),
    status: row.status,
    stage: row.stage,
    progress: {
      done: row.progress_done,
      total: row.progress_total,
      unit: row.progress_unit,
      reused: row.progress_reused,
      remainingSeconds: remainingSeconds(row),
    },
    chunksCount: row.chunks_count,
    embeddingModel: row.embedding_model,
    embeddingDimensions: row.embedding_dimensions,
    error: row.error,
    errorCode: row.error_code,
    warnings: [
      // Former versions stored the warning of the model that processed the source.
      ...row.warnings.filter((warning) => !isLanguageWarning(warning)),
      ...(row.embedding_model === embedder.model ? languageWarnings(embedder, row.language) : []),
    ],
    ...(row.rag_settings_override !== null && { ragSettingsOverride: row.rag_settings_override }),
    ...(hasPages(row.type) && CrawlSettings.parse(row.crawl ?? {})),
    externalId: row.external_id,
    metadata: row.metadata,
    enabled: row.enabled,
    syncSchedule: row.sync_schedule,
    mediaType: row.media_type,
    contentHash: row.content_hash,
    bytes: row.bytes ?? row.page_bytes,
    pages: row.pages,
    language: row.language,
    title: row.title,
    canonicalUrl: row.canonical_url,
    lastSyncedAt: row.last_synced_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  })
}
