import type { Selectable } from 'kysely'
import type { SourceTable } from '../../db/schema.ts'

/** Shorter stages predict little, and their rest seldom takes long. */
const minMs = 2_000

type Progress = Pick<
  Selectable<SourceTable>,
  'status' | 'stage_started_at' | 'updated_at' | 'progress_from' | 'progress_done' | 'progress_total'
>

/** Seconds that the rest of the stage will take at its pace so far, without what an earlier worker did; null as long as there is none to tell by. */
export function remainingSeconds(row: Progress): number | null {
  if (row.status !== 'processing' || row.stage_started_at === null) return null
  const done = row.progress_done - row.progress_from
  const elapsedMs = row.updated_at.getTime() - row.stage_started_at.getTime()
  if (done <= 0 || elapsedMs < minMs) return null
  return Math.ceil(((row.progress_total - row.progress_done) * elapsedMs) / done / 1000)
}
