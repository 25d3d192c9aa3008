/** NULL in COPY's text format. */
export const copyNull = String.raw`\N`

/**
 * Returns the rows of COPY's text format with changed values. Tabs and newlines inside of values are escaped, so each of these bytes
 * separates values or rows. Values are one character per byte.
 */
export function mapRows(rows: Buffer, map: (values: string[]) => string[]): Buffer {
  const mapped = linesOf(rows).map((line) => map(line.split('\t')).join('\t'))
  return Buffer.from(mapped.map((line) => `${line}\n`).join(''), 'latin1')
}

/** Returns the values of rows in COPY's text format, one character per byte. */
export const valuesOf = (rows: Buffer): string[][] => linesOf(rows).map((line) => line.split('\t'))

/** Returns rows in COPY's text format. */
export const rowsOf = (values: readonly (readonly string[])[]): Buffer =>
  Buffer.from(values.map((row) => `${row.join('\t')}\n`).join(''), 'latin1')

const linesOf = (rows: Buffer): string[] => rows.toString('latin1').split('\n').slice(0, -1)

/** Returns bytes in COPY's text format, as `bytea_output` hex writes them. */
export const copyBytes = (bytes: Buffer): string => String.raw`\\x${bytes.toString('hex')}`

/** Returns the bytes of a value of type bytea. */
export const bytesOf = (value: string): Buffer => Buffer.from(value.slice(3), 'hex')
