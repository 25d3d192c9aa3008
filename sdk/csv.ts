/**
 * Formats a row as RFC 4180. Text that a spreadsheet would interpret as a formula gets an apostrophe prefix; plain numbers and
 * international phone numbers stay unchanged. Lists and objects are JSON.
 */
export const csvRow = (values: readonly unknown[], delimiter: ',' | ';' = ','): string =>
  `${values.map((value) => quoted(cellOf(value))).join(delimiter)}\r\n`

/** Returns the value of a cell that `csvRow` formatted: without the prefix. */
export const withoutPrefix = (cell: string): string => (cell.startsWith("'") && isPrefixed.test(cell) ? cell.slice(1) : cell)

const calculated = String.raw`(?:\s*[=+\-@＝＋－＠]|[\t\r\n])`
/** A text that already begins with apostrophes gets another one, so that removing one returns the text. */
const needsPrefix = new RegExp(`^'*${calculated}`, 'u')
const isPrefixed = new RegExp(`^'+${calculated}`, 'u')

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return needsPrefix.test(value) && !/^[+-]?\d+(\.\d+)?$/.test(value) ? `'${value}` : value
  return JSON.stringify(value)
}

/** Quotes every delimiter that a spreadsheet may expect. */
const quoted = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
