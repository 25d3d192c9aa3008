type Delimiter = ',' | ';'

const cells: Readonly<Record<Delimiter, RegExp>> = {
  ',': /(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r\n)/gy,
  ';': /(?:"((?:[^"]|"")*)"|([^;"\r\n]*))(;|\r\n)/gy,
}

/** Parses CSV with CRLF (RFC 4180). Leaves out a last row that does not end. */
export function csvRows(text: string, delimiter: Delimiter = ','): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain = '', end] of text.matchAll(cells[delimiter])) {
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === delimiter) continue
    rows.push(row)
    row = []
  }
  return rows
}

/** Reads the first rows of a CSV file, and no more of it than they need. */
export async function firstRows({ body }: Response, count: number, delimiter: Delimiter = ','): Promise<string[][]> {
  if (body === null) return []
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    text += value ?? ''
    const rows = csvRows(text, delimiter)
    if (!done && rows.length < count) continue
    await reader.cancel()
    return rows.slice(0, count)
  }
}
