import type { SearchFilter } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'

/** A filter as an SQL/JSON path that is true or false of `{"m": metadata, "t": its moments}`, and the values it names. */
export interface FilterPath {
  readonly path: string
  readonly values: Readonly<Record<string, unknown>>
  /** Whether it asks for moments. */
  readonly ofMoments: boolean
}

/**
 * Every condition is an `exists` over values that fit: it is false for a missing key and for a value of another kind, where a
 * bare comparison would be unknown, and so would be its negation.
 */
export function filterPath(filter: SearchFilter): FilterPath {
  const values: Record<string, unknown> = {}
  let ofMoments = false
  const named = (value: unknown): string => {
    const name = `v${Object.keys(values).length}`
    values[name] = value
    return `$${name}`
  }
  const bounded = (key: string, operator: string, bound: string | number): string => {
    if (typeof bound === 'number') return `exists($.m.${key} ? (@ ${operator} ${named(bound)}))`
    ofMoments = true
    return `exists($.t.${key} ? (@ ${operator} ${named(Date.parse(bound))}))`
  }
  const written = ({ and, or, not, key, ...compared }: SearchFilter): string => {
    if (and !== undefined) return `(${and.map(written).join(' && ')})`
    if (or !== undefined) return `(${or.map(written).join(' || ')})`
    if (not !== undefined) return `!(${written(not)})`
    const at = JSON.stringify(key)
    const conditions: string[] = []
    if (compared.exists !== undefined) conditions.push(`${compared.exists ? '' : '!'}(exists($.m.${at}))`)
    if (compared.eq !== undefined) conditions.push(`exists($.m.${at} ? (@ == ${named(compared.eq)}))`)
    if (compared.in !== undefined) conditions.push(`exists($.m.${at} ? (@ == ${named(compared.in)}[*]))`)
    for (const [name, operator] of ranges) {
      const bound = compared[name]
      if (bound !== undefined) conditions.push(bounded(at, operator, bound))
    }
    return `(${conditions.join(' && ')})`
  }
  const path = written(filter)
  return { path, values, ofMoments }
}

const ranges = [
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
] as const

/** Whether the metadata of source `s` is as the filter wants it. The text of the statement is the same for every filter. */
export function matches(filter: SearchFilter): RawBuilder<boolean> {
  const { path, values, ofMoments } = filterPath(filter)
  const moments = ofMoments ? sql`moments_of(s.metadata)` : sql`null::jsonb`
  return sql`jsonb_path_match(jsonb_build_object('m', s.metadata, 't', ${moments}), ${path}::jsonpath, ${JSON.stringify(values)}::jsonb, true) is true`
}
