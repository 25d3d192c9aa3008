import { describe, expect, it } from 'vitest'
import { makePdf } from '../../testing/make-pdf.ts'
import { scannedPage } from '../../testing/scanned-page.ts'
import { parseDocument } from './parse.ts'
import { confidenceOf } from './pdf-ocr.ts'

const sentence = 'The driver signs for the keys and the ramp before the trailer leaves the yard'

describe('OCR', () => {
  it('reads at most the given number of pages, warns about the others, and reports each page', async () => {
    const pages = await Promise.all(['Hire', 'Return', 'Deposit'].map((word) => scannedPage([word, sentence])))
    let reports = 0
    const document = await parseDocument({
      bytes: makePdf(pages),
      ocr: { pages: 2, megapixels: 100 },
      onProgress: () => void reports++,
    })
    expect(document.text).toMatch(/Hire[\s\S]*Return/)
    expect(document.text).not.toContain('Deposit')
    expect(reports).toBe(2)
    expect(document.warnings).toEqual([
      '2 of 3 pages are pictures and were read by OCR.',
      'Page 3 is left out: OCR reads at most 2 pages of a document.',
    ])
  }, 180_000)

  it('stops at the given number of megapixels', async () => {
    const bytes = makePdf([await scannedPage(['Hire', sentence]), await scannedPage(['Return', sentence])])
    const { warnings } = await parseDocument({ bytes, ocr: { pages: 9, megapixels: 3 } })
    expect(warnings[1]).toMatch(/^Page 2 is left out: OCR reads at most 3 megapixels/)
  }, 180_000)

  it('refuses a document whose pages are only noise', async () => {
    let state = 7
    const noise = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % 256
    // Letter-sized blotches.
    const [width, height, cell] = [1190, 1684, 9]
    const cells = Array.from({ length: Math.ceil(width / cell) * Math.ceil(height / cell) }, () => (noise() < 90 ? 0 : 255))
    const gray = Uint8Array.from({ length: width * height }, (_, at) => {
      const [x, y] = [at % width, Math.floor(at / width)]
      return cells[Math.floor(y / cell) * Math.ceil(width / cell) + Math.floor(x / cell)] ?? 255
    })
    await expect(parseDocument({ bytes: makePdf([{ width, height, gray }]) })).rejects.toMatchObject({
      code: 'empty_content',
      message: expect.stringMatching(/^The PDF has no text\. Page 1 is left out: /),
    })
  }, 180_000)

  it('has the mean confidence of its characters, those of the text layer counting as certain', () => {
    const item = (text: string, confidence?: number) => ({ text, ...(confidence !== undefined && { confidence }) })
    expect(confidenceOf({ textItems: [item('aaa', 0.2), item('b', 1), item('text layer')] })).toBeCloseTo(0.4)
    expect(confidenceOf({ textItems: [item('text layer')] })).toBe(1)
  })
})
