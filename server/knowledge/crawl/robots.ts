/** The rules of a robots.txt for this crawler. */
export interface Robots {
  allows(url: URL): boolean
  /** Delay between requests; null if not set. */
  readonly crawlDelayMs: number | null
  /** As written; valid ones are absolute URLs. */
  readonly sitemaps: readonly string[]
}

/** RFC 9309 §2.5: a crawler reads at least 500 KiB. */
export const robotsBytes = 512_000
const maxRuleLength = 2000
/** Maximum crawl delay: a site could not be read at a longer one. */
const maxDelayMs = 60_000

interface Rule {
  readonly allow: boolean
  readonly length: number
  /** The literals between the asterisks. */
  readonly pieces: readonly string[]
  /** Whether the pattern ends in `$`. */
  readonly anchored: boolean
}

interface Group {
  readonly agents: string[]
  readonly rules: Rule[]
  crawlDelayMs: number | null
}

const everythingAllowed: Robots = { allows: () => true, crawlDelayMs: null, sitemaps: [] }

/**
 * Parses a robots.txt (RFC 9309). All groups for the crawler apply together, or else those for `*`. The longest matching rule
 * decides; between equal lengths, allow wins. Crawl-delay and Sitemap are read as is common practice.
 * @param agent the product token, for example `groundwork`
 */
export function parseRobots(text: string, agent: string): Robots {
  const { groups, sitemaps } = groupsOf(text)
  const named = groups.filter(({ agents }) => agents.includes(agent.toLowerCase()))
  const chosen = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'))
  const rules = chosen.flatMap((group) => group.rules).toSorted((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow))
  return {
    allows: (url) => {
      const path = normalized(url.pathname + url.search)
      return url.pathname === '/robots.txt' || (rules.find((rule) => matches(rule, path))?.allow ?? true)
    },
    crawlDelayMs: chosen.find(({ crawlDelayMs }) => crawlDelayMs !== null)?.crawlDelayMs ?? null,
    sitemaps,
  }
}

function groupsOf(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = []
  const sitemaps: string[] = []
  let collecting = false
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    const [, field = '', rest = ''] = /^\s*([\w-]+)\s*:(.*)$/.exec(line.slice(0, 2 * maxRuleLength)) ?? []
    const name = field.toLowerCase()
    const value = (name === 'sitemap' ? rest.replace(/\s#.*$/, '') : rest.replace(/#.*$/, '')).trim()
    const group = groups.at(-1)
    if (name === 'user-agent') {
      const agent = /^(?:\*|[a-z_-]+)/i.exec(value)?.[0].toLowerCase() ?? ''
      if (collecting && group) group.agents.push(agent)
      else groups.push({ agents: [agent], rules: [], crawlDelayMs: null })
      collecting = true
    } else if (name === 'allow' || name === 'disallow') {
      collecting = false
      if (value !== '' && value.length <= maxRuleLength) group?.rules.push(ruleOf(value, name === 'allow'))
    } else if (name === 'crawl-delay') {
      collecting = false
      const seconds = Number(value)
      if (group && value !== '' && seconds >= 0) group.crawlDelayMs = Math.min(seconds * 1000, maxDelayMs)
    } else if (name === 'sitemap' && value !== '') sitemaps.push(value)
  }
  return { groups, sitemaps }
}

function ruleOf(value: string, allow: boolean): Rule {
  const anchored = value.endsWith('$')
  const pieces = normalized(anchored ? value.slice(0, -1) : value).split(/\*+/)
  return { allow, length: value.length, pieces, anchored }
}

/** Matches each literal at its first position after the previous one, in linear time for any pattern. */
function matches({ pieces, anchored }: Rule, path: string): boolean {
  const [first = '', ...others] = pieces
  if (!path.startsWith(first)) return false
  if (others.length === 0) return !anchored || path.length === first.length
  const last = anchored ? (others.pop() ?? '') : ''
  let at = first.length
  for (const piece of others) {
    const found = path.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return path.length - last.length >= at && path.endsWith(last)
}

/** Normalizes a path for comparison as UTF-8 octets, escaped or not (RFC 9309 §2.2.2). */
function normalized(path: string): string {
  return encodeURI(path.replace(/\p{Surrogate}/gu, '\uFFFD'))
    .replace(/%25(?=[0-9a-f]{2})/gi, '%')
    .replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())
}

/**
 * Interprets the response to the request for robots.txt (RFC 9309 §2.3.1). Returns null for 429 and 5xx: the site must not be
 * crawled until a later attempt succeeds. Any other status that is no success counts as a missing file, so everything is allowed.
 */
export function robotsOf({ status, body }: { status: number; body: Uint8Array }, agent: string): Robots | null {
  if (status >= 500 || status === 429) return null
  if (status < 200 || status >= 300) return everythingAllowed
  return parseRobots(new TextDecoder().decode(body), agent)
}
