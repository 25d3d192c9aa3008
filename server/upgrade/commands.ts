import { resolve } from 'node:path'
import { localBackupFile } from '../backup/backup-file.ts'
import { progressLines } from '../backup/progress.ts'
import type { OwnerQuery } from '../db/owner-query.ts'
import { formatByteSize } from '../lib/byte-size.ts'
import { UsageError } from '../lib/usage-error.ts'
import { blockedBy, type TableEffect } from './effects.ts'
import type { ObservedMigration } from './observe.ts'
import { appliedMigrations } from '../db/applied-migrations.ts'
import { planMigrations, tableSizes, type TableSize } from './plan.ts'
import { rehearse } from './rehearse.ts'

export const upgradeUsage = `upgrade --check: shows which migrations the start of this version would run, with their locks and the sizes of the tables. Changes
nothing. A program of the former version may be running.

  --json               print {"migrations"}

upgrade --rehearse FILE: restores a backup into a temporary embedded database, runs the migrations there and measures each.

  --json               print {"createdAt", "migrations"}
`

export interface UpgradeOptions {
  readonly check: boolean
  readonly rehearse?: string | undefined
  readonly json: boolean
}

/**
 * Runs `upgrade --check` or `upgrade --rehearse FILE`.
 * @param withDatabase calls its argument with the database as it is
 */
export async function runUpgradeCommand(
  words: readonly string[],
  options: UpgradeOptions,
  withDatabase: <T>(use: (query: OwnerQuery) => Promise<T>) => Promise<T>,
): Promise<void> {
  if (words.length > 1 || options.check === (options.rehearse !== undefined))
    throw new UsageError(
      `upgrade needs either --check or --rehearse FILE. The start of the program runs the migrations.\n\n${upgradeUsage}`,
    )
  const print = (value: object, text: string): void => void process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : `${text}\n`)
  if (options.rehearse !== undefined) {
    const { createdAt, migrations, sizes } = await rehearse(
      localBackupFile(resolve(options.rehearse)),
      progressLines((line) => process.stderr.write(line)),
    )
    const shown = migrations.map((migration) => ({ ...shownMigration(migration, sizes), durationMs: Math.round(migration.durationMs) }))
    const lines = shown.map((migration) => linesOf(migration, `  ${migration.durationMs} ms`))
    return print({ createdAt, migrations: shown }, [`The backup of ${createdAt}: ${countOf(shown.length)}`, ...lines].join('\n'))
  }
  const { applied, sizes } = await withDatabase(async (query) => ({
    applied: await appliedMigrations(query),
    sizes: await tableSizes(query),
  }))
  const shown = (await planMigrations(applied)).map((migration) => shownMigration(migration, sizes))
  print({ migrations: shown }, [countOf(shown.length), ...shown.map((migration) => linesOf(migration, ''))].join('\n'))
}

const countOf = (count: number): string => (count === 0 ? 'No migrations to run.' : `${count} migrations to run:`)

interface ShownTable extends TableEffect, TableSize {
  /** What programs that serve wait for, beyond the lock; null for nothing. */
  readonly blocks: string | null
}

interface ShownMigration extends Pick<ObservedMigration, 'name' | 'mode'> {
  readonly tables: readonly ShownTable[]
}

function shownMigration({ name, mode, effects }: ObservedMigration, sizes: ReadonlyMap<string, TableSize>): ShownMigration {
  const tables = effects.map((effect) => ({
    ...effect,
    ...(sizes.get(effect.table) ?? { rows: null, bytes: 0 }),
    blocks: blockedBy(effect),
  }))
  return { name, mode, tables }
}

const modes = {
  transaction: '',
  statements: '  each statement alone',
  batches: '  in batches',
  organizations: '  each organization alone',
} as const

function linesOf({ name, mode, tables }: ShownMigration, suffix: string): string {
  const lines = tables.map(({ table, lock, rows, bytes, blocks }) => {
    const size = `${rows === null ? 'unknown' : Math.round(rows)} rows, ${formatByteSize(bytes)}`
    return `  ${table}  ${lock}  ${size}${blocks === null ? '' : `  ${blocks}`}`
  })
  return [`${name}${modes[mode]}${suffix}`, ...lines].join('\n')
}
