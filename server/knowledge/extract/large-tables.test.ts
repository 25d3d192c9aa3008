import { zipSync, strToU8 } from 'fflate'
import { afterAll, describe, expect, it } from 'vitest'
import { chunkDocument } from '../chunk/chunk-document.ts'
import type { ExtractedDocument } from './document.ts'
import { createExtractor } from './extractor.ts'

const rows = 1_000_000
const extractor = createExtractor({ workers: 1 })
afterAll(() => extractor.close())

const cities = ['Berlin', 'Lyon', 'Porto', 'Turin', 'Gdansk', 'Graz', 'Ghent']
const recordAt = (row: number) => ({
  id: row,
  city: cities[row % cities.length] ?? '',
  amount: ((row * 7919) % 100_000) / 4,
  day: `2026-01-${10 + (row % 20)}`,
})
const lineOf = ({ id, city, amount, day }: ReturnType<typeof recordAt>): string => `| ${id} | ${city} | ${amount} | ${day} |`
const header = '| id | city | amount | day |\n| --- | --- | --- | --- |'

/** Returns the violations in a document that should be the table of all records. */
function faultsOf({ blocks, text }: ExtractedDocument): string[] {
  const table = blocks.find(({ kind }) => kind === 'table')
  const lines = text.slice(table?.start).split('\n')
  const sound: Record<string, boolean> = {
    'begins with the header': lines.slice(0, 2).join('\n') === header,
    'has all rows': lines.length === rows + 2,
    'has the right cells': [0, 99_999, 500_000, rows - 1].every((row) => lines[row + 2] === lineOf(recordAt(row))),
  }
  return Object.keys(sound).filter((promise) => !sound[promise])
}

/** The lines of all records, made in pieces that a string can hold. */
function bytesOf(first: string, line: (row: number) => string, last = ''): Uint8Array {
  const pieces = [first]
  for (let from = 0; from < rows; from += 10_000) {
    pieces.push(Array.from({ length: Math.min(10_000, rows - from) }, (_, at) => line(from + at)).join(''))
  }
  return Buffer.from(pieces.join('') + last)
}

describe('a table of a million rows', () => {
  it('is read from CSV, and every chunk has its header', async () => {
    const bytes = bytesOf('id,city,amount,day\r\n', (row) => `${Object.values(recordAt(row)).join(',')}\r\n`)
    const document = await extractor.extract({ bytes, fileName: 'large.csv' })
    expect(faultsOf(document)).toEqual([])
    const chunks = await chunkDocument(document, { strategy: 'semantic', size: 512, overlap: 64 })
    expect(chunks.filter(({ text }) => !text.startsWith(`${header}\n|`))).toEqual([])
    expect(chunks.at(-1)?.text.endsWith(lineOf(recordAt(rows - 1)))).toBe(true)
  }, 900_000)

  it('is read from JSON Lines', async () => {
    const bytes = bytesOf('', (row) => `${JSON.stringify(recordAt(row))}\n`)
    expect(faultsOf(await extractor.extract({ bytes, fileName: 'large.jsonl' }))).toEqual([])
  }, 900_000)

  it('is read from a workbook', async () => {
    const cell = (at: string, text: string): string => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
    const sheet = bytesOf(
      `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">${['id', 'city', 'amount', 'day'].map((name, at) => cell(`${'ABCD'[at] ?? ''}1`, name)).join('')}</row>`,
      (row) => {
        const { id, city, amount, day } = recordAt(row)
        const at = row + 2
        const date = Date.parse(day) / 86_400_000 + 25_569
        return `<row r="${at}"><c r="A${at}"><v>${id}</v></c><c r="B${at}" t="s"><v>${cities.indexOf(city)}</v></c><c r="C${at}"><v>${amount}</v></c><c r="D${at}" s="1"><v>${date}</v></c></row>`
      },
      '</sheetData></worksheet>',
    )
    expect(faultsOf(await extractor.extract({ bytes: workbook(sheet), fileName: 'large.xlsx' }))).toEqual([])
  }, 900_000)
})

it('a longer table is refused with the limit in MB', async () => {
  const long = Buffer.from(`a,b\n${'some words,more words\n'.repeat(3_500_000)}`)
  await expect(extractor.extract({ bytes: long, fileName: 'a.csv' })).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(/\d+ MB/) as string,
  })
}, 900_000)

function workbook(sheet: Uint8Array): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relations = (list: readonly [id: string, type: string, target: string][]): Uint8Array =>
    strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${related}/${type}" Target="${target}"/>`).join('')}</Relationships>`,
    )
  return zipSync(
    {
      '[Content_Types].xml': strToU8(
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
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
      'xl/worksheets/sheet1.xml': sheet,
    },
    { level: 1 },
  )
}
