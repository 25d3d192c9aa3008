import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '@groundwork/e2e/program'

/** Runs `fn`, then its registered cleanups in reverse order, even if it failed. */
export async function withEnds(fn: (atEnd: (end: () => Promise<void>) => void) => Promise<void>): Promise<void> {
  const ends: (() => Promise<void>)[] = []
  try {
    await fn((end) => ends.push(end))
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

/**
 * Returns the folder of the evaluation sets.
 * @throws Error if it does not exist
 */
export function evalFolder(): string {
  const folder = join(root, '../shared/eval')
  if (!existsSync(folder)) throw new Error('the evaluation sets are missing; put them next to the repository, in ../shared/eval')
  return folder
}

/** A document or a query of an evaluation set. */
export interface Text {
  _id: string
  title?: string
  text: string
}

export async function readTexts(path: string): Promise<Text[]> {
  const lines = (await readFile(path, 'utf8')).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Text)
}

/** Runs a tool of the evaluation data and returns its output. */
export async function evalTool(name: string, ...options: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(evalFolder(), 'bin', name), ...options], { maxBuffer: 1e8 })
  return stdout
}

/** Calls `fn` for every item, at most `callers` at a time. */
export async function inParallel<T>(items: readonly T[], callers: number, fn: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (const item of queue) await fn(item)
    }),
  )
}

/** Returns the percentile of unsorted measurements; `share` is from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function printTable(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  process.stdout.write(`\n${title}\n\n${line(columns)}${line(columns.map(() => '---'))}${rows.map(line).join('')}`)
}
