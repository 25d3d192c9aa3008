/** @throws Error if the text is not a key: `<organization>/<kind>/<name>` of letters, digits, dots and dashes */
export function checkedKey(key: string): string {
  if (!/^[\w-]+(\/[\w.-]+)+$/.test(key) || key.includes('..')) throw new Error(`invalid storage key: ${key}`)
  return key
}
