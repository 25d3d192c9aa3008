/**
 * Returns canonical JSON (RFC 8785): names in the order of their UTF-16 code units, no white space, and numbers and texts as
 * ECMAScript writes them. Leaves out properties that are undefined, as `JSON.stringify` does.
 * @throws Error if the value has a text with a lone surrogate, a number that is not finite, or another type than JSON's
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return textJson(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) return objectJson(value as Readonly<Record<string, unknown>>)
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`canonical JSON has no number ${value}`)
  if (value !== null && typeof value !== 'number' && typeof value !== 'boolean') throw new Error(`JSON has no type ${typeof value}`)
  return String(value)
}

/** Printable ASCII without quotation marks and backslashes: JSON writes it as it is. */
const plain = /^[ !#-[\]-~]*$/

function textJson(text: string): string {
  if (plain.test(text)) return `"${text}"`
  if (/\p{Surrogate}/u.test(text)) throw new Error('canonical JSON has no lone surrogates')
  return JSON.stringify(text)
}

/** Loops, because each page of a proposal contains the hash of its canonical JSON. */
function objectJson(value: Readonly<Record<string, unknown>>): string {
  let text = ''
  for (const name of Object.keys(value).toSorted()) {
    const part = value[name]
    if (part !== undefined) text += `${text === '' ? '' : ','}${textJson(name)}:${canonicalJson(part)}`
  }
  return `{${text}}`
}
