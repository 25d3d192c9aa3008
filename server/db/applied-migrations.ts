import { setTimeout } from 'node:timers/promises'
import { readMigrations } from './migrate.ts'
import type { OwnerQuery } from './owner-query.ts'

const pauseMs = 500

/**
 * Waits until all migrations of this version have run. For the command line, which reaches an embedded database through a running program:
 * the program may be starting for the first time.
 * @throws Error if some have not run within `limitMs`, such as those of another version
 */
export async function waitForMigrations(query: OwnerQuery, limitMs = 120_000): Promise<void> {
  const known = (await readMigrations()).map(({ name }) => name)
  const end = Date.now() + limitMs
  for (;;) {
    const applied = new Set(await appliedMigrations(query))
    const [missing] = known.filter((name) => !applied.has(name))
    if (missing === undefined) return
    if (Date.now() >= end) {
      throw new Error(
        `The running program is still starting: it has not run the migration ${missing}. Try again later, or restart it with this version.`,
      )
    }
    await setTimeout(pauseMs)
  }
}

/** Returns the names of the migrations that a database has; none for one without tables. */
export async function appliedMigrations(query: OwnerQuery): Promise<string[]> {
  const [found] = await query<{ exists: boolean }>(`select to_regclass('public.migration') is not null as exists`)
  if (found?.exists !== true) return []
  return (await query<{ name: string }>('select name from migration order by name')).map(({ name }) => name)
}
