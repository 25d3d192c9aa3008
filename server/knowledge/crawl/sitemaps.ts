import { SourceError } from '../../lib/errors.ts'
import type { Extractor } from '../extract/extractor.ts'
import { linkTarget } from './address.ts'
import type { Hosts } from './hosts.ts'
import type { Site } from './site.ts'

const maxSitemaps = 50
const sitemapBytes = 20_000_000
const timeoutMs = 30_000

/**
 * Returns the site's URLs from the sitemaps in its robots.txt, or from `/sitemap.xml`, following indexes. Unreadable sitemaps
 * are ignored, since links lead to pages as well.
 */
export async function readSitemaps(
  origin: string,
  site: Site,
  tools: { hosts: Hosts; extractor: Pick<Extractor, 'readSitemap'>; signal: AbortSignal; mostAddresses: number },
): Promise<URL[]> {
  const { sitemaps } = await tools.hosts.robots(origin)
  const named = sitemaps.length > 0 ? sitemaps : ['/sitemap.xml']
  const queue = named.map((address) => linkTarget(address, origin)).filter((url) => url !== null && site.contains(url))
  const asked = new Set<string>()
  const found = new Map<string, URL>()
  for (let url = queue.shift(); url && asked.size < maxSitemaps && found.size < tools.mostAddresses; url = queue.shift()) {
    if (asked.has(url.href)) continue
    asked.add(url.href)
    const { isIndex, addresses } = await readSitemapAt(url, tools)
    for (const address of addresses) {
      const target = linkTarget(address, url)
      if (target === null || !site.contains(target)) continue
      if (isIndex) queue.push(target)
      else if (found.size < tools.mostAddresses) found.set(target.href, target)
    }
  }
  return [...found.values()]
}

async function readSitemapAt(
  url: URL,
  { hosts, extractor, signal }: { hosts: Hosts; extractor: Pick<Extractor, 'readSitemap'>; signal: AbortSignal },
): Promise<{ isIndex: boolean; addresses: readonly string[] }> {
  try {
    const reply = await hosts.ask(url, { maxBytes: sitemapBytes, timeoutMs })
    if (reply.status === 200) return await extractor.readSitemap(reply.body, signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof SourceError)) throw error
  }
  return { isIndex: false, addresses: [] }
}
