import { readMigrations, type MigrateOptions } from '../db/migrate.ts'
import { modeOf, type MigrationMode } from '../db/migration-modes.ts'
import { effectsOf, type TableEffect } from './effects.ts'

type Migrate = (options: MigrateOptions) => Promise<string[]>

/** A migration that ran, with its effects on tables that existed before it. */
export interface ObservedMigration {
  readonly name: string
  readonly mode: MigrationMode
  /** Empty for a migration in steps: each step takes its locks for a short time. */
  readonly effects: readonly TableEffect[]
  readonly durationMs: number
}

/**
 * Runs the migrations that a database does not have, one by one, and observes each.
 * @param applied names of those that it has
 */
export async function observeMigrations(migrate: Migrate, applied: readonly string[], folder?: string): Promise<ObservedMigration[]> {
  const all = await readMigrations(folder)
  const observed: ObservedMigration[] = []
  const only = [...applied]
  for (const migration of all.filter(({ name }) => !applied.includes(name))) {
    let effects: readonly TableEffect[] = []
    only.push(migration.name)
    const begin = performance.now()
    await migrate({
      ...(folder !== undefined && { folder }),
      only,
      observe: async (client, run) => {
        effects = await effectsOf(client, run)
      },
    })
    observed.push({ name: migration.name, mode: modeOf(migration), effects, durationMs: performance.now() - begin })
  }
  return observed
}
