import { SourceError } from '../../lib/errors.ts'
import { createCookies } from '../../outbound/cookies.ts'
import { maxRedirects, type Outbound, type OutboundRequest, type OutboundResponse } from '../../outbound/outbound.ts'
import { isRedirect } from '../../outbound/redirect.ts'
import { linkTarget, pageKey } from '../crawl/address.ts'
import { isNamedSignIn } from '../crawl/sign-in.ts'
import type { PageReading } from '../extract/read-page.ts'

/** The requests for one page: they share cookies and the number of redirects, those in the page itself included. */
export interface PageVisit {
  fetch(url: string, headers?: Readonly<Record<string, string>>): Promise<OutboundResponse>
  /** Fetches the target of a redirect in a page. @throws SourceError fetch_failed after too many redirects, and as `fetch` */
  follow(from: string, to: string): Promise<OutboundResponse>
}

export function createPageVisit(
  outbound: Pick<Outbound, 'fetch'>,
  limits: Pick<OutboundRequest, 'maxBytes' | 'timeoutMs' | 'signal'>,
): PageVisit {
  const cookies = createCookies()
  let redirects = 0
  async function fetch(url: string, headers: Readonly<Record<string, string>> = {}): Promise<OutboundResponse> {
    const left = maxRedirects - redirects
    const reply = await outbound.fetch(url, { ...limits, headers, cookies, maxRedirects: left })
    // Without redirects left, the redirect itself is returned.
    if (left === 0 && isRedirect(reply.status, reply.headers)) throw tooManyRedirects(url)
    redirects += reply.redirects
    return reply
  }
  return {
    fetch,
    async follow(from, to) {
      if (++redirects > maxRedirects) throw tooManyRedirects(from)
      return fetch(to)
    },
  }
}

function tooManyRedirects(url: string): SourceError {
  return new SourceError('fetch_failed', `${new URL(url).host} redirects more than ${maxRedirects} times.`)
}

/** Returns the target of a meta refresh to another page; null without one. */
export function refreshTarget(url: string, { facts }: Pick<PageReading, 'facts'>): string | null {
  if (facts === null || facts.refresh === null) return null
  const target = linkTarget(facts.refresh, linkTarget(facts.base ?? '', url) ?? url)
  return target === null || isSamePage(target, new URL(url)) ? null : target.href
}

/** Characters of a page with hardly more than a form. */
const shortPage = 500

/**
 * Refuses a sign-in form that a redirect led to: its text is not the content of the page.
 * @throws SourceError fetch_failed
 */
export function refuseSignIn(requested: string, reached: string, { facts, content }: PageReading): void {
  if (facts === null || facts.asksFor === null) return
  const [from, to] = [new URL(requested), new URL(reached)]
  if (isSamePage(from, to)) return
  const length = 'document' in content ? content.document.text.length : 0
  if (!isNamedSignIn(to) && (facts.asksFor !== 'password' || length > shortPage)) return
  throw new SourceError(
    'fetch_failed',
    `${from.host} redirects to a sign-in page (${to.origin}${to.pathname}). Only public pages can be read.`,
  )
}

function isSamePage(one: URL, other: URL): boolean {
  return bareHost(one) === bareHost(other) && pageKey(one) === pageKey(other)
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^www\./, '')
}
