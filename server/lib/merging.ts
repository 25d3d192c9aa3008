import { isDeepStrictEqual } from 'node:util'
import { AppError } from './errors.ts'

/** Whose value stays: that of the merged record, or that of the survivor even if it has none. */
export type Choice = 'merged' | 'own'
/** By the name of the field, such as `jobTitle` or `customFields.fld_…`. */
export type Choices = Readonly<Record<string, Choice>>

type Fields = Readonly<Record<string, unknown>>

interface Merge {
  readonly otherIds: readonly string[]
  /** For a field, the id of the record whose value stays. */
  readonly fields?: Readonly<Record<string, string>> | undefined
}

/** @throws AppError `validation_error`, field `otherIds` or that of a choice */
export function requireChoices(id: string, { otherIds, fields = {} }: Merge, [one, many]: readonly [string, string]): void {
  if (otherIds.includes(id))
    throw new AppError('validation_error', `otherIds: a ${one} cannot be merged into itself`, { field: 'otherIds' })
  for (const [name, chosen] of Object.entries(fields)) {
    if (chosen === id || otherIds.includes(chosen)) continue
    const field = `fields.${name}`
    throw new AppError('validation_error', `${field} must be the id of one of the merged ${many}`, { field })
  }
}

/**
 * Returns the records that become part of the survivor, without those that are part of it already.
 * @param nameOf names a record that does not exist: `contact ctc_…`
 * @throws AppError `validation_error`, field `otherIds.` and the position
 */
export function othersIn<Row extends { readonly deleted_at: Date | null }>(
  rows: ReadonlyMap<string, Row>,
  { otherIds, mergedIds, nameOf }: { otherIds: readonly string[]; mergedIds: readonly string[]; nameOf: (id: string) => string },
): Row[] {
  const known = new Set(mergedIds)
  return otherIds.flatMap((id, at) => {
    if (known.has(id)) return []
    const row = rows.get(id)
    if (row !== undefined && row.deleted_at === null) return [row]
    const field = `otherIds.${at}`
    throw new AppError('validation_error', `${field}: there is no ${nameOf(id)}`, { field })
  })
}

/** Returns the choices for one of the merged records. A value of a third record is taken when that one is merged. */
export function choicesOf({ fields = {} }: Merge, otherId: string): Choices {
  const chosen = Object.entries(fields).map(([name, id]) => [name, id === otherId ? 'merged' : 'own'] as const)
  return Object.fromEntries(chosen)
}

export function pick<T>(own: T, merged: T, choice: Choice | undefined): T {
  if (choice === 'merged') return merged
  return choice === 'own' ? own : (own ?? merged)
}

interface JoinedList<T> {
  readonly keyOf: (value: T) => string
  readonly max: number
  readonly choice?: Choice | undefined
}

/**
 * Returns the values of both lists, those of the chosen record first, and the values beyond `max`. The first value stays, and those of the
 * survivor stay rather than those of the merged record.
 */
export function joinedLists<T>(
  own: readonly T[],
  merged: readonly T[],
  { keyOf, max, choice }: JoinedList<T>,
): { values: T[]; omitted: T[] } {
  const all = firstOfEach(choice === 'merged' ? [...merged, ...own] : [...own, ...merged], keyOf)
  const kept = new Set(
    firstOfEach([...all.slice(0, 1), ...own, ...merged], keyOf)
      .slice(0, max)
      .map(keyOf),
  )
  const isKept = (value: T): boolean => kept.has(keyOf(value))
  return { values: all.filter(isKept), omitted: all.filter((value) => !isKept(value)) }
}

function firstOfEach<T>(values: readonly T[], keyOf: (value: T) => string): T[] {
  const keys = values.map(keyOf)
  return values.filter((_, at) => keys.indexOf(keys[at] ?? '') === at)
}

export function joinedFields(own: Fields, merged: Fields, choices: Choices): Fields {
  const ids = [...new Set([...Object.keys(own), ...Object.keys(merged)])]
  const chosen = ids.map((id): [string, unknown] => [id, pick(own[id], merged[id], choices[`customFields.${id}`])])
  return Object.fromEntries(chosen.filter(([, value]) => value !== undefined))
}

/** Applies changes from one state of a record to another state of it, and collects the names of the changed fields. */
export function createChanges() {
  const changed: string[] = []
  return {
    changed,

    scalar<T>(field: string, of: T, from: T, to: T): T {
      if (isDeepStrictEqual(from, to)) return of
      changed.push(field)
      return to
    },

    list<T>(field: string, of: readonly T[], from: readonly T[], to: readonly T[]): readonly T[] {
      if (isDeepStrictEqual(from, to)) return of
      changed.push(field)
      // Without other changes, also the order of the list stays as it was changed.
      if (isDeepStrictEqual(of, from)) return to
      const has = (values: readonly T[], value: T): boolean => values.some((each) => isDeepStrictEqual(each, value))
      const left = of.filter((value) => !has(from, value) || has(to, value))
      return [...left, ...to.filter((value) => !has(from, value) && !has(left, value))]
    },

    /** A list whose first entry is the main one: an entry that was made the main one stays, also one that the other record had before. */
    entries<T>(field: string, of: readonly T[], from: readonly T[], to: readonly T[]): readonly T[] {
      const changes = this.list(field, of, from, to)
      const [main] = to
      if (main === undefined || isDeepStrictEqual(main, from[0])) return changes
      return [main, ...changes.filter((value) => !isDeepStrictEqual(value, main))]
    },

    customFields(of: Fields, from: Fields, to: Fields): Fields {
      const ids = new Set([from, to].flatMap((values) => Object.keys(values)))
      const differing = [...ids].filter((id) => !isDeepStrictEqual(from[id], to[id]))
      changed.push(...differing.map((id) => `customFields.${id}`))
      const changes = Object.fromEntries(differing.map((id) => [id, to[id]]))
      return Object.fromEntries(Object.entries({ ...of, ...changes }).filter(([, value]) => value !== undefined))
    },
  }
}

/** The values of a survivor before and after a merge. */
export interface MergeStates<V> {
  readonly before: V
  readonly after: V
}

/**
 * Returns the values of a record as if a merge had not happened: those from before, with all later changes and merges.
 * @param later the later merges into the record in their order, each with its result for other values of the record
 * @param withChanges applies the changes from one state to another one, and names the changed fields
 * @returns also the names of the fields with later changes, and the states of the later merges as they would have been
 */
export function valuesWithout<V, Later extends MergeStates<V> & { readonly combine: (values: V) => V }>(
  merge: MergeStates<V>,
  later: readonly Later[],
  present: V,
  withChanges: (target: V, from: V, to: V) => { values: V; changed: string[] },
): { values: V; changed: string[]; later: Later[] } {
  const changed = new Set<string>()
  let { before: values, after: last } = merge
  const apply = (to: V): void => {
    const result = withChanges(values, last, to)
    values = result.values
    for (const field of result.changed) changed.add(field)
  }
  const renewed = later.map((next) => {
    apply(next.before)
    const before = values
    values = next.combine(values)
    last = next.after
    return { ...next, before, after: values }
  })
  apply(present)
  return { values, changed: [...changed], later: renewed }
}
