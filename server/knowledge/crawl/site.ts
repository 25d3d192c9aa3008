import { matchesGlob } from './glob.ts'

export interface SiteRules {
  /**
   * Globs, see `matchesGlob`: over the path, with or without its query; over the whole address where they begin with http;
   * over the last segment of the path where they have no slash. None includes all.
   */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

export interface Site {
  /** The same host, with or without www, by http or https; another port is another site. */
  contains(url: URL): boolean
  /** What the rules leave out. */
  excludes(url: URL): boolean
}

export function siteOf(root: URL, rules: SiteRules): Site {
  const home = placeOf(root)
  return {
    contains: (url) => placeOf(url) === home,
    excludes: (url) =>
      (rules.include.length > 0 && !rules.include.some((glob) => applies(glob, url))) || rules.exclude.some((glob) => applies(glob, url)),
  }
}

function placeOf(url: URL): string {
  return `${url.hostname.replace(/^www\./, '').replace(/\.$/, '')}:${url.port}`
}

function applies(glob: string, url: URL): boolean {
  if (/^https?:\/\//i.test(glob)) return matchesGlob(glob, url.href)
  if (!glob.includes('/')) return matchesGlob(glob, url.pathname.slice(url.pathname.lastIndexOf('/') + 1))
  const pattern = glob.startsWith('/') || glob.startsWith('**') ? glob : `/${glob}`
  return matchesGlob(pattern, url.pathname) || matchesGlob(pattern, url.pathname + url.search)
}

const noPage = new Set(
  (
    'css js mjs map json xml rss atom wasm png jpg jpeg gif svg webp avif ico bmp tif tiff psd woff woff2 ttf otf eot mp3 m4a wav ogg oga flac ' +
    'mp4 m4v webm ogv avi mov mkv flv zip gz tgz bz2 xz zst 7z rar tar exe dmg pkg msi deb rpm apk iso img jar bin'
  ).split(' '),
)

/** By its name no page and no document, but a part of one, or a file that holds no text to read. */
export function isAsset(url: URL): boolean {
  const extension = /\.(\w+)$/.exec(url.pathname)?.[1]?.toLowerCase()
  return extension !== undefined && noPage.has(extension)
}

const mostSegments = 16
const mostParameters = 10

/** Addresses that programs make without end: very deep ones, and those in which the same segments come again and again. */
export function isEndless(url: URL): boolean {
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  if (segments.length > mostSegments || url.searchParams.size > mostParameters) return true
  return [1, 2, 3, 4].some((period) => repeatsThrice(segments, period))
}

function repeatsThrice(segments: readonly string[], period: number): boolean {
  let equal = 0
  for (let at = period; at < segments.length; at++) {
    equal = segments[at] === segments[at - period] ? equal + 1 : 0
    if (equal >= 2 * period) return true
  }
  return false
}
