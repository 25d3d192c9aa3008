import { LiteParse, type LiteParseConfig, type ParsedPage, type ParseResult } from '@llamaindex/liteparse'
import { SourceError } from '../../lib/errors.ts'
import { expandsTooFar } from './pdf-bomb.ts'

/**
 * Returns the text of a PDF by liteparse, with positions, fonts, words and drawn lines. @throws SourceError corrupt_file,
 * encrypted_file, too_large
 */
export async function parsePdf(bytes: Uint8Array): Promise<ParseResult> {
  if (expandsTooFar(bytes)) throw new SourceError('too_large', 'The PDF unpacks to more than is read.')
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const sample = await parserWith({ targetPages: '1-3' }).parse(data)
    const result = await parserWith({
      extractFormFields: true,
      emitWordBoxes: true,
      extractVectorGraphics: true,
      // A quarter more time, for the sizes of fonts that the text matrix scales.
      extractTextMetadata: !hasFontSizes(sample.pages),
    }).parse(data)
    return { ...result, pages: await withComplexity(result.pages, data) }
  } catch (cause) {
    if (/password|encrypt/i.test(String(cause))) throw new SourceError('encrypted_file', 'The PDF is protected by a password.', { cause })
    throw new SourceError('corrupt_file', 'The PDF is damaged and cannot be read.', { cause })
  }
}

/** Adds `complexity` to the pages whose text may be that of a picture. For all pages, it would take a third more time. */
async function withComplexity(pages: readonly ParsedPage[], data: Buffer): Promise<ParsedPage[]> {
  const unclear = pages.filter(({ text }) => text.trim().length < minPageCharacters || hasControls(text))
  if (unclear.length === 0) return [...pages]
  const measured = await parserWith({ includeComplexity: true, targetPages: unclear.map(({ pageNum }) => pageNum).join(',') }).parse(data)
  const known = new Map(measured.pages.map(({ pageNum, complexity }) => [pageNum, complexity]))
  return pages.map((page) => {
    const complexity = known.get(page.pageNum)
    return complexity === undefined ? page : { ...page, complexity }
  })
}

/** Characters of a page with text; a stamp on a scan has fewer. */
export const minPageCharacters = 30

/** Returns whether at least one of a hundred characters is a control character, as where a font has no character map. */
export function hasControls(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return (text.match(/[\u0001-\u0008\u000E-\u001F]/g)?.length ?? 0) > text.length * 0.01
}

function parserWith(options: Partial<LiteParseConfig>): LiteParse {
  return new LiteParse({
    ocrEnabled: false,
    outputFormat: 'json',
    imageMode: 'off',
    extractLinks: false,
    continueOnPageError: true,
    maxPages: 100_000,
    numWorkers: 1,
    quiet: true,
    ...options,
  })
}

/** Returns whether the font sizes of upright text agree with the height of its boxes. */
function hasFontSizes(pages: readonly ParsedPage[]): boolean {
  const items = pages.flatMap(({ textItems }) => textItems.filter(({ rotation = 0 }) => rotation === 0))
  const wrong = items.filter(({ fontSize = 0, height }) => height > 2.2 * fontSize || height < 0.5 * fontSize)
  return items.length > 0 && wrong.length <= 0.03 * items.length
}
