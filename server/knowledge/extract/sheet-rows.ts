import type { CellFormats } from './cell-formats.ts'
import { localName, streamXml } from './streamed-xml.ts'
import type { ZipEntry } from './zip.ts'

/** Returns the strings that cells refer to by index. @throws SourceError corrupt_file, encrypted_file */
export async function readSharedStrings(bytes: Uint8Array, entry: ZipEntry): Promise<string[]> {
  const strings: string[] = []
  const shown = shownText()
  await streamXml(bytes, entry, {
    onopentagname(name) {
      if (localName(name) === 'si') shown.clear()
      shown.open(localName(name))
    },
    ontext: shown.add,
    onclosetag(name) {
      shown.close(localName(name))
      if (localName(name) === 'si') strings.push(shown.text())
    },
  })
  return strings
}

interface RowReader {
  readonly strings: readonly string[]
  readonly formats: CellFormats
  /** Receives each row with text: its number from 1, and its cells by column from 0, with holes. */
  readonly onRow: (row: number, cells: string[]) => void
}

/** Reads the rows of a sheet in order. @throws SourceError corrupt_file, encrypted_file; errors of `onRow` */
export async function readSheetRows(bytes: Uint8Array, entry: ZipEntry, { strings, formats, onRow }: RowReader): Promise<void> {
  const shown = shownText()
  let row = 0
  let cells: string[] = []
  let column = -1
  let cell: Readonly<Record<string, string>> = {}
  await streamXml(bytes, entry, {
    onopentag(full, attributes) {
      const name = localName(full)
      shown.open(name)
      if (name === 'row') {
        row = Number(attributes['r']) || row + 1
        cells = []
        column = -1
      } else if (name === 'c') {
        cell = attributes
        column = columnOf(attributes['r']) ?? column + 1
        shown.clear()
      }
    },
    ontext: shown.add,
    onclosetag(full) {
      const name = localName(full)
      shown.close(name)
      if (name === 'c') {
        const text = cellText(shown.text(), cell, strings, formats).trim()
        if (text !== '') cells[column] = text
      } else if (name === 'row' && cells.length > 0) onRow(row, cells)
    },
  })
}

/** ECMA-376 part 1, §18.18.11: the types of a cell. */
function cellText(
  value: string,
  { t = 'n', s }: Readonly<Record<string, string>>,
  strings: readonly string[],
  formats: CellFormats,
): string {
  if (t === 's') return strings[Number(value)] ?? ''
  if (t === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  return t === 'n' && value !== '' ? formats(value, s) : value
}

/** Excel's last column is XFD. */
const maxColumn = 16_383

/** Returns the column of a cell reference such as `AB12`, from 0; null if it has none. */
function columnOf(reference = ''): number | null {
  let column = 0
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column > 0 && column <= maxColumn + 1 ? column - 1 : null
}

/** Collects the text of the elements that are shown (`v`, `t`), without formulas and phonetic readings. */
function shownText() {
  let text = ''
  let open = false
  let phonetic = 0
  return {
    clear: () => void (text = ''),
    text: () => text,
    add: (piece: string) => void (open && phonetic === 0 && (text += piece)),
    open(name: string) {
      open = name === 'v' || name === 't'
      if (name === 'rPh') phonetic++
    },
    close(name: string) {
      open = false
      if (name === 'rPh') phonetic--
    },
  }
}
