import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { LiteParse, type ParsedPage } from '@llamaindex/liteparse'
import { detectLanguage } from './language.ts'
import { defaultOcrLimits, type LeftOutPage, type OcrLimits } from './ocr-limits.ts'

/** Tesseract data by language, from npm packages. */
const languages: Readonly<Record<string, string>> = { en: 'eng', de: 'deu', fr: 'fra', es: 'spa' }

/** Larger pages are read at a lower resolution, down to the lowest one at which print is legible. */
const resolution = { dpi: 150, lowest: 75, megapixels: 16 }

/** Mean confidence of the characters of a page, 0 to 1, below which it is noise. */
const leastConfidence = 0.5

type Page = Pick<ParsedPage, 'pageNum' | 'width' | 'height'>

export interface OcrOptions {
  /** The expected language, a BCP 47 tag; English by default. */
  readonly language?: string | undefined
  readonly limits?: OcrLimits | undefined
  /** Called after each page. */
  readonly onPage?: (() => void) | undefined
}

/**
 * Reads pages with Tesseract, in the expected language, or in the language of the first page. The number of pages and of
 * pixels is limited, not the time, so a busy machine reads the same pages.
 */
export async function readByOcr(
  bytes: Uint8Array,
  pages: readonly Page[],
  { language: likely, limits = defaultOcrLimits, onPage }: OcrOptions = {},
): Promise<{ pages: ParsedPage[]; leftOut: LeftOutPage[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'groundwork-ocr-'))
  try {
    let language = languages[likely?.slice(0, 2).toLowerCase() ?? ''] ?? 'eng'
    let megapixels = 0
    let tried = 0
    const read: ParsedPage[] = []
    const leftOut: LeftOutPage[] = []
    for (const page of pages) {
      const { pageNum } = page
      const scale = scaleOf(page)
      if (tried >= limits.pages) leftOut.push({ page: pageNum, reason: 'pages' })
      else if (scale === null || megapixels + scale.megapixels > limits.megapixels) leftOut.push({ page: pageNum, reason: 'pixels' })
      else {
        tried++
        megapixels += scale.megapixels
        let found = await recognize(bytes, pageNum, scale.dpi, language, folder)
        const spoken = read.length === 0 ? languageOf(found, language) : language
        if (spoken !== language) {
          language = spoken
          found = await recognize(bytes, pageNum, scale.dpi, language, folder)
        }
        const confidence = found ? confidenceOf(found) : 0
        if (!found) leftOut.push({ page: pageNum, reason: 'no text' })
        else if (confidence < leastConfidence) leftOut.push({ page: pageNum, reason: 'uncertain' })
        else read.push(found)
        onPage?.()
      }
    }
    return { pages: read, leftOut }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the resolution for a page of this size in points, and its megapixels; null if the page is too large to be legible. */
function scaleOf({ width, height }: Page): { dpi: number; megapixels: number } | null {
  const megapixelsAt = (dpi: number): number => ((width / 72) * (height / 72) * dpi ** 2) / 1e6
  const dpi = Math.min(resolution.dpi, Math.floor(resolution.dpi * Math.sqrt(resolution.megapixels / megapixelsAt(resolution.dpi))))
  return dpi < resolution.lowest ? null : { dpi, megapixels: megapixelsAt(dpi) }
}

/** Returns the page if it has text. */
async function recognize(bytes: Uint8Array, page: number, dpi: number, language: string, folder: string): Promise<ParsedPage | undefined> {
  unpackData(language, folder)
  const parser = new LiteParse({
    ocrEnabled: true,
    ocrLanguage: language,
    ocrFailureFatal: false,
    tessdataPath: folder,
    targetPages: String(page),
    dpi,
    outputFormat: 'json',
    imageMode: 'off',
    extractLinks: false,
    continueOnPageError: true,
    numWorkers: 1,
    quiet: true,
  })
  const result = await parser.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  return result.pages.find(({ text }) => /[\p{L}\p{N}]/u.test(text))
}

/** Returns the mean confidence of the characters that OCR recognized; 1 if it recognized none, because all text is the PDF's own. */
export function confidenceOf({
  textItems,
}: {
  readonly textItems: readonly Pick<ParsedPage['textItems'][number], 'text' | 'confidence'>[]
}): number {
  const recognized = textItems.flatMap(({ text, confidence }) => (confidence === undefined ? [] : [{ length: text.length, confidence }]))
  const characters = recognized.reduce((sum, { length }) => sum + length, 0)
  return characters === 0 ? 1 : recognized.reduce((sum, { length, confidence }) => sum + length * confidence, 0) / characters
}

function unpackData(language: string, folder: string): void {
  const packed = createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`)
  writeFileSync(join(folder, `${language}.traineddata`), gunzipSync(readFileSync(packed)))
}

/** Returns the data for the language of a page; `otherwise` if it is unclear. */
function languageOf(page: ParsedPage | undefined, otherwise: string): string {
  if (!page) return otherwise
  const found = detectLanguage([page.text], [{ kind: 'paragraph', start: 0, end: 0 }], null)
  return found === null ? otherwise : (languages[found] ?? 'eng')
}
