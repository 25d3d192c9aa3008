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
    return await parserWith({
      extractFormFields: true,
      includeComplexity: true,
      emitWordBoxes: true,
      extractVectorGraphics: true,
      // A quarter more time, for the sizes of fonts that the text matrix scales.
      extractTextMetadata: !hasFontSizes(sample.pages),
    }).parse(data)
  } catch (cause) {
    if (/password|encrypt/i.test(String(cause))) throw new SourceError('encrypted_file', 'The PDF is protected by a password.', { cause })
    throw new SourceError('corrupt_file', 'The PDF is damaged and cannot be read.', { cause })
  }
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
