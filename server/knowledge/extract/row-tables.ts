import type { Part } from './draft.ts'
import { documentLimits, tooMuchText } from './limits.ts'
import { isData } from './sheet-regions.ts'
import { markdownTable } from './table.ts'

/** Not a character of XML. */
const separator = '\u0000'

/** Rows without an empty row between them. Each is one string, which takes a fraction of the memory of an array. */
interface Band {
  readonly rows: string[]
  /** The position in a row's string of each column. */
  readonly columns: Map<number, number>
  /** Columns of the first row. */
  readonly header: ReadonlySet<number>
}

interface RowTables {
  /** @param cells by column, with holes @throws SourceError too_large */
  add(row: number, cells: readonly string[]): void
  end(): Part[]
}

/** Collects the rows of a large sheet as tables, which end at empty rows as those of `regionsOf` do. */
export function rowTables(): RowTables {
  const bands: Band[] = []
  let last = -1
  let length = 0
  return {
    add(row, cells) {
      const columns: number[] = []
      cells.forEach((_, column) => void columns.push(column))
      let band = bands.at(-1)
      if (!band || (row !== last + 1 && !goesOn(band, columns, cells))) {
        band = { rows: [], columns: new Map(), header: new Set(columns) }
        bands.push(band)
      }
      last = row
      const texts: string[] = []
      for (const column of columns) {
        let at = band.columns.get(column)
        if (at === undefined) band.columns.set(column, (at = band.columns.size))
        texts[at] = cells[column] ?? ''
      }
      const text = texts.join(separator)
      band.rows.push(text)
      length += text.length
      if (length > documentLimits.characters) throw tooMuchText()
    },
    end: () => bands.map(partOf),
  }
}

function goesOn({ header }: Band, columns: readonly number[], cells: readonly string[]): boolean {
  const matches = columns.length > 1 && columns.length <= header.size && columns.every((column) => header.has(column))
  return matches && columns.some((column) => isData(cells[column] ?? ''))
}

/** A single column is text rather than a table. */
function partOf({ rows, columns }: Band): Part {
  if (columns.size === 1) return { kind: 'paragraph', text: rows.join('\n') }
  const order = [...columns].toSorted(([a], [b]) => a - b).map(([, at]) => at)
  const cells = {
    *[Symbol.iterator]() {
      for (const row of rows) {
        const texts = row.split(separator)
        yield order.map((at) => texts[at] ?? '')
      }
    },
  }
  return { kind: 'table', text: markdownTable(cells) }
}
