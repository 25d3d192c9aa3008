/**
 * Formats a row as RFC 4180. Text that a spreadsheet would interpret as a formula gets an apostrophe prefix; plain numbers and
 * international phone numbers stay unchanged. Lists and objects are JSON.
 */
export const csvRow = (values: readonly unknown[]): string => `${values.map((value) => quoted(cellOf(value))).join(',')}\r\n`

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string')
    return /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(value) && !/^[+-]?\d+(\.\d+)?$/.test(value) ? `'${value}` : value
  return JSON.stringify(value)
}

const quoted = (cell: string): string => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
