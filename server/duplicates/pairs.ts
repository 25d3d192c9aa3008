import { maxDuplicateCount, wireId, type AuditAction, type DuplicateCount, type IdPrefix } from '@groundwork/api'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import { audit } from '../audit/audit.ts'
import { requirePerson } from '../contacts/agent-writes.ts'
import { select, withTransaction, type Context } from '../context.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { ContactDuplicateTable, Transaction } from '../db/schema.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'

type PairRow = Selectable<ContactDuplicateTable>
type Table = 'contact' | 'company'

interface Identified {
  readonly id: string
  readonly created_at: Date
}

/** How pairs of one kind of records are read and returned. */
export interface PairKind<Row extends Identified, Pair> {
  readonly table: Table
  readonly prefix: IdPrefix
  readonly dismissed: AuditAction
  readonly notFound: string
  /** SQL for the id of a record, or of the one into which it was merged. */
  readonly presentId: (id: string) => RawBuilder<string>
  /** Returns the records that are not deleted. */
  readonly read: (trx: Transaction, ids: readonly string[]) => Promise<Row[]>
  /** @param records the older one first */
  readonly toPair: (pair: ReturnType<typeof toPair>, records: readonly Row[], row: PairRow) => Pair
}

interface Conditions {
  readonly recordId: string | undefined
  readonly minConfidence: number
  readonly status: 'open' | 'dismissed'
}

/**
 * Lists pairs, newest first.
 * @throws AppError `bad_request`, field `cursor`
 */
export function listPairs<Row extends Identified, Pair>(
  ctx: Context,
  kind: PairKind<Row, Pair>,
  { limit, cursor, ...conditions }: Conditions & { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ data: Pair[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    const query = pairsThatMeet(trx, kind, conditions).selectAll()
    const found = await newestFirst(query, pairTable(kind.table), { limit, cursor }).execute()
    const { rows, nextCursor } = pageOf(found, limit)
    return { data: await withRecords(trx, kind, rows), nextCursor }
  })
}

/** Counts the pairs that the list has, up to a maximum. */
export async function countPairs(
  ctx: Context,
  kind: Pick<PairKind<never, never>, 'table' | 'presentId'>,
  conditions: Conditions,
): Promise<DuplicateCount> {
  const rows = await select(ctx, (db) =>
    db
      .selectFrom(
        pairsThatMeet(db, kind, conditions)
          .select('id')
          .limit(maxDuplicateCount + 1)
          .as('pair'),
      )
      .select(({ fn }) => fn.countAll<number>().as('count')),
  )
  const count = rows[0]?.count ?? 0
  return { count: Math.min(count, maxDuplicateCount), hasMore: count > maxDuplicateCount }
}

/**
 * Remembers that the records of a pair are not the same. Idempotent.
 * @throws AppError `not_found`; `forbidden` for an agent
 */
export function dismissPair<Row extends Identified, Pair>(ctx: Context, kind: PairKind<Row, Pair>, id: string): Promise<Pair> {
  requirePerson(ctx)
  return withTransaction(ctx, async (trx) => {
    const dismissed = await trx
      .updateTable(pairTable(kind.table))
      .set({ status: 'dismissed', dismissed_at: ctx.now() })
      .where('id', '=', id)
      .where('status', '=', 'open')
      .returning('id')
      .execute()
    const [pair] = await withRecords(trx, kind, await presentPairs(trx, kind.table).selectAll().where('id', '=', id).execute())
    if (pair === undefined) throw new AppError('not_found', kind.notFound)
    if (dismissed.length > 0) await audit(ctx, trx, { action: kind.dismissed, target: wireId(kind.prefix, id) })
    return pair
  })
}

/** Remembers that two records are not the same. */
export async function rememberDifferent(ctx: Context, trx: Transaction, table: Table, ids: readonly [string, string]): Promise<void> {
  const [firstId, secondId] = ids.toSorted()
  const now = ctx.now()
  await sql`
    insert into ${sql.table(pairTable(table))} as pair
      (organization_id, id, first_id, second_id, confidence, reasons, status, created_at, dismissed_at)
    values (${ctx.organizationId}::uuid, ${newId(now.getTime())}::uuid, ${firstId}::uuid, ${secondId}::uuid, 0, '{}', 'dismissed',
      ${now}::timestamptz, ${now}::timestamptz)
    on conflict (organization_id, first_id, second_id) do update set status = 'dismissed', dismissed_at = excluded.dismissed_at
    where pair.status = 'open'`.execute(trx)
}

/** Remembers what was dismissed for a record for the one that has its values now. */
export async function moveDismissedPairs(
  ctx: Context,
  trx: Transaction,
  table: Table,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select case first_id when ${from}::uuid then second_id else first_id end as id from ${sql.table(pairTable(table))}
    where ${from}::uuid in (first_id, second_id) and status = 'dismissed'`.execute(trx)
  for (const { id } of rows) if (id !== to) await rememberDifferent(ctx, trx, table, [id, to])
}

/** Both tables have the same columns. Only the reasons have other values. */
const pairTable = (table: Table) => `${table}_duplicate` as 'contact_duplicate'

function pairsThatMeet(
  trx: Transaction,
  { table, presentId }: Pick<PairKind<never, never>, 'table' | 'presentId'>,
  { recordId, minConfidence, status }: Conditions,
) {
  const query = presentPairs(trx, table)
    .where('status', '=', status)
    // Stored with single precision.
    .where(sql<boolean>`confidence >= ${minConfidence}::real`)
  return recordId === undefined ? query : query.where(sql<boolean>`${presentId(recordId)} in (first_id, second_id)`)
}

/** Selects the pairs of records that are not deleted. A deleted record can still have some until it is compared again. */
const presentPairs = (trx: Transaction, table: Table) =>
  trx.selectFrom(pairTable(table)).where(
    sql<boolean>`not exists (select from ${sql.table(table)} as record
        where record.id in (first_id, second_id) and record.deleted_at is not null)`,
  )

async function withRecords<Row extends Identified, Pair>(
  trx: Transaction,
  { prefix, read, toPair: finish }: PairKind<Row, Pair>,
  rows: readonly PairRow[],
): Promise<Pair[]> {
  const records = await read(trx, [...new Set(rows.flatMap(({ first_id, second_id }) => [first_id, second_id]))])
  const byId = new Map(records.map((row) => [row.id, row]))
  return rows.flatMap((row) => {
    const [first, second] = [byId.get(row.first_id), byId.get(row.second_id)]
    if (first === undefined || second === undefined) return []
    const both = [first, second].toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime())
    return [finish(toPair(prefix, row), both, row)]
  })
}

const toPair = (prefix: IdPrefix, row: PairRow) => ({
  id: wireId(prefix, row.id),
  confidence: Number(row.confidence.toFixed(2)),
  status: row.status,
  createdAt: row.created_at.toISOString(),
  dismissedAt: row.dismissed_at?.toISOString() ?? null,
})
