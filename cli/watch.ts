import { SourceFailedError, type Source } from '@groundwork/sdk'
import { progressBar, timeLeft } from './board.ts'
import type { Session } from './command.ts'
import { failureRecord, failureText } from './failure.ts'
import { printable } from './output.ts'

/** A task that results in a source. */
export interface Task {
  name: string
  run: (report: (stage: string, detail: string) => void) => Promise<Source>
}

/** Number of concurrent tasks; each is polled about once a second. */
const maxTasks = 20

/**
 * Runs tasks concurrently and reports their progress and outcome; a failed task does not stop the others.
 * @returns whether one has failed
 */
export async function runTasks({ output, signal }: Session, tasks: readonly Task[]): Promise<boolean> {
  const board = output.board()
  const waiting = [...tasks]
  let failed = false
  const settle = async (task: Task, record: object, line: string): Promise<void> => {
    board.settle(task, line)
    if (output.json) await output.record(record, line)
  }
  const runOne = async (task: Task): Promise<void> => {
    const label = printable(task.name)
    try {
      const source = await task.run((stage, detail) => board.update(task, label, stage, detail))
      // A failed sync leaves the source searchable as it was.
      if (source.status === 'completed' && source.error !== null) throw new SourceFailedError(source)
      const passages = source.status === 'completed' ? `, ${source.chunksCount} chunks` : ''
      await settle(task, source, `${output.paint.green('✓')} ${label}  ${source.status}${passages}  ${output.paint.dim(source.id)}`)
    } catch (error) {
      if (signal.aborted) throw error
      failed = true
      const record = error instanceof SourceFailedError ? error.source : { name: task.name, ...failureRecord(error) }
      await settle(task, record, `${output.paint.red('✗')} ${label}  failed: ${printable(reasonOf(error))}`)
    }
  }
  const work = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await runOne(task)
  }
  await Promise.all(Array.from({ length: maxTasks }, work)).catch((error: unknown) => {
    if (signal.aborted) output.note('interrupted; added sources are still processed')
    throw error
  })
  return failed
}

const reasonOf = (error: unknown): string =>
  error instanceof SourceFailedError ? `${error.message} [${error.code}, ${error.source.id}]` : failureText(error)

const patienceMs = 7 * 86_400_000

/** Waits until a source is processed, without a time limit. */
export function waitFor(
  { client, output, signal }: Session,
  baseId: string,
  sourceId: string,
  report: (stage: string, detail: string) => void,
): Promise<Source> {
  const onProgress = ({ status, stage, progress }: Source): void => {
    if (status !== 'processing') return
    report(stage, progressBar(progress.done, progress.total, progress.unit) + timeLeft(progress.remainingSeconds))
  }
  return client.bases.sources.waitUntilProcessed(baseId, sourceId, { timeoutMs: patienceMs, signal, ...(!output.json && { onProgress }) })
}
