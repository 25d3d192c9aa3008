import { SourceError } from '../../lib/errors.ts'
import { linkTarget } from '../crawl/address.ts'
import { siteOf } from '../crawl/site.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { ExtractInput } from '../extract/draft.ts'
import type { Extractor } from '../extract/extractor.ts'

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
  const { facts, content } = await extractor.readPage(input, signal)
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
