import { lowerTag } from '@groundwork/api'
import { isDeepStrictEqual } from 'node:util'

/** The entries of a list as the history has them: email addresses, phone numbers, tags, or options of a custom field. */
export type Entries = readonly unknown[]

interface Labelled {
  readonly value: string
  readonly label: string | null
  readonly extension?: string | null
}

const isLabelled = (entry: unknown): entry is Labelled => typeof entry === 'object' && entry !== null && 'value' in entry

/** Returns whether two entries of a list mean the same, in whatever format they were sent. */
export function isSameEntry(field: string, a: unknown, b: unknown): boolean {
  if (isLabelled(a) && isLabelled(b)) return a.value === b.value && (a.extension ?? null) === (b.extension ?? null)
  if (field === 'tags') return lowerTag(String(a)) === lowerTag(String(b))
  return isDeepStrictEqual(a, b)
}

export const hasEntry = (field: string, entries: Entries, entry: unknown): boolean =>
  entries.some((each) => isSameEntry(field, each, entry))

/**
 * Returns the entries, those that are known as they are known. A number without an extension means one that has it. They only give a known
 * entry a label if it has none.
 */
export function canonicalEntries(field: string, entries: Entries, known: Entries): unknown[] {
  return entries.map((entry) => {
    const isSameNumber = (each: unknown): boolean =>
      isLabelled(each) && isLabelled(entry) && each.value === entry.value && (entry.extension ?? null) === null
    const same = known.find((each) => isSameEntry(field, each, entry)) ?? known.find(isSameNumber)
    return isLabelled(same) && isLabelled(entry) ? { ...same, label: same.label ?? entry.label } : (same ?? entry)
  })
}

/** Returns those present entries that are given, in their order and as they are given, followed by the other given ones. */
export const joinedWith = (field: string, present: Entries, given: Entries): unknown[] => [
  ...present.flatMap((entry) => given.find((each) => isSameEntry(field, each, entry)) ?? []),
  ...given.filter((entry) => !hasEntry(field, present, entry)),
]

/**
 * Returns a list that a suggestion changes from `former` to `suggested`, with the entries that were added or removed since.
 */
export function withSuggested(field: string, present: Entries, former: Entries, suggested: Entries): unknown[] {
  const isKept = (entry: unknown): boolean => !hasEntry(field, former, entry) || hasEntry(field, present, entry)
  const added = present.filter((entry) => !hasEntry(field, former, entry) && !hasEntry(field, suggested, entry))
  return [...canonicalEntries(field, suggested.filter(isKept), present), ...added]
}
