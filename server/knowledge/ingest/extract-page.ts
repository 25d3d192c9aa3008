import { SourceError } from '../../lib/errors.ts'
import { linkTarget } from '../crawl/address.ts'
import { siteOf } from '../crawl/site.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { ExtractInput } from '../extract/draft.ts'
import type { Extractor } from '../extract/extractor.ts'

/**
 * What is read at an address, and the address that stands for it.
 * @param page `fetchedFrom` is where it was found, behind redirects
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
 * The address that a page names as canonical, if it is of the page's own site. Some sites name their front page on every
 * page; of another page that is not believed.
 */
export function canonicalAddress(address: string, base: string | null, canonical: string | null): string {
  const at = new URL(address)
  const named = canonical === null ? null : linkTarget(canonical, linkTarget(base ?? '', at) ?? at)
  if (named === null || !siteOf(at, { include: [], exclude: [] }).contains(named)) return address
  return named.pathname === '/' && named.search === '' && at.pathname !== '/' ? address : named.href
}
