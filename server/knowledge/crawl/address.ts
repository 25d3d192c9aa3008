const maxLength = 2000
const tracking =
  /^(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|igsh|mc_[ce]id|_ga|_gl|_hsenc|_hsmi|mkt_tok|vero_id)$/i
const session = /^(?:phpsessid|jsessionid|aspsessionid\w*|asp\.net_sessionid|cfid|cftoken|oscsid|zenid)$/i
/** Names that have other uses as well: only a long value with a digit counts as a session id. */
const maybeSession = /^(?:sid|sess|sessid|sessionid|session_id)$/i

/**
 * Returns the URL of a link without fragment, session id and tracking parameters.
 * @returns null for other schemes, for URLs with credentials, and for more than 2,000 characters
 */
export function linkTarget(href: string, base: string | URL): URL | null {
  if (!URL.canParse(href, String(base))) return null
  const url = new URL(href, base)
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.username !== '' || url.password !== '') return null
  url.hash = ''
  if (/;jsessionid=/i.test(url.pathname)) url.pathname = url.pathname.replace(/;jsessionid=[^/;]*/gi, '')
  const kept = parametersOf(url).filter((parameter) => !isPassing(parameter))
  url.search = kept.join('&')
  return url.href.length > maxLength ? null : url
}

/**
 * Returns the key that all URLs of one page of a site share: path and query, regardless of scheme and a leading www. Parameters
 * are sorted; a trailing slash and `index.html` are ignored.
 */
export function pageKey(url: URL): string {
  const path = url.pathname
    .replace(/%[0-9a-f]{2}/gi, unescaped)
    .replace(/\/index\.html?$/i, '/')
    .replace(/(?<=.)\/$/, '')
  const query = parametersOf(url)
    .map((parameter) => parameter.replace(/%[0-9a-f]{2}/gi, unescaped))
    .toSorted()
    .join('&')
  return query === '' ? path : `${path}?${query}`
}

/**
 * Returns the shape of a URL: pages of one shape differ only in numbers and parameter values, such as `/2024/05?day=7` and
 * `/2023/11?day=9`.
 */
export function pageShape(url: URL): string {
  const names = parametersOf(url).map((parameter) => parameter.split('=')[0] ?? '')
  return `${url.pathname.replace(/\d+/g, '0')}?${[...new Set(names)].toSorted().join('&')}`
}

function parametersOf(url: URL): string[] {
  return url.search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '')
}

function isPassing(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=')
  return tracking.test(name) || session.test(name) || (maybeSession.test(name) && /^(?=.*\d)[\w-]{16,}$/.test(value))
}

/** Decodes escaped unreserved characters and capitalizes hexadecimal digits (RFC 3986 §6.2.2). */
function unescaped(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
}
