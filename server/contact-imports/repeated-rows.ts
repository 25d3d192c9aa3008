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
  const earlierRows = compactRows()
  /** Indexes of rows. */
  const firstWith = new Map<string, number>()
  /** Further rows with a key, such as those of colleagues with one number. */
  const othersWith = new Map<string, number[]>()
  const rowsWith = (key: string): EarlierRow[] => {
    const first = firstWith.get(key)
    return first === undefined ? [] : [first, ...(othersWith.get(key) ?? [])].map((index) => earlierRows.get(index))
  }
  const remember = ({ number, values, keys }: ImportRow): void => {
    const row = earlierRows.add({ number, ...identityInRow(values) })
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

/** Keeps rows in a third of the memory of objects, and without the part of the file that their texts were cut from. */
function compactRows(): { add(row: EarlierRow): number; get(index: number): EarlierRow } {
  const numbers: number[] = []
  const identities: string[] = []
  return {
    add({ number, externalId, firstName, lastName }) {
      identities.push(JSON.stringify([externalId, firstName, lastName]))
      return numbers.push(number) - 1
    },
    get(index) {
      // Safe cast: `add` has written it.
      const [externalId, firstName, lastName] = JSON.parse(identities[index] ?? '[]') as [string | null, string | null, string | null]
      return { number: numbers[index] ?? 0, externalId, firstName, lastName }
    },
  }
}
