import type { Selectable } from 'kysely'
import type { SourceTable } from '../../db/schema.ts'

/** Shorter stages do not permit an estimate, and their rest rarely takes long. */
const minMs = 2_000

type Progress = Pick<
  Selectable<SourceTable>,
  'status' | 'stage_started_at' | 'updated_at' | 'progress_from' | 'progress_done' | 'progress_total'
>

/** Estimates the remaining seconds of the stage from the progress of the current worker; null without enough progress. */
export function remainingSeconds(row: Progress): number | null {
  if (row.status !== 'processing' || row.stage_started_at === null) return null
  const done = row.progress_done - row.progress_from
  const elapsedMs = row.updated_at.getTime() - row.stage_started_at.getTime()
  if (done <= 0 || elapsedMs < minMs) return null
  return Math.ceil(((row.progress_total - row.progress_done) * elapsedMs) / done / 1000)
}
