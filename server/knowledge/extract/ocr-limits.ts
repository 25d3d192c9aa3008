import { sourceWarning, type SourceWarning, type SourceWarningCode } from '@groundwork/api'
/** The work of OCR for one document. */
export interface OcrLimits {
  /** 0 turns OCR off. */
  readonly pages: number
  /** Sum over the pages; a page of A4 has about 2. */
  readonly megapixels: number
}

export const defaultOcrLimits: OcrLimits = { pages: 100, megapixels: 400 }

/** A page that OCR did not read, and the reason: a limit, or the picture. */
export interface LeftOutPage {
  readonly page: number
  readonly reason: 'pages' | 'pixels' | 'no text' | 'uncertain'
}

/** Returns a sentence for each reason, with the pages. */
export function leftOutWarnings(leftOut: readonly LeftOutPage[], limits: OcrLimits = defaultOcrLimits): SourceWarning[] {
  const reasons: Readonly<Record<LeftOutPage['reason'], readonly [SourceWarningCode, limit?: number]>> = {
    pages: limits.pages === 0 ? ['ocr_off'] : ['ocr_page_limit', limits.pages],
    pixels: ['ocr_size_limit', limits.megapixels],
    'no text': ['ocr_no_text'],
    uncertain: ['ocr_uncertain'],
  }
  return [...new Set(leftOut.map(({ reason }) => reason))].map((reason) => {
    const pages = leftOut.filter((one) => one.reason === reason).map(({ page }) => page)
    const [code, limit = 0] = reasons[reason]
    const [noun, verb] = pages.length === 1 ? ['Page', 'is'] : ['Pages', 'are']
    return sourceWarning(code, { noun, pages: pageList(pages), verb, limit })
  })
}

const maxRanges = 12

/** Returns page numbers as ranges: `2, 5 to 9`. A long list ends with the number of further pages. */
export function pageList(pages: readonly number[]): string {
  const ranges: { from: number; to: number }[] = []
  for (const page of pages.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && page === last.to + 1) last.to = page
    else ranges.push({ from: page, to: page })
  }
  const shown = ranges.slice(0, maxRanges)
  const more = ranges.slice(maxRanges).reduce((sum, { from, to }) => sum + to - from + 1, 0)
  const list = shown.map(({ from, to }) => (from === to ? String(from) : `${from} to ${to}`)).join(', ')
  return more === 0 ? list : `${list} and ${more} more`
}
