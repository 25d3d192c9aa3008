import { createHash } from 'node:crypto'
import type { PageReason } from '@groundwork/api'
import { SourceError } from '../../lib/errors.ts'
import { maxRedirects, type OutboundResponse } from '../../outbound/outbound.ts'
import { readShown, type ReadTools, type ShownReading } from '../render/read-shown.ts'
import { linkTarget, pageKey } from './address.ts'
import type { Frontier, LastRead, NewRead, Outcome, Waiting } from './frontier.ts'
import { retryAfterMs, type Hosts } from './hosts.ts'
import { indexingRules } from '../render/indexing-rules.ts'
import { isSignInForm } from './sign-in.ts'
import type { Site } from './site.ts'

/** The result of a visit: an outcome with the links of the page, or a later visit. */
export type Visit =
  | { readonly outcome: Outcome; readonly leadsTo: readonly URL[]; readonly redirectsTo?: URL; readonly unreachable?: boolean }
  | { readonly later: { readonly url: URL; readonly hops: number; readonly tries: number; readonly waitMs: number } }

export interface VisitTools extends ReadTools {
  readonly site: Site
  readonly hosts: Hosts
  readonly frontier: Pick<Frontier, 'content'>
  readonly limits: { readonly maxBytes: number; readonly timeoutMs: number }
  readonly signal: AbortSignal
}

/** Visits before a page counts as failed: when the host asks to come later, and after errors. */
const maxTries = { later: 4, failed: 3 }

export async function visit(page: Waiting, tools: VisitTools): Promise<Visit> {
  const { hosts, limits, signal } = tools
  try {
    // The page may have been listed under another URL of the same key.
    if (!(await hosts.robots(page.url.origin)).allows(page.url))
      return { outcome: nothing('skipped', 'robots_disallowed', null), leadsTo: [] }
    const reply = await hosts.ask(page.url, { ...limits, headers: headersFor(page, tools) })
    return await judge(page, reply, tools)
  } catch (error) {
    if (signal.aborted || !(error instanceof SourceError)) throw error
    // A page that timed out is likely to time out again.
    if (error.retryable && error.code !== 'timeout' && page.tries + 1 < maxTries.failed) return again(page, 1_000 * 4 ** page.tries)
    const reason = reasonOf(error)
    return { ...(await failed(page, reason, null, tools)), unreachable: error.retryable }
  }
}

const acceptable = 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5'

/** Builds conditional request headers (RFC 9110 §13.1). */
function headersFor({ last }: Waiting, tools: VisitTools): Record<string, string> {
  if (last === null || wantsBrowser(last, tools)) return { accept: acceptable }
  return {
    accept: acceptable,
    ...(last.etag !== null && { 'if-none-match': last.etag }),
    ...(last.lastModified !== null && { 'if-modified-since': last.lastModified }),
  }
}

/** Returns whether a page needs a browser: a page filled by scripts changes although the fetched bytes do not. */
function wantsBrowser(last: LastRead, { renderer }: VisitTools): boolean {
  return last.rendered || (last.thin && renderer !== null)
}

async function judge(page: Waiting, reply: OutboundResponse, tools: VisitTools): Promise<Visit> {
  const { status, headers } = reply
  if (status === 304 && page.last !== null) return unchanged(page, status, tools)
  if (status >= 300 && status < 400 && headers.has('location')) {
    const to = linkTarget(headers.get('location') ?? '', page.url)
    // A site that wants cookies redirects to the same URL with a cookie, which the next request sends.
    if (to?.href === page.url.href && headers.has('set-cookie') && page.hops < maxRedirects) return elsewhere(page, to)
    return moved(page, to, status, tools)
  }
  if (status >= 200 && status < 300) return read(page, reply, tools)
  if (status === 429 || status === 503) {
    const waitMs = retryAfterMs(headers) ?? 2_000 * 2 ** page.tries
    await tools.hosts.rest(page.url, waitMs)
    return page.tries + 1 < maxTries.later ? again(page, waitMs) : failed(page, 'rate_limited', status, tools)
  }
  if (status >= 500 && page.tries + 1 < maxTries.failed) return again(page, 1_000 * 4 ** page.tries)
  return failed(page, status === 404 || status === 410 ? 'not_found' : 'fetch_failed', status, tools)
}

function again(page: Waiting, waitMs: number): Visit {
  return { later: { url: page.url, hops: page.hops, tries: page.tries + 1, waitMs } }
}

function elsewhere(page: Waiting, url: URL): Visit {
  return { later: { url, hops: page.hops + 1, tries: page.tries, waitMs: 0 } }
}

/** Handles a redirect. URLs of one key are one page, which is visited under the new URL. */
function moved(page: Waiting, to: URL | null, status: number, { site }: VisitTools): Visit {
  if (to === null || !site.contains(to)) {
    return { outcome: { ...nothing('skipped', 'off_site', status), ...(to !== null && { standInUrl: to.href }) }, leadsTo: [] }
  }
  if (page.hops < maxRedirects && pageKey(to) === page.key && to.href !== page.url.href) {
    return elsewhere(page, to)
  }
  if (page.hops >= maxRedirects) return { outcome: nothing('failed', 'too_many_redirects', status), leadsTo: [] }
  return { outcome: { ...nothing('skipped', 'redirect', status), standInUrl: to.href }, leadsTo: [], redirectsTo: to }
}

