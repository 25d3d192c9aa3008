import { strToU8, zipSync } from 'fflate'

const cities = ['Berlin', 'Lyon', 'Porto', 'Turin', 'Gdansk', 'Graz', 'Ghent']
const columns = ['id', 'city', 'amount', 'day']

const recordAt = (row: number) => ({
  id: row,
  city: cities[row % cities.length] ?? '',
  amount: ((row * 7919) % 100_000) / 4,
  day: `2026-01-${10 + (row % 20)}`,
})

/** The header of the tables as text. */
export const tableHeader = `| ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length)}`

/** Returns a row of the tables as text. */
export function tableRow(row: number): string {
  return `| ${Object.values(recordAt(row)).join(' | ')} |`
}

/** Returns a table of four columns with this many rows, as a file of each format. */
export const largeTables: Readonly<Record<'csv' | 'jsonl' | 'xlsx', (rows: number) => Buffer>> = {
  csv: (rows) => bytesOf(rows, `${columns.join(',')}\r\n`, (row) => `${Object.values(recordAt(row)).join(',')}\r\n`),
  jsonl: (rows) => bytesOf(rows, '', (row) => `${JSON.stringify(recordAt(row))}\n`),
  xlsx: (rows) => workbook(sheet(rows)),
}

/** Joins lines in pieces that a string can hold. */
function bytesOf(rows: number, first: string, line: (row: number) => string, last = ''): Buffer {
  const pieces = [first]
  for (let from = 0; from < rows; from += 10_000) {
    pieces.push(Array.from({ length: Math.min(10_000, rows - from) }, (_, at) => line(from + at)).join(''))
  }
  return Buffer.from(pieces.join('') + last)
}

function sheet(rows: number): Buffer {
  const cell = (at: string, text: string): string => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
  const header = columns.map((name, at) => cell(`${'ABCD'[at] ?? ''}1`, name)).join('')
  return bytesOf(
    rows,
    `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">${header}</row>`,
    (row) => {
      const { id, city, amount, day } = recordAt(row)
      const at = row + 2
      const date = Date.parse(day) / 86_400_000 + 25_569
      return `<row r="${at}"><c r="A${at}"><v>${id}</v></c><c r="B${at}" t="s"><v>${cities.indexOf(city)}</v></c><c r="C${at}"><v>${amount}</v></c><c r="D${at}" s="1"><v>${date}</v></c></row>`
    },
    '</sheetData></worksheet>',
  )
}

function workbook(worksheet: Uint8Array): Buffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relations = (list: readonly [id: string, type: string, target: string][]): Uint8Array =>
    strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${related}/${type}" Target="${target}"/>`).join('')}</Relationships>`,
    )
  const bytes = zipSync(
    {
      '[Content_Types].xml': strToU8(
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>',
      ),
      '_rels/.rels': relations([['rId1', 'officeDocument', 'xl/workbook.xml']]),
      'xl/workbook.xml': strToU8(
        `<workbook xmlns="${main}" xmlns:r="${related}"><sheets><sheet name="Sales" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': relations([
        ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
        ['rId2', 'sharedStrings', 'sharedStrings.xml'],
        ['rId3', 'styles', 'styles.xml'],
      ]),
      'xl/sharedStrings.xml': strToU8(`<sst xmlns="${main}">${cities.map((city) => `<si><t>${city}</t></si>`).join('')}</sst>`),
      'xl/styles.xml': strToU8(`<styleSheet xmlns="${main}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`),
      'xl/worksheets/sheet1.xml': worksheet,
    },
    { level: 1 },
  )
  return Buffer.from(bytes)
}
