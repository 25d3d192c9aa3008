import { gunzipSync } from 'node:zlib'
import { SourceError } from '../../lib/errors.ts'

/** Limits of sitemaps.org: 50,000 URLs and 50 MB uncompressed. */
const maxUrls = 50_000
const maxBytes = 52_428_800

export interface Sitemap {
  /** Whether its URLs are those of further sitemaps. */
  readonly isIndex: boolean
  readonly addresses: readonly string[]
}

/**
 * Reads a sitemap or an index of sitemaps, as XML or lines of text, compressed or not. Scans rather than parses it, since many
 * are not well formed. Runs in the parser process, see `Extractor.readSitemap`.
 * @throws SourceError too_large, corrupt_file
 */
export function readSitemap(bytes: Uint8Array): Sitemap {
  const text = new TextDecoder().decode(unpacked(bytes))
  if (!/<(?:urlset|sitemapindex)[\s>]/.test(text.slice(0, 10_000))) {
    const lines = text.split(/\r\n?|\n/, maxUrls)
    return { isIndex: false, addresses: lines.map((line) => line.trim()).filter((line) => /^https?:\/\//i.test(line)) }
  }
  const addresses: string[] = []
  for (const [, content = ''] of text.matchAll(/<loc>([^<]*|\s*<!\[CDATA\[[^\]]*\]\]>\s*)<\/loc>/g)) {
    if (addresses.length === maxUrls) break
    addresses.push(plain(content))
  }
  return { isIndex: /<sitemapindex[\s>]/.test(text.slice(0, 10_000)), addresses }
}

function unpacked(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw tooLarge
      ? new SourceError('too_large', 'The sitemap is larger than 50 MB.')
      : new SourceError('corrupt_file', 'The sitemap is damaged and cannot be unpacked.')
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function plain(content: string): string {
  const literal = /<!\[CDATA\[([^\]]*)\]\]>/.exec(content)
  if (literal) return (literal[1] ?? '').trim()
  return content.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole).trim()
}
