import type { SearchFilter } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'

/** A filter as an SQL/JSON path predicate on `{"m": metadata, "t": its timestamps}`, with the values of its variables. */
export interface FilterPath {
  readonly path: string
  readonly values: Readonly<Record<string, unknown>>
  /** Whether it compares timestamps. */
  readonly usesTimestamps: boolean
}

/**
 * Translates a filter. Each condition is an `exists` over matching values, so it is false for a missing key and for a value
 * of another type; a bare comparison would be unknown, and so would its negation.
 */
export function filterPath(filter: SearchFilter): FilterPath {
  const values: Record<string, unknown> = {}
  let usesTimestamps = false
  const variable = (value: unknown): string => {
    const name = `v${Object.keys(values).length}`
    values[name] = value
    return `$${name}`
  }
  const bounded = (key: string, operator: string, bound: string | number): string => {
    if (typeof bound === 'number') return `exists($.m.${key} ? (@ ${operator} ${variable(bound)}))`
    usesTimestamps = true
    return `exists($.t.${key} ? (@ ${operator} ${variable(Date.parse(bound))}))`
  }
  const predicate = ({ and, or, not, key, ...compared }: SearchFilter): string => {
    if (and !== undefined) return `(${and.map(predicate).join(' && ')})`
    if (or !== undefined) return `(${or.map(predicate).join(' || ')})`
    if (not !== undefined) return `!(${predicate(not)})`
    const at = JSON.stringify(key)
    const conditions: string[] = []
    if (compared.exists !== undefined) conditions.push(`${compared.exists ? '' : '!'}(exists($.m.${at}))`)
    if (compared.eq !== undefined) conditions.push(`exists($.m.${at} ? (@ == ${variable(compared.eq)}))`)
    if (compared.in !== undefined) conditions.push(`exists($.m.${at} ? (@ == ${variable(compared.in)}[*]))`)
    for (const [name, operator] of ranges) {
      const bound = compared[name]
      if (bound !== undefined) conditions.push(bounded(at, operator, bound))
    }
    return `(${conditions.join(' && ')})`
  }
  const path = predicate(filter)
  return { path, values, usesTimestamps }
}

const ranges = [
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
] as const

/** Returns the SQL condition that the metadata of source `s` matches the filter. The SQL text is the same for every filter. */
export function matches(filter: SearchFilter): RawBuilder<boolean> {
  const { path, values, usesTimestamps } = filterPath(filter)
  const timestamps = usesTimestamps ? sql`moments_of(s.metadata)` : sql`null::jsonb`
  return sql`jsonb_path_match(jsonb_build_object('m', s.metadata, 't', ${timestamps}), ${path}::jsonpath, ${JSON.stringify(values)}::jsonb, true) is true`
}
