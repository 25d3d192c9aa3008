import type { ImportRow, RowFault } from './apply.ts'
import { externalIdKey, fieldOf, keysInRow, type MatchField } from './match-key.ts'
import { identityInRow, type Identity, type SamePeople } from './same-person.ts'

interface EarlierRow extends Identity {
  readonly number: number
}

/** Finds the rows of a file about a person whom an earlier row is about. */
export interface RepeatedRows {
  /** Takes the next rows of the file. */
  separate(rows: readonly ImportRow[], samePeople: SamePeople): Promise<{ first: ImportRow[]; repeated: RowFault[] }>
}

export function repeatedRows(matchOn: MatchField | undefined): RepeatedRows {
  const firstWith = new Map<string, EarlierRow>()
  /** Further rows with a key, such as those of colleagues with one number. */
  const othersWith = new Map<string, EarlierRow[]>()
  const rowsWith = (key: string): EarlierRow[] => {
    const first = firstWith.get(key)
    return first === undefined ? [] : [first, ...(othersWith.get(key) ?? [])]
  }
  const remember = ({ number, values, keys }: ImportRow): void => {
    const row = { number, ...identityInRow(values) }
    for (const key of keysInRow(values, keys)) {
      const others = othersWith.get(key)
      if (!firstWith.has(key)) firstWith.set(key, row)
      else if (others === undefined) othersWith.set(key, [row])
      else others.push(row)
    }
  }
  const faultOf = async ({ number, values, keys }: ImportRow, samePeople: SamePeople): Promise<RowFault | undefined> => {
    const checked = matchOn === undefined ? keys : [...keys, ...externalIdKey(values)]
    for (const key of checked) {
      const [earlier] = await samePeople(key, identityInRow(values), rowsWith(key.text))
      if (earlier !== undefined) return { number, field: fieldOf(key), message: `row ${earlier.number} has the same ${key.field}` }
    }
    return undefined
  }
  return {
    async separate(rows, samePeople) {
      const first: ImportRow[] = []
      const repeated: RowFault[] = []
      for (const row of rows) {
        const fault = await faultOf(row, samePeople)
        if (fault === undefined) {
          remember(row)
          first.push(row)
        } else repeated.push(fault)
      }
      return { first, repeated }
    },
  }
}
