/** The cookies of one fetch or crawl, in memory. */
export interface Cookies {
  /** Returns the value of the Cookie header for a URL; null without cookies. */
  header(url: URL): string | null
  /** Stores the cookies of a response. */
  store(url: URL, headers: Headers): void
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  readonly secure: boolean
  /** Milliseconds since 1970; Infinity for a cookie of the session. */
  readonly expires: number
}

const limits = { hosts: 100, cookiesPerHost: 50, cookieLength: 4_096 }

/**
 * Creates an empty set of cookies (RFC 6265) that are scoped by host: each is sent back to the host name that set it, never to
 * another one, whatever its Domain attribute says.
 */
export function createCookies(now: () => number = Date.now): Cookies {
  const hosts = new Map<string, Map<string, Cookie>>()
  return {
    header(url) {
      const found = [...(hosts.get(url.hostname)?.values() ?? [])].filter(
        ({ path, secure, expires }) => coversPath(path, url.pathname) && (!secure || url.protocol === 'https:') && expires > now(),
      )
      return found.length === 0 ? null : found.map(({ name, value }) => `${name}=${value}`).join('; ')
    },
    store(url, headers) {
      for (const line of headers.getSetCookie()) {
        const cookie = line.length <= limits.cookieLength ? parseCookie(line, url, now()) : null
        if (cookie === null || (hosts.size >= limits.hosts && !hosts.has(url.hostname))) continue
        const own = hosts.get(url.hostname) ?? new Map<string, Cookie>()
        hosts.set(url.hostname, own)
        const key = `${cookie.name} ${cookie.path}`
        if (cookie.expires <= now()) own.delete(key)
        else if (own.size < limits.cookiesPerHost || own.has(key)) own.set(key, cookie)
      }
    },
  }
}

function parseCookie(line: string, url: URL, now: number): Cookie | null {
  const [pair = '', ...parts] = line.split(';')
  const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
  if (name === '') return null
  const attributes = new Map(
    parts.map((part) => {
      const [key = '', ...rest] = part.split('=')
      return [key.trim().toLowerCase(), rest.join('=').trim()] as const
    }),
  )
  const secure = attributes.has('secure')
  if (secure && url.protocol !== 'https:') return null
  const path = attributes.get('path') ?? ''
  return { name, value, path: path.startsWith('/') ? path : defaultPath(url), secure, expires: expiryOf(attributes, now) }
}

function expiryOf(attributes: ReadonlyMap<string, string>, now: number): number {
  const maxAge = attributes.get('max-age') ?? ''
  if (/^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0 ? 0 : now + Number(maxAge) * 1_000
  const date = Date.parse(attributes.get('expires') ?? '')
  return Number.isNaN(date) ? Infinity : date
}

function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf('/')) || '/'
}

function coversPath(path: string, pathname: string): boolean {
  return pathname === path || (pathname.startsWith(path) && (path.endsWith('/') || pathname[path.length] === '/'))
}
