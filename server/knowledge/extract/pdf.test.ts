import { PDFiumLibrary } from '@hyzyla/pdfium'
import { describe, expect, it } from 'vitest'
import { makePdf } from '../../testing/make-pdf.ts'
import type { ExtractedDocument } from './document.ts'
import { parseDocument } from './parse.ts'
import { withoutLiterals } from './pdf-parts.ts'
import { drawnParagraphs, isRightToLeft } from './pdf-paragraphs.ts'

const sentence = 'The driver signs for the keys and the ramp before the trailer leaves the yard'
const body = Array.from({ length: 12 }, (_, at) => `${sentence} number ${at}.`)

function textOn(page: number, { text, blocks }: ExtractedDocument): string {
  return blocks
    .filter((block) => block.page === page)
    .map(({ start, end }) => text.slice(start, end))
    .join('\n')
}

describe('PDF', () => {
  it('keeps its pages', async () => {
    const document = await parseDocument({
      bytes: makePdf([
        ['Hire', ...body],
        ['Return', ...body],
      ]),
    })
    expect(document.pages).toBe(2)
    expect(textOn(1, document)).toContain('Hire')
    expect(textOn(2, document)).toMatch(/Return[\s\S]*number 11/)
  })

  it('uses OCR only for pages that are images', async () => {
    const library = await PDFiumLibrary.init()
    const scanned = await library.loadDocument(makePdf([['Deposit', ...body]]))
    const { data, width, height } = await scanned.getPage(0).render({ scale: 2, render: 'bitmap' })
    const gray = Uint8Array.from({ length: width * height }, (_, at) => data[at * 4] ?? 255)
    library.destroy()
    const document = await parseDocument({ bytes: makePdf([['Written', ...body], { width, height, gray }]) })
    expect(document.warnings).toEqual(['1 of 2 pages are pictures and were read by OCR.'])
    expect(textOn(1, document)).toContain('Written')
    expect(textOn(2, document)).toMatch(/Deposit/)
    expect(textOn(2, document).replace(/\s+/g, ' ')).toContain(sentence)
  }, 180_000)

  it('with blank pages has no text', async () => {
    await expect(parseDocument({ bytes: makePdf([[]]) })).rejects.toMatchObject({ code: 'empty_content' })
  }, 180_000)
})

it('tree drawings lose the decorations that dblatex adds', () => {
  const drawn = { kind: 'code', text: "b''│b''  b''└b''b''─b''b''─b'' b''.py" } as const
  expect(withoutLiterals(drawn).text).toBe("│  └── b''.py")
})

it('a first line that begins in another font stays in its paragraph', async () => {
  const marks = [
    { text: 'Background:', x: 60, y: 100, font: 'bold' as const },
    { text: 'The trailer is left in the yard of the rental office, and with its own-', x: 128, y: 100 },
    { text: 'ers the keys are left.', x: 60, y: 113 },
  ]
  const { text } = await parseDocument({ bytes: makePdf([{ marks }]) })
  expect(text).toBe('Background: The trailer is left in the yard of the rental office, and with its owners the keys are left.')
})

describe('lines of a page', () => {
  const line = (text: string, top: number, left: number, right: number) => ({ text, left, right, top, bottom: top - 10 })
  const textsOf = (lines: readonly ReturnType<typeof line>[]): string[] => drawnParagraphs(lines).map(({ text }) => text)

  it('form paragraphs that end after a short line', () => {
    const lines = [
      line('Terms', 700, 50, 90),
      line('one full', 680, 50, 300),
      line('line sho', 668, 50, 300),
      line('rt.', 656, 50, 120),
      line('Next', 644, 50, 300),
    ]
    expect(textsOf(lines)).toEqual(['Terms', 'one full line sho rt.', 'Next'])
  })

  it('end on the left in right-to-left scripts', () => {
    expect(isRightToLeft('שלום, world')).toBe(true)
    const lines = [line('שורה מלאה', 680, 50, 300), line('סוף', 668, 250, 300), line('חדשה', 656, 50, 300)]
    expect(textsOf(lines)).toEqual(['שורה מלאה סוף', 'חדשה'])
  })
})
