import { SourceError } from '../../lib/errors.ts'
import { indexingRules } from './indexing-rules.ts'
import type { PageReading } from '../extract/read-page.ts'
import type { Extractor } from '../extract/extractor.ts'
import type { FetchedPage, Renderer } from './renderer.ts'

/** A page with less text, in characters, may need its scripts. */
const minTextLength = 250

/** The hint in the warning about a page that needs scripts. */
export const chromiumHint = 'With CHROMIUM_PATH, the operator can have such pages shown by a browser.'

export interface ReadTools {
  readonly extractor: Pick<Extractor, 'readPage'>
  /** Null if the operator has not configured Chromium. */
  readonly renderer: Renderer | null
}

export interface ShownReading {
  readonly reading: PageReading
  /** The bytes that were read. */
  readonly bytes: Uint8Array
  /** Whether a browser rendered them. */
  readonly rendered: boolean
  /** Whether a browser might show more, but there is none or it failed. */
  readonly thin: boolean
  /** The error of the browser. */
  readonly failure: SourceError | null
  /** The URL to which an empty page navigates. */
  readonly movedTo: string | null
}

/**
 * Reads a fetched page; renders it in a browser first if it has scripts, hardly any text, and a browser is available.
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
    if (movedTo !== null && textLength(reading) < minTextLength) return { ...fetched, movedTo }
    // A short page that is complete without its scripts is used as it was fetched.
    return textLength(reading) > textLength(asFetched) ? { ...fetched, reading, bytes, rendered: true } : fetched
  } catch (error) {
    if (signal.aborted || !(error instanceof SourceError)) throw error
    return { ...fetched, thin: true, failure: error }
  }
}

const isThin = (reading: PageReading): boolean => reading.facts?.scripted === true && textLength(reading) < minTextLength

const textLength = ({ content }: PageReading): number => ('document' in content ? content.document.text.length : 0)
