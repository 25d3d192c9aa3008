import type { Selectable } from 'kysely'
import type { SourcePageTable } from '../../db/schema.ts'
import { pageKey } from './address.ts'

/** A page with text. */
export interface MergePage {
  readonly id: string
  readonly key: string
  readonly url: string
  readonly title: string | null
  readonly canonicalUrl: string | null
  readonly textHash: string | null
}

type PageRow = Pick<Selectable<SourcePageTable>, 'id' | 'key' | 'url' | 'title' | 'canonical_url' | 'text_hash'>

/** Returns the duplicates among rows of pages, see `mergeDuplicates`. */
export const mergeRows = (rows: readonly PageRow[]): Map<string, MergePage> =>
  mergeDuplicates(
    rows.map(({ id, key, url, title, canonical_url, text_hash }) => ({
      id,
      key,
      url,
      title,
      canonicalUrl: canonical_url,
      textHash: text_hash,
    })),
  )

/**
 * Returns the duplicates by id with the page that represents each: pages with the same text, and pages whose canonical URL is
 * the other one. A canonical URL with another path counts only if the titles are equal, since some sites declare their home
 * page on every page.
 * @param pages nearest first; nearer pages represent the others
 */
export function mergeDuplicates(pages: readonly MergePage[]): Map<string, MergePage> {
  const byKey = new Map(pages.map((page) => [page.key, page]))
  const merged = new Map<string, MergePage>()
  const standingFor = (page: MergePage): MergePage => {
    const other = merged.get(page.id)
    return other === undefined ? page : standingFor(other)
  }
  for (const page of pages) {
    const canonical = canonicalOf(page, byKey)
    // One page of a cycle of canonical URLs remains.
    const representative = canonical && standingFor(canonical)
    if (representative !== null && representative.id !== page.id) merged.set(page.id, representative)
  }
  const byText = new Map<string, MergePage>()
  for (const page of pages) {
    if (merged.has(page.id) || page.textHash === null) continue
    const first = byText.get(page.textHash)
    if (first === undefined) byText.set(page.textHash, page)
    else merged.set(page.id, first)
  }
  return new Map([...merged].map(([id, page]) => [id, standingFor(page)]))
}

function canonicalOf(page: MergePage, byKey: ReadonlyMap<string, MergePage>): MergePage | null {
  if (page.canonicalUrl === null || !URL.canParse(page.canonicalUrl)) return null
  const canonical = byKey.get(pageKey(new URL(page.canonicalUrl)))
  if (canonical === undefined || canonical.id === page.id) return null
  const samePath = new URL(canonical.url).pathname === new URL(page.url).pathname
  return samePath || canonical.title === page.title || canonical.textHash === page.textHash ? canonical : null
}
