import { isDeepStrictEqual } from 'node:util'

/**
 * Returns the tags of a cell: a JSON list, or separated by `:::`, as in exports of Google, which marks some with an asterisk, or by comma,
 * semicolon or `|`.
 */
export function tagsOfCell(cell: string): string[] {
  const parts = listOf(cell) ?? cell.split(cell.includes(':::') ? ':::' : /[;,|]/).map((part) => part.replace(/^\s*\*/, ''))
  return parts.map((part) => part.trim()).filter((tag) => tag !== '')
}

/** Returns the first form of a cell that is read as the same tags; null for none. */
export function cellOfTags(tags: readonly string[]): string | null {
  if (tags.length === 0) return null
  const plain = [tags.join('; '), tags.map((tag) => `${tag}:::`).join('')]
  return plain.find((cell) => isDeepStrictEqual(tagsOfCell(cell), tags)) ?? JSON.stringify(tags)
}

function listOf(cell: string): string[] | undefined {
  if (!/^\["[^]*"\]$/.test(cell)) return undefined
  try {
    const list: unknown = JSON.parse(cell)
    return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
