import { setTimeout } from 'node:timers/promises'
import type { OwnerQuery } from '../db/owner-query.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import { sealedColumns, type SealedColumn } from './sealed-columns.ts'
import { secretKeyCheck } from './secret-key.ts'

export interface ColumnCount {
  readonly name: string
  readonly values: number
  /** Values that only the previous key decrypts. */
  readonly former: number
  /** Values that were encrypted again. */
  readonly resealed: number
  /** Values that no accepted key decrypts. */
  readonly unreadable: number
}

export interface RotationOptions {
  readonly query: OwnerQuery
  readonly keys: SecretKeys
  readonly progress: (count: ColumnCount) => void
}

/** Few enough that a statement of a batch takes the embedded engine milliseconds. */
const batchSize = 200
const pauseMs = 50

/** Counts the values and the keys that they need. Changes nothing. */
export async function countSealed(options: RotationOptions): Promise<readonly ColumnCount[]> {
  const counts: ColumnCount[] = []
  for (const column of sealedColumns) counts.push(await pass(column, options, false))
  return counts
}

/**
 * Encrypts all values under the current key again that need the previous one, beside running programs that accept both. A value
 * that a program changes or locks meanwhile is left to the next pass, so neither waits for the other. It can be stopped at any time
 * and run again. Afterwards, no value needs the previous key, and programs start without it.
 */
export async function rotateSecretKey(options: RotationOptions): Promise<readonly ColumnCount[]> {
  const { query, keys } = options
  if (keys.previous === null) throw new Error('SECRET_KEY_PREVIOUS: is not set. Set it to the key before SECRET_KEY.')
  const counts: ColumnCount[] = []
  for (const column of sealedColumns) {
    let count = await pass(column, options, true)
    let resealed = count.resealed
    while (count.former > 0) {
      if (count.resealed === 0) await setTimeout(pauseMs)
      count = await pass(column, options, true)
      resealed += count.resealed
    }
    counts.push({ ...count, resealed })
  }
  await query(
    `update installation.identity set former_secret_key_check = null where secret_key_check = $1 and former_secret_key_check = $2`,
    [secretKeyCheck(keys.current), secretKeyCheck(keys.previous)],
  )
  return counts
}

interface Row {
  readonly id: string[]
  readonly value: Buffer | string
}

/** Reads all values of a column once, in the order of their keys. */
async function pass(column: SealedColumn, { query, keys, progress }: RotationOptions, writes: boolean): Promise<ColumnCount> {
  let count: ColumnCount = { name: column.name, values: 0, former: 0, resealed: 0, unreadable: 0 }
  let rows = await readBatch(query, column, null)
  while (rows.length > 0) {
    const found = await Promise.all(rows.map(async (row) => ({ row, next: await nextOf(column, row, keys) })))
    const former = found.flatMap(({ row, next }) => (next === null || next === 'unreadable' ? [] : [{ ...row, next: next.value }]))
    count = {
      ...count,
      values: count.values + rows.length,
      former: count.former + former.length,
      resealed: count.resealed + (writes && former.length > 0 ? await writeBatch(query, column, former) : 0),
      unreadable: count.unreadable + found.filter(({ next }) => next === 'unreadable').length,
    }
    progress(count)
    rows = await readBatch(query, column, rows.at(-1)?.id ?? null)
  }
  return count
}

type Next = { readonly value: Buffer | string } | null | 'unreadable'

async function nextOf(column: SealedColumn, { id, value }: Row, keys: SecretKeys): Promise<Next> {
  try {
    const next = await column.reseal(value, id, keys)
    return next === null ? null : { value: next }
  } catch {
    // The doctor names it.
    return 'unreadable'
  }
}

/** Returns the values after a row. An erased stored response is empty. */
function readBatch(query: OwnerQuery, { table, key, column }: SealedColumn, after: readonly string[] | null): Promise<Row[]> {
  const columns = key.map((each) => each.column).join(', ')
  const following = key.map(({ type }, at) => `$${at + 1}::${type}`).join(', ')
  return query<Row>(
    `select array[${key.map((each) => `${each.column}::text`).join(', ')}] as id, ${column} as value from ${table}
     where ${column} is not null and length(${column}) > 0 ${after === null ? '' : `and (${columns}) > (${following})`}
     order by ${columns} limit ${batchSize}`,
    [...(after ?? [])],
  )
}

/** Stores the values whose rows are not locked and have not changed since they were read. Returns how many. */
async function writeBatch(
  query: OwnerQuery,
  { table, key, column, type }: SealedColumn,
  rows: readonly (Row & { readonly next: Buffer | string })[],
): Promise<number> {
  const [former, next] = [key.length + 1, key.length + 2]
  const lists = key.map((each, at) => `$${at + 1}::${each.type}[]`)
  const names = key.map((each) => each.column).join(', ')
  const joined = (left: string, right: string): string =>
    key.map((each) => `${left}.${each.column} = ${right}.${each.column}`).join(' and ')
  const written = await query(
    `with given as (select * from unnest(${lists.join(', ')}, $${former}::${type}[], $${next}::${type}[]) as v (${names}, sealed_before, sealed_now)),
     free as materialized (
       select ${key.map((each) => `stored.${each.column}`).join(', ')}, given.sealed_now from ${table} stored
       join given on ${joined('stored', 'given')} and stored.${column} = given.sealed_before
       for no key update of stored skip locked
     )
     update ${table} stored set ${column} = free.sealed_now from free where ${joined('stored', 'free')} returning 1`,
    [...key.map((_, at) => rows.map(({ id }) => id[at])), rows.map(({ value }) => value), rows.map((row) => row.next)],
  )
  return written.length
}