async function read(page: Waiting, reply: OutboundResponse, tools: VisitTools): Promise<Visit> {
  const { status, headers } = reply
  const bodyHash = sha256(reply.body)
  const byHeader = indexingRules([], headers.get('x-robots-tag'))
  const { last } = page
  if (last?.bodyHash === bodyHash && byHeader.index && !wantsBrowser(last, tools)) return unchanged(page, status, tools, reply.body.length)
  const shown = await readShown(reply, tools, tools.signal)
  const { facts, content } = shown.reading
  const rules = indexingRules(facts?.robots ?? [], headers.get('x-robots-tag'))
  const base = linkTarget(facts?.base ?? '', page.url) ?? page.url
  const links = rules.follow ? targets(facts?.links ?? [], base) : []
  const sentTo = shown.movedTo ?? facts?.refresh ?? null
  const refresh = sentTo === null ? null : linkTarget(sentTo, base)
  if (refresh !== null && pageKey(refresh) !== page.key) return moved(page, refresh, status, tools)
  const canonical = facts?.canonical ? linkTarget(facts.canonical, base) : null
  const leadsTo = canonical === null ? links : [canonical, ...links]
  if (!rules.index) return { outcome: nothing('skipped', 'noindex', status), leadsTo: links }
  if (isSignInForm(page.url, shown.reading)) return { outcome: nothing('skipped', 'sign_in', status), leadsTo: links }
  // The content that a browser rendered before is more complete than the current response.
  if (shown.thin && (last?.rendered || 'code' in content)) return notShown(page, shown, status, leadsTo, tools)
  if ('code' in content) return { outcome: withoutText(content.code, status), leadsTo }
  const { document } = content
  const textHash = sha256(`${document.title}\n${document.text}`)
  const made: NewRead = {
    etag: headers.get('etag'),
    // Without a modification time, RFC 9110 §13.1.3 permits the time of the response, by the host's clock.
    lastModified: headers.get('last-modified') ?? headers.get('date'),
    bodyHash,
    textHash,
    shapeHash: sha256(document.text.replace(/-?\d+/g, '0')),
    title: document.title,
    canonicalUrl: canonical?.href ?? null,
    rendered: shown.rendered,
    thin: shown.thin,
    content: { document, links: leadsTo.map(({ href }) => href) },
  }
  const outcome: Outcome = {
    status: last?.textHash === textHash ? 'unchanged' : 'fetched',
    reason: null,
    httpStatus: status,
    serves: { read: made },
    bytes: reply.body.length,
  }
  return { outcome, leadsTo }
}

/** Handles a page without text that needs a browser, if there is none or it failed. */
async function notShown(
  page: Waiting,
  { failure }: ShownReading,
  status: number,
  leadsTo: readonly URL[],
  tools: VisitTools,
): Promise<Visit> {
  if (failure !== null || page.last?.rendered) return failed(page, failure === null ? 'thin' : 'render_failed', status, tools)
  return { outcome: nothing('skipped', 'thin', status), leadsTo }
}

function targets(links: readonly string[], base: URL): URL[] {
  return links.map((link) => linkTarget(link, base)).filter((url) => url !== null)
}

function withoutText(code: SourceError['code'], status: number): Outcome {
  return code === 'empty_content' || code === 'unsupported_type'
    ? nothing('skipped', code, status)
    : nothing('failed', reasonOf({ code }), status)
}

async function unchanged(page: Waiting, httpStatus: number, tools: VisitTools, bytes?: number): Promise<Visit> {
  const outcome: Outcome = { status: 'unchanged', reason: null, httpStatus, serves: 'last', ...(bytes !== undefined && { bytes }) }
  return { outcome, leadsTo: await linksBefore(page, tools) }
}

/**
 * Handles a failed visit. A page that no longer exists is removed. Other failed pages remain searchable as they were last read,
 * and so do the pages that they linked to.
 */
async function failed(page: Waiting, reason: PageReason, httpStatus: number | null, tools: VisitTools) {
  const lasting = reason === 'not_found' || reason === 'blocked_address' || reason === 'robots_disallowed'
  if (lasting || page.last === null) return { outcome: nothing('failed', reason, httpStatus), leadsTo: [] }
  const outcome: Outcome = { status: 'failed', reason, httpStatus, serves: 'last' }
  return { outcome, leadsTo: await linksBefore(page, tools) }
}

async function linksBefore(page: Waiting, { frontier }: VisitTools): Promise<URL[]> {
  return targets((await frontier.content(page)).links, page.url)
}

function nothing(status: Outcome['status'], reason: PageReason, httpStatus: number | null): Outcome {
  return { status, reason, httpStatus, serves: 'nothing' }
}

const pageReasons: Readonly<Partial<Record<SourceError['code'], PageReason>>> = {
  blocked_address: 'blocked_address',
  robots_disallowed: 'robots_disallowed',
  not_found: 'not_found',
  timeout: 'timeout',
  too_large: 'too_large',
  corrupt_file: 'corrupt_file',
  encrypted_file: 'encrypted_file',
  unsupported_type: 'unsupported_type',
}

function reasonOf({ code }: Pick<SourceError, 'code'>): PageReason {
  return pageReasons[code] ?? 'fetch_failed'
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
