import { describe, expect, it } from 'vitest'
import { makePdf, type MadePage } from '../../testing/make-pdf.ts'
import { withOutline } from '../../testing/outlined-pdf.ts'
import { chunkDocument } from '../chunk/chunk-document.ts'
import { parseDocument } from './parse.ts'

const sentence = 'The driver signs for the keys and the ramp before the trailer leaves the yard'
const settings = { strategy: 'semantic', size: 128, overlap: 16 } as const

describe('a PDF with bookmarks', () => {
  const page = (heading: string): MadePage => [
    heading,
    ...Array.from({ length: 14 }, (_, at) => `${sentence} on day ${at} after ${heading}.`),
  ]
  const bytes = withOutline(makePdf([page('1 Hire'), page('1.1 Keys'), page('2 Return')]), {
    title: 'Rental of trailers: hire, keys, return',
    bookmarks: [
      { title: 'Hire', level: 1, page: 1, y: 790 },
      { title: 'Keys', level: 2, page: 2, y: 790 },
      { title: 'Return', level: 1, page: 3, y: 790 },
    ],
  })

  it('has their headings, levels and title', async () => {
    const { title, text, blocks } = await parseDocument({ bytes })
    expect(title).toBe('Rental of trailers: hire, keys, return')
    const headings = blocks.filter(({ kind }) => kind === 'heading')
    expect(headings.map((block) => [text.slice(block.start, block.end), block.title, block.level, block.page])).toEqual([
      ['1 Hire', 'Hire', 1, 1],
      ['1.1 Keys', 'Keys', 2, 2],
      ['2 Return', 'Return', 1, 3],
    ])
  })

  it('has passages with the path of the bookmarks on their page', async () => {
    const chunks = await chunkDocument(await parseDocument({ bytes }), settings)
    expect(chunks.length).toBeGreaterThan(5)
    const paths = [['Hire'], ['Hire', 'Keys'], ['Return']]
    for (const { headingPath, page: first, pageEnd } of chunks) {
      expect(pageEnd).toBe(first)
      expect(headingPath).toEqual(paths[(first ?? 0) - 1])
    }
  })
})

it('passages of a list over six pages cite the pages on which they stand', async () => {
  const pages = Array.from({ length: 6 }, (_, page): MadePage => ({
    marks: Array.from({ length: 30 }, (__, row) => ({ text: `• ${sentence} item ${page * 30 + row}.`, x: 60, y: 90 + row * 22 })),
  }))
  const chunks = await chunkDocument(await parseDocument({ bytes: makePdf(pages) }), settings)
  expect(chunks.length).toBeGreaterThan(12)
  for (const { text, page, pageEnd } of chunks) {
    const items = [...text.matchAll(/item (\d+)/g)].map(([, item]) => Math.floor(Number(item) / 30) + 1)
    expect([page, pageEnd]).toEqual([items[0], items.at(-1)])
  }
})
