import { SourceError } from '../../lib/errors.ts'
import { expectOk } from '../../outbound/expect-ok.ts'
import type { Outbound, OutboundResponse } from '../../outbound/outbound.ts'
import { chromiumHint, readShown, type ReadTools, type ShownReading } from '../render/read-shown.ts'

export interface PageServices extends ReadTools {
  readonly outbound: Pick<Outbound, 'fetch'>
}

export interface StoredPage {
  /** Where it was, after redirects. */
  readonly url: string
  readonly body: Uint8Array
  readonly headers: Headers
  /** Sentences for a person. */
  readonly warnings: string[]
}

/** Web pages are smaller; larger replies are not rendered in a browser. */
const maxPageBytes = 5_000_000
/** Times that the scripts of a page may send a browser on to another one. */
const maxRedirects = 3

/**
 * What is to be kept of a reply: itself, or of a page that only scripts fill, what a browser shows. That has neither
 * ETag nor time of change, since it changes without them.
 * @throws SourceError when the page has no text, or what it moves to cannot be fetched; or the reason of `signal`
 */
export async function renderedPage(
  reply: OutboundResponse,
  services: PageServices,
  limits: { maxBytes: number; timeoutMs: number; signal: AbortSignal },
  moves = 0,
): Promise<StoredPage> {
  const asFetched = { ...reply, warnings: [] }
  const isPage = /html/i.test(reply.headers.get('content-type') ?? 'html') && reply.body.length <= maxPageBytes
  if (!isPage) return asFetched
  const shown = await readShown(reply, services, limits.signal)
  if (shown.movedTo !== null && moves < maxRedirects)
    return renderedPage(expectOk(await services.outbound.fetch(shown.movedTo, limits)), services, limits, moves + 1)
  const contentType = reply.headers.get('content-type') ?? 'text/html'
  const { url } = reply
  if (shown.thin) return { url, body: reply.body, headers: new Headers({ 'content-type': contentType }), warnings: [warningOf(shown)] }
  if (!shown.rendered) return asFetched
  return { url, body: shown.bytes, headers: new Headers({ 'content-type': 'text/html; charset=utf-8' }), warnings: [] }
}

/** @throws SourceError when a page that no browser showed has no text without one */
function warningOf({ reading, failure }: ShownReading): string {
  const noText = 'code' in reading.content
  if (failure === null && noText)
    throw new SourceError('empty_content', `The page shows its text only in a browser that runs its scripts. ${chromiumHint}`)
  if (failure === null) return `The page shows little text without a browser that runs its scripts. ${chromiumHint}`
  if (noText) throw failure
  return `The page may have more text than was read, since a browser failed to run its scripts: ${failure.message}`
}
