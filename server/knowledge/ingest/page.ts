import { sourceWarning, type SourceWarning } from '@groundwork/api'
import { SourceError } from '../../lib/errors.ts'
import { expectOk } from '../../outbound/expect-ok.ts'
import type { Outbound, OutboundResponse } from '../../outbound/outbound.ts'
import { linkTarget } from '../crawl/address.ts'
import { siteOf } from '../crawl/site.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { ExtractInput } from '../extract/draft.ts'
import type { Extractor } from '../extract/extractor.ts'
import type { PageReading } from '../extract/read-page.ts'
import { chromiumHint, readShown, type ReadTools, type ShownReading } from '../render/read-shown.ts'
import type { Attempt } from '../rows/attempt.ts'
import { fileKey, keepFile, type Document } from '../rows/documents.ts'
import { createPageVisit, refreshTarget, refuseSignIn, type PageVisit } from './page-visit.ts'

export interface PageServices extends ReadTools {
  readonly outbound: Pick<Outbound, 'fetch'>
}

export interface StoredPage {
  /** Its URL after redirects. */
  readonly url: string
  readonly body: Uint8Array
  readonly headers: Headers
  /** Sentences for users. */
  readonly warnings: SourceWarning[]
}

const maxBytes = 50_000_000
const timeoutMs = 60_000
/** Web pages are smaller; larger replies are not rendered in a browser. */
const maxPageBytes = 5_000_000
/**
 * Fetches a URL and stores the response as the document's original; a page that needs scripts is stored as a browser renders
 * it.
 * @param serving the previous response, for a conditional request
 * @returns the document with its file, or null if it has not changed (304)
 * @throws SourceError if the URL cannot be fetched, leads to a sign-in form, or has no text; Superseded
 */
export async function fetchPage(
  attempt: Attempt,
  services: PageServices,
  document: Document,
  url: string,
  serving: Document | null,
): Promise<Document | null> {
  const headers = {
    ...(typeof serving?.etag === 'string' && { 'if-none-match': serving.etag }),
    ...(typeof serving?.last_modified === 'string' && { 'if-modified-since': serving.last_modified }),
  }
  const visit = createPageVisit(services.outbound, { maxBytes, timeoutMs, signal: attempt.signal })
  const reply = await visit.fetch(url, headers)
  if (reply.status === 304 && serving !== null && Object.keys(headers).length > 0) return null
  const page = await renderedPage(url, expectOk(reply), { ...services, visit, signal: attempt.signal })
  const key = fileKey(attempt, 'originals', document)
  const contentType = page.headers.get('content-type')
  return keepFile(
    attempt,
    document,
    'original_key',
    { key, bytes: page.body },
    {
      bytes: page.body.length,
      content_type: contentType,
      media_type: contentType?.split(';', 1)[0]?.trim().toLowerCase() || null,
      canonical_url: page.url,
      etag: page.headers.get('etag'),
      last_modified: page.headers.get('last-modified'),
      warnings: page.warnings,
    },
  )
}

/**
 * Returns the reply to store: as it was fetched, or, for a page that needs scripts, as a browser renders it, after the redirects in
 * the page itself. A rendered page has no ETag and no time of change, since it changes without them.
 * @param requested the URL of the source
 * @throws SourceError if the page has no text or is a sign-in form, or the target of a redirect cannot be fetched; the reason of
 * `signal`
 */
async function renderedPage(
  requested: string,
  reply: OutboundResponse,
  tools: ReadTools & { visit: PageVisit; signal: AbortSignal },
): Promise<StoredPage> {
  const asFetched = { ...reply, warnings: [] }
  const isPage = /html/i.test(reply.headers.get('content-type') ?? 'html') && reply.body.length <= maxPageBytes
  if (!isPage) return asFetched
  const shown = await readShown(reply, tools, tools.signal)
  const target = shown.movedTo ?? refreshTarget(reply.url, shown.reading)
  if (target !== null) return renderedPage(requested, expectOk(await tools.visit.follow(reply.url, target)), tools)
  refuseSignIn(requested, reply.url, shown.reading)
  const contentType = reply.headers.get('content-type') ?? 'text/html'
  const { url } = reply
  if (shown.thin) return { url, body: reply.body, headers: new Headers({ 'content-type': contentType }), warnings: [warningOf(shown)] }
  if (!shown.rendered) return asFetched
  return { url, body: shown.bytes, headers: new Headers({ 'content-type': 'text/html; charset=utf-8' }), warnings: [] }
}

/**
 * Returns the warning about a page that was not rendered.
 * @throws SourceError if the page has no text without a browser
 */
function warningOf({ reading, failure }: ShownReading): SourceWarning {
  const noText = 'code' in reading.content
  if (failure === null && noText)
    throw new SourceError('empty_content', `The page shows its text only in a browser that runs its scripts. ${chromiumHint}`)
  if (failure === null) return sourceWarning('page_little_text', { hint: chromiumHint })
  if (noText) throw failure
  return sourceWarning('page_not_rendered', { reason: failure.message })
}

/**
 * Returns the text of a page and its canonical URL.
 * @param page `fetchedFrom` is its URL after redirects
 * @throws SourceError as `extract`
 */
export async function extractPage(
  extractor: Pick<Extractor, 'readPage'>,
  { fetchedFrom, ...input }: ExtractInput & { fetchedFrom: string },
  signal: AbortSignal,
): Promise<{ document: ExtractedDocument; canonicalUrl: string }> {
  return pageDocument(await extractor.readPage(input, signal), fetchedFrom)
}

/**
 * Returns the text of a page that was read, and its canonical URL.
 * @param fetchedFrom its URL after redirects
 * @throws SourceError the reason why it has no text
 */
export function pageDocument({ facts, content }: PageReading, fetchedFrom: string): { document: ExtractedDocument; canonicalUrl: string } {
  if ('code' in content) throw new SourceError(content.code, content.message)
  return { document: content.document, canonicalUrl: canonicalAddress(fetchedFrom, facts?.base ?? null, facts?.canonical ?? null) }
}

/**
 * Returns the canonical URL of a page if it belongs to the same site. Some sites declare their home page on every page; for
 * other pages that is ignored.
 */
export function canonicalAddress(address: string, base: string | null, canonical: string | null): string {
  const at = new URL(address)
  const named = canonical === null ? null : linkTarget(canonical, linkTarget(base ?? '', at) ?? at)
  if (named === null || !siteOf(at, { include: [], exclude: [] }).contains(named)) return address
  return named.pathname === '/' && named.search === '' && at.pathname !== '/' ? address : named.href
}
