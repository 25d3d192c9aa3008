import { copyNull } from './copy-text.ts'
import { fileColumns, generationColumns, userColumns } from './exported-columns.ts'
import type { GenerationMap } from './generations.ts'

export interface RowMaps {
  readonly organizationId: string
  readonly generations: GenerationMap
  /** Ids of users in the target, by their exported ids. */
  readonly users: ReadonlyMap<string, string>
}

/**
 * Returns a function that changes the values of a row, in the order of the columns: numbers of indexing attempts, keys of files, and
 * ids of users.
 * @throws Error if a row belongs to another organization, or has an unknown number or key
 */
export function rowMapper(table: string, columns: readonly string[], maps: RowMaps): (values: string[]) => string[] {
  const damaged = (detail: string): Error => new Error(`The export is damaged: ${table} has ${detail}.`)
  const known = (value: string | undefined, of: string): string => {
    if (value === undefined) throw damaged(`an unknown indexing attempt: ${of}`)
    return value
  }
  const changes = columns.flatMap((column, at): [at: number, change: (value: string) => string][] => {
    if (generationColumns[table]?.includes(column) === true) return [[at, (value) => known(maps.generations.numberOf(value), value)]]
    if (userColumns[table]?.includes(column) === true) return [[at, (value) => maps.users.get(value) ?? value]]
    if (fileColumns[table]?.includes(column) !== true) return []
    const change = (value: string): string => {
      if (!value.startsWith(`${maps.organizationId}/`)) throw damaged(`the file of another organization: ${value}`)
      return known(maps.generations.keyOf(value), value)
    }
    return [[at, change]]
  })
  const owner = columns.indexOf(table === 'organization' ? 'id' : 'organization_id')
  return (values) => {
    if (values.length !== columns.length) throw damaged(`a row with ${values.length} instead of ${columns.length} columns`)
    if (values[owner] !== maps.organizationId) throw damaged('a row of another organization')
    for (const [at, change] of changes) {
      const value = values[at] ?? copyNull
      if (value !== copyNull) values[at] = change(value)
    }
    return values
  }
}
