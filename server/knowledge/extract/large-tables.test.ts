import { afterAll, describe, expect, it } from 'vitest'
import { largeTables, tableHeader, tableRow } from '../../testing/large-tables.ts'
import { chunkDocument } from '../chunk/chunk-document.ts'
import type { ExtractedDocument } from './document.ts'
import { createExtractor } from './extractor.ts'

const rows = Number(process.env['TABLE_ROWS'] ?? 50_000)
const extractor = createExtractor({ workers: 1 })
afterAll(() => extractor.close())

/** Returns the violations in a document that should be the table of all records. */
function faultsOf({ blocks, text }: ExtractedDocument): string[] {
  const table = blocks.find(({ kind }) => kind === 'table')
  const lines = text.slice(table?.start).split('\n')
  const sound: Record<string, boolean> = {
    'begins with the header': lines.slice(0, 2).join('\n') === tableHeader,
    'has all rows': lines.length === rows + 2,
    'has the right cells': [0, rows / 10 - 1, rows / 2, rows - 1].every((row) => lines[row + 2] === tableRow(row)),
  }
  return Object.keys(sound).filter((promise) => !sound[promise])
}

describe(`a table of ${rows} rows`, () => {
  it('is read from CSV, and every chunk has its header', async () => {
    const document = await extractor.extract({ bytes: largeTables.csv(rows), fileName: 'large.csv' })
    expect(faultsOf(document)).toEqual([])
    const chunks = await chunkDocument(document, { strategy: 'semantic', size: 512, overlap: 64 })
    expect(chunks.filter(({ text }) => !text.startsWith(`${tableHeader}\n|`))).toEqual([])
    expect(chunks.at(-1)?.text.endsWith(tableRow(rows - 1))).toBe(true)
  }, 900_000)

  it('is read from JSON Lines', async () => {
    expect(faultsOf(await extractor.extract({ bytes: largeTables.jsonl(rows), fileName: 'large.jsonl' }))).toEqual([])
  }, 900_000)

  it('is read from a workbook', async () => {
    expect(faultsOf(await extractor.extract({ bytes: largeTables.xlsx(rows), fileName: 'large.xlsx' }))).toEqual([])
  }, 900_000)
})

it('a longer table is refused with the limit in MB', async () => {
  const long = Buffer.from(`a,b\n${'some words,more words\n'.repeat(3_500_000)}`)
  await expect(extractor.extract({ bytes: long, fileName: 'a.csv' })).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(/\d+ MB/) as string,
  })
}, 900_000)
