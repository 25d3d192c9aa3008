import { SourceError } from '../../lib/errors.ts'
import { indexingRules } from '../crawl/indexing-rules.ts'
import type { PageReading } from '../crawl/read-page.ts'
import type { Extractor } from '../extract/extractor.ts'
import type { FetchedPage, Renderer } from './renderer.ts'

/** Text that is shorter than this, in characters, may be all that a page shows without its scripts. */
const thinText = 250

/** What to do about a page that is thin. */
export const chromiumHint = 'With CHROMIUM_PATH, the operator can have such pages shown by a browser.'

export interface ReadTools {
  readonly extractor: Pick<Extractor, 'readPage'>
  /** Null where the operator has configured no Chromium. */
  readonly renderer: Renderer | null
}

export interface ShownReading {
  readonly reading: PageReading
  /** What was read. */
  readonly bytes: Uint8Array
  /** Whether that is what a browser showed. */
  readonly rendered: boolean
  /** Whether a browser may show more, but none did: there is none, or it failed. */
  readonly thin: boolean
  /** Why a browser that was there did not. */
  readonly failure: SourceError | null
  /** Where the page sends a browser, if it shows nothing itself. */
  readonly movedTo: string | null
}

/**
 * Reads what was fetched; a page that has scripts and hardly any text is shown by a browser first, where there is one.
 * @throws the reason of `signal`
 */
export async function readShown(page: FetchedPage, { extractor, renderer }: ReadTools, signal: AbortSignal): Promise<ShownReading> {
  const contentType = page.headers.get('content-type')
  const asFetched = await extractor.readPage({ bytes: page.body, url: page.url, ...(contentType !== null && { contentType }) }, signal)
  const fetched = { reading: asFetched, bytes: page.body, rendered: false, thin: false, failure: null, movedTo: null }
  if (!isThin(asFetched) || !indexingRules(asFetched.facts?.robots ?? [], page.headers.get('x-robots-tag')).index) return fetched
  if (renderer === null) return { ...fetched, thin: true }
  try {
    const { html, movedTo } = await renderer.show(page, signal)
    const bytes = Buffer.from(html)
    const reading = await extractor.readPage({ bytes, url: page.url, contentType: 'text/html; charset=utf-8' }, signal)
    if (movedTo !== null && textLength(reading) < thinText) return { ...fetched, movedTo }
    // A short page that is complete without its scripts stays as it was fetched.
    return textLength(reading) > textLength(asFetched) ? { ...fetched, reading, bytes, rendered: true } : fetched
  } catch (error) {
    if (signal.aborted || !(error instanceof SourceError)) throw error
    return { ...fetched, thin: true, failure: error }
  }
}

const isThin = (reading: PageReading): boolean => reading.facts?.scripted === true && textLength(reading) < thinText

const textLength = ({ content }: PageReading): number => ('document' in content ? content.document.text.length : 0)
