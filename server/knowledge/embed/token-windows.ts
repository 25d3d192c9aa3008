/**
 * Cuts a text's tokens into as few windows as fit, of nearly equal length, so that each weighs the same in their mean.
 * Windows share `overlap` tokens with the one before.
 * @param capacity most tokens of a window
 */
export function tokenWindows(ids: readonly number[], capacity: number, overlap = 0): number[][] {
  const count = Math.max(1, Math.ceil((ids.length - overlap) / (capacity - overlap)))
  const step = (ids.length - overlap) / count
  return Array.from({ length: count }, (_, index) => ids.slice(Math.round(index * step), Math.round((index + 1) * step) + overlap))
}
