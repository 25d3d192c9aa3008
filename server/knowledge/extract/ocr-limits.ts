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
export function leftOutWarnings(leftOut: readonly LeftOutPage[], limits: OcrLimits = defaultOcrLimits): string[] {
  const reasons: Readonly<Record<LeftOutPage['reason'], string>> = {
    pages: limits.pages === 0 ? 'OCR is turned off' : `OCR reads at most ${limits.pages} pages of a document`,
    pixels: `OCR reads at most ${limits.megapixels} megapixels of a document and no poster sizes`,
    'no text': 'no text was found in the picture',
    uncertain: 'the recognized text is too uncertain',
  }
  return [...new Set(leftOut.map(({ reason }) => reason))].map((reason) => {
    const pages = leftOut.filter((one) => one.reason === reason).map(({ page }) => page)
    return `${pages.length === 1 ? 'Page' : 'Pages'} ${pageList(pages)} ${pages.length === 1 ? 'is' : 'are'} left out: ${reasons[reason]}.`
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
