/** @throws Error if the text is not a key: `<organization>/<kind>/<name>` of letters, digits, dots and dashes */
export function checkedKey(key: string): string {
  if (!/^[\w-]+(\/[\w.-]+)+$/.test(key) || key.includes('..')) throw new Error(`invalid storage key: ${key}`)
  return key
}

/** The `<kind>` of copies of index files. They can be made again from the database, so backups leave them out. */
export const copiesFolder = 'indexes'
export const isIndexCopy = (key: string): boolean => key.split('/')[1] === copiesFolder
