import type { BulkSession } from '../db/bulk-session.ts'
import { fileColumns, generationColumns } from './exported-columns.ts'

/** Keys of files that an indexing attempt wrote: `fileKey` of documents and pages of sites (`<page>-<generation>.json`). */
const attemptKey = /^([^/]+\/(?:originals|contents|pages)\/[0-9a-f-]{36}-)(\d+)((?:-\d+)?(?:\.json)?)$/

/** The same in SQL: returns the number of the attempt in a key. */
const attemptOf = (column: string): string =>
  `(regexp_match(${column}, '^[^/]+/(?:originals|contents|pages)/[0-9a-f-]{36}-(\\d+)(?:-\\d+)?(?:\\.json)?$'))[1]::bigint`

/** Returns the numbers of all indexing attempts of an organization, ascending. */
export async function readGenerations({ query }: Pick<BulkSession, 'query'>, organizationId: string): Promise<string[]> {
  const of = (table: string, value: string): string => `select ${value} as g from ${table} where organization_id = $1`
  const numbers = Object.entries(generationColumns).flatMap(([table, columns]) => columns.map((column) => of(table, column)))
  const keys = Object.entries(fileColumns).flatMap(([table, columns]) => columns.map((column) => of(table, attemptOf(column))))
  const rows = await query<{ g: string }>(
    `select g::text as g from (${[...numbers, ...keys].join(' union ')}) as found where g is not null order by found.g`,
    [organizationId],
  )
  return rows.map(({ g }) => g)
}

/** Maps numbers of indexing attempts to those of the target. */
export interface GenerationMap {
  /** Returns the new number; undefined for an unknown one. */
  numberOf(generation: string): string | undefined
  /** Returns the key with the new number; undefined for an unknown one. Other keys stay. */
  keyOf(key: string): string | undefined
}

/** Numbers that one statement reserves. */
const batchSize = 10_000

/** Reserves a new number for each one, in the same order. */
export async function reserveGenerations({ query }: Pick<BulkSession, 'query'>, generations: readonly string[]): Promise<GenerationMap> {
  const reserved: bigint[] = []
  while (reserved.length < generations.length) {
    const rows = await query<{ g: string }>(`select nextval('source_generation')::text as g from generate_series(1, $1::integer)`, [
      Math.min(batchSize, generations.length - reserved.length),
    ])
    for (const { g } of rows) reserved.push(BigInt(g))
  }
  const ascending = reserved.toSorted((one, other) => (one < other ? -1 : 1))
  const numbers = new Map(generations.map((generation, at) => [generation, String(ascending[at])]))
  return {
    numberOf: (generation) => numbers.get(generation),
    keyOf(key) {
      const [, before, generation, after] = attemptKey.exec(key) ?? []
      if (generation === undefined) return key
      const number = numbers.get(generation)
      return number === undefined ? undefined : `${before}${number}${after}`
    },
  }
}
