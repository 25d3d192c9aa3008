import { sql } from 'kysely'
import { atomically, type Context } from '../../context.ts'
import type { Turns } from './hosts.ts'

/** Turns by the database's clock: every worker and every source that asks a host takes its turn behind the others. */
export function turnsTable(ctx: Context): Turns {
  return {
    take: (host, gapMs) =>
      atomically(ctx, async (trx) => {
        const { rows } = await sql<{ ms: number }>`select take_turn(${host}, ${gapMs}::float8) as ms`.execute(trx)
        return rows[0]?.ms ?? 0
      }),
    rest: (host, ms) =>
      atomically(ctx, async (trx) => {
        await sql`select rest_host(${host}, ${ms}::float8)`.execute(trx)
      }),
  }
}
