import { lowerTag } from '@groundwork/api'

/** Returns the tags with those of the added ones that they do not have in any case. */
export function unionOfTags(tags: readonly string[], added: readonly string[]): string[] {
  const known = new Set(tags.map(lowerTag))
  return [...tags, ...added.filter((tag) => !known.has(lowerTag(tag)) && known.add(lowerTag(tag)))]
}
