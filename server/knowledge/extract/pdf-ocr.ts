import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { LiteParse, type ParsedPage } from '@llamaindex/liteparse'
import { detectLanguage } from './language.ts'

/** Tesseract data by language, from npm packages. */
const languages: Readonly<Record<string, string>> = { en: 'eng', de: 'deu', fr: 'fra', es: 'spa' }

const limits = { pages: 60, seconds: 45 }

/**
 * Reads pages (from 1) with Tesseract, in the expected language (a BCP 47 tag), else in English or in the language of the first
 * page: at most `limits.pages`, and starts none after `limits.seconds`.
 */
export async function readByOcr(bytes: Uint8Array, pages: readonly number[], likely?: string): Promise<ParsedPage[]> {
  const folder = mkdtempSync(join(tmpdir(), 'groundwork-ocr-'))
  try {
    const started = performance.now()
    const wanted = pages.slice(0, limits.pages)
    let language = languages[likely?.slice(0, 2).toLowerCase() ?? ''] ?? 'eng'
    const read: ParsedPage[] = []
    for (const page of wanted) {
      if (performance.now() - started > limits.seconds * 1000) break
      let found = await recognize(bytes, page, language, folder)
      const spoken = read.length === 0 ? languageOf(found, language) : language
      if (spoken !== language) {
        language = spoken
        found = await recognize(bytes, page, language, folder)
      }
      read.push(...found)
    }
    return read
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function recognize(bytes: Uint8Array, page: number, language: string, folder: string): Promise<ParsedPage[]> {
  unpackData(language, folder)
  const parser = new LiteParse({
    ocrEnabled: true,
    ocrLanguage: language,
    ocrFailureFatal: false,
    tessdataPath: folder,
    targetPages: String(page),
    outputFormat: 'markdown',
    extractBlocks: true,
    imageMode: 'off',
    extractLinks: false,
    continueOnPageError: true,
    numWorkers: 1,
    quiet: true,
  })
  const result = await parser.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  return result.pages.filter(({ text }) => text.trim() !== '')
}

function unpackData(language: string, folder: string): void {
  const packed = createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`)
  writeFileSync(join(folder, `${language}.traineddata`), gunzipSync(readFileSync(packed)))
}

/** Returns the data for the language of the pages; `otherwise` if it is unclear. */
function languageOf(pages: readonly ParsedPage[], otherwise: string): string {
  const texts = pages.map(({ text }) => text)
  const blocks = texts.map((_, at) => ({ kind: 'paragraph' as const, start: at, end: at }))
  const found = detectLanguage(texts, blocks, null)
  return found === null ? otherwise : (languages[found] ?? 'eng')
}
