import { expectOk } from '../../outbound/expect-ok.ts'
import { fileKey, keepFile, type Document } from '../rows/documents.ts'
import type { Attempt } from '../rows/attempt.ts'
import { renderedPage, type PageServices } from './shown-page.ts'

const maxBytes = 50_000_000
const timeoutMs = 60_000

/**
 * Fetches a URL and stores the response as the document's original; a page that needs scripts is stored as a browser renders
 * it.
 * @param serving the previous response, for a conditional request
 * @returns the document with its file, or null if it has not changed (304)
 * @throws SourceError if the URL cannot be fetched or has no text; Superseded
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
  const limits = { maxBytes, timeoutMs, signal: attempt.signal }
  const reply = await services.outbound.fetch(url, { ...limits, headers })
  if (reply.status === 304 && serving !== null && Object.keys(headers).length > 0) return null
  const page = await renderedPage(expectOk(reply), services, limits)
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
      media_type: contentType,
      canonical_url: page.url,
      etag: page.headers.get('etag'),
      last_modified: page.headers.get('last-modified'),
      warnings: page.warnings,
    },
  )
}
