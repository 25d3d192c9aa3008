import type { Edit } from './save-field.ts'

/** Merges two edits of tags: keeps the tags that either side added and drops those that either side removed. */
export const mergeTags = (theirs: string[], { base, value }: Edit<'tags'>): string[] => [
  ...new Set([...theirs.filter((tag) => value.includes(tag) || !base.includes(tag)), ...value.filter((tag) => !base.includes(tag))]),
]
