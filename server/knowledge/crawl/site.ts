import { matchesGlob } from './glob.ts'

export interface SiteRules {
  /**
   * Globs, see `matchesGlob`. They match the path, with or without its query; patterns that begin with http match the whole
   * URL; patterns without a slash match the last path segment. An empty list includes everything.
   */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

export interface Site {
  /** Returns whether a URL belongs to the site: the same host, with or without www, by http or https; another port is another site. */
  contains(url: URL): boolean
  /** Returns whether the rules exclude a URL. */
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
  if (/^(?:https?|\{https?,https?\}):\/\//i.test(glob)) return matchesGlob(glob, url.href)
  if (!glob.includes('/')) return matchesGlob(glob, url.pathname.slice(url.pathname.lastIndexOf('/') + 1))
  // The alternatives at the beginning of a glob may have a slash each, or none.
  const patterns = glob.startsWith('/') || glob.startsWith('**') ? [glob] : glob.startsWith('{') ? [glob, `/${glob}`] : [`/${glob}`]
  return patterns.some((pattern) => matchesGlob(pattern, url.pathname) || matchesGlob(pattern, url.pathname + url.search))
}

const noPage = new Set(
  (
    'css js mjs map json xml rss atom wasm png jpg jpeg gif svg webp avif ico bmp tif tiff psd woff woff2 ttf otf eot mp3 m4a wav ogg oga flac ' +
    'mp4 m4v webm ogv avi mov mkv flv zip gz tgz bz2 xz zst 7z rar tar exe dmg pkg msi deb rpm apk iso img jar bin'
  ).split(' '),
)

/** Returns whether a URL is, by its file name, an asset of a page or a file without text. */
export function isAsset(url: URL): boolean {
  const extension = /\.(\w+)$/.exec(url.pathname)?.[1]?.toLowerCase()
  return extension !== undefined && noPage.has(extension)
}

const maxSegments = 16
const maxParameters = 10

/** Returns whether a URL belongs to an infinite space: very deep paths, and paths that repeat segments. */
export function isEndless(url: URL): boolean {
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  if (segments.length > maxSegments || url.searchParams.size > maxParameters) return true
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
