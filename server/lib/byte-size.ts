const units: readonly (readonly [name: string, bytes: number])[] = [
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
]

/**
 * Returns the bytes of a size such as `10GB` or `1.5 TB`. Units are decimal; a number alone means bytes.
 * @throws Error that names the form
 */
export function parseByteSize(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,15}(?:\.\d{1,3})?) ?([kmgt]?b)?$/i.exec(text.trim()) ?? []
  const factor = unit === '' || unit.toLowerCase() === 'b' ? 1 : units.find(([name]) => name.toLowerCase() === unit.toLowerCase())?.[1]
  const bytes = Math.round(Number(amount) * (factor ?? Number.NaN))
  if (!Number.isSafeInteger(bytes)) throw new Error('must be a number of bytes, or one with the unit kB, MB, GB or TB, such as 10GB')
  return bytes
}

/** Returns a size in the largest unit of which there is at least one, with up to one decimal. */
export function formatByteSize(bytes: number): string {
  const [name, factor] = units.find(([, size]) => bytes >= size) ?? ['bytes', 1]
  return `${Math.round((bytes / factor) * 10) / 10} ${name}`
}
