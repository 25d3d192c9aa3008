import type { Edit } from './save-field.ts'

/** What both sides added is there, what either removed is not. */
export const mergeTags = (theirs: string[], { base, value }: Edit<'tags'>): string[] => [
  ...new Set([...theirs.filter((tag) => value.includes(tag) || !base.includes(tag)), ...value.filter((tag) => !base.includes(tag))]),
]
