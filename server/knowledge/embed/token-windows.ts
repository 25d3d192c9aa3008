/**
 * Splits tokens into as few windows as possible, of nearly equal length.
 * @param capacity maximum tokens of a window
 */
export function tokenWindows(ids: readonly number[], capacity: number): number[][] {
  const count = Math.max(1, Math.ceil(ids.length / capacity))
  const cut = (index: number) => Math.round((index * ids.length) / count)
  return Array.from({ length: count }, (_, index) => ids.slice(cut(index), cut(index + 1)))
}
