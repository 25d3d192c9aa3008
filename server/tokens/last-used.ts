import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Transaction } from '../db/schema.ts'
import type { LoopHealth } from '../lib/loop-health.ts'

interface Use {
  tokenId: string
  at: Date
  address: string
}

export interface TokenUses {
  /** Records a use of the token in memory, without a query. */
  readonly record: (bearer: { organizationId: string; tokenId: string }, address: string) => void
  /** Writes the latest use of each token since the last flush. Failed writes are retried by the next flush. */
  flush(): Promise<void>
  /** Writes the remaining uses. Never rejects; reports errors to `health`. */
  close(): Promise<void>
}

/**
 * Records time and address of each token's last use: in memory first, then in the database every `intervalMs`, or at the end if
 * it is null.
 */
export function recordTokenUses(
  db: Database,
  { now, health, intervalMs = 5000 }: { now: () => Date; health: LoopHealth; intervalMs?: number | null },
): TokenUses {
  let pending = new Map<string, Map<string, Use>>()
  let writing = Promise.resolve()

  async function write(): Promise<void> {
    const batch = pending
    pending = new Map()
    const errors: unknown[] = []
    for (const [organizationId, uses] of batch) {
      try {
        await db.transaction(organizationId, (trx) => writeUses(trx, [...uses.values()]))
      } catch (error) {
        errors.push(error)
        pending.set(organizationId, new Map([...uses, ...(pending.get(organizationId) ?? [])]))
      }
    }
    if (errors.length > 0) throw new Error('the last use of some tokens could not be written', { cause: errors[0] })
  }

  function flush(): Promise<void> {
    const written = writing.then(write)
    // The caller receives the error, and the next flush runs all the same.
    writing = written.catch(() => undefined)
    return written
  }

  const flushAndReport = (): Promise<void> => flush().then(health.succeeded, health.failed)
  const timer = intervalMs === null ? undefined : setInterval(() => void flushAndReport(), intervalMs).unref()
  return {
    record({ organizationId, tokenId }, address) {
      const uses = pending.get(organizationId) ?? new Map<string, Use>()
      pending.set(organizationId, uses.set(tokenId, { tokenId, at: now(), address }))
    },
    flush,
    async close() {
      clearInterval(timer)
      await flushAndReport()
    },
  }
}

/** Locks rows in id order, so that concurrent writers cannot deadlock. */
async function writeUses(trx: Transaction, uses: Use[]): Promise<void> {
  await sql`
    update api_token set last_used_at = used.at, last_used_address = used.address
    from (
      select token.id, used.at, used.address
      from unnest(
        ${uses.map((use) => use.tokenId)}::uuid[], ${uses.map((use) => use.at.toISOString())}::timestamptz[], ${uses.map((use) => use.address)}::text[]
      ) as used (id, at, address)
      join api_token token on token.id = used.id
      where token.last_used_at is null or token.last_used_at < used.at
      order by token.id
      for no key update of token
    ) as used
    where api_token.id = used.id`.execute(trx)
}
