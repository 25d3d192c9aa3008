/**
 * Returns canonical JSON (RFC 8785): names in the order of their UTF-16 code units, no white space, and numbers and texts as
 * ECMAScript writes them. Leaves out properties that are undefined, as `JSON.stringify` does.
 * @throws Error if the value has a text with a lone surrogate, a number that is not finite, or another type than JSON's
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, part]) => `${canonicalJson(name)}:${canonicalJson(part)}`).join(',')}}`
  }
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) throw new Error('canonical JSON has no lone surrogates')
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`canonical JSON has no number ${value}`)
  if (value !== null && !['string', 'number', 'boolean'].includes(typeof value)) throw new Error(`JSON has no type ${typeof value}`)
  return JSON.stringify(value)
}
