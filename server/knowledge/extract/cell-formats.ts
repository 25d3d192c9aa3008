import { SSF } from '@e965/xlsx'
import { all, at, type XmlElement } from './xml.ts'

/** Formats the stored value of a cell as Excel shows it. `style` is the cell's index of a format. */
export type CellFormats = (value: string, style: string | undefined) => string

const dateNF = 'yyyy-mm-dd'

/** Returns the number formats of a workbook, by SheetJS. Dates in the locale's short form are in ISO 8601. */
export function cellFormats(styles: XmlElement | undefined, date1904: string | undefined): CellFormats {
  const sheet = at(styles, 'styleSheet')
  const codes = new Map(all(at(sheet, 'numFmts'), 'numFmt').map(({ attributes }) => [attributes['numFmtId'], attributes['formatCode']]))
  const formats = all(at(sheet, 'cellXfs'), 'xf').map(({ attributes }) => {
    const id = attributes['numFmtId'] ?? '0'
    return codes.get(id) ?? Number(id)
  })
  const options = { dateNF, date1904: date1904 === '1' || date1904 === 'true' }
  return (value, style) => {
    const format = formats[Number(style)] ?? 0
    const number = Number(value)
    if (!Number.isFinite(number)) return value
    if (format === 0 || format === 'General') return shownNumber(number, value)
    return formatted(format, number, options) ?? value
  }
}

/** Whole numbers, which are most, need no formatting. */
function shownNumber(number: number, value: string): string {
  return Number.isSafeInteger(number) && value.length < 12 ? value : withAllDigits(formatted(0, number, {}) ?? value, number)
}

/** Excel shows numbers of more than 11 digits with an exponent. Their other digits matter: they are telephone numbers and article numbers. */
export function withAllDigits(shown: string, number: number): string {
  const size = Math.abs(number)
  return /^-?[\d.]+E\+\d+$/.test(shown) && size >= 1e11 && size < 1e15 ? String(Number(number.toPrecision(15))) : shown
}

/** SheetJS throws for formats that it does not know; the cell then shows its stored value. */
function formatted(format: string | number, value: number, options: object): string | null {
  try {
    return asText(SSF.format(format, value, options))
  } catch {
    return null
  }
}

/** SheetJS does not declare the type. */
function asText(text: unknown): string {
  return String(text)
}
