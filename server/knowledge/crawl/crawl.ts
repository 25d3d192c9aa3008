import { setTimeout as pause } from 'node:timers/promises'
import { SourceError } from '../../lib/errors.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { Extractor } from '../extract/extractor.ts'
import type { Renderer } from '../render/renderer.ts'
import { linkTarget, pageKey } from './address.ts'
import type { Frontier, Listing, Waiting } from './frontier.ts'
import { createHosts, type HostSlots } from './hosts.ts'
import { shapesOf } from './shapes.ts'
import { isAsset, isEndless, siteOf, type SiteRules } from './site.ts'
import { readSitemaps } from './sitemaps.ts'
import { visit } from './visit.ts'

export interface CrawlPlan extends SiteRules {
  readonly root: string
  /** Maximum number of pages with text. */
  readonly maxPages: number
}

export interface CrawlLimits {
  /** Maximum size of a decoded page. */
  readonly maxBytes: number
  /** Timeout of a page. */
  readonly timeoutMs: number
  /** Time limit of the crawl from its first start, interruptions included. */
  readonly totalMs: number
  /** Delay between requests to a host whose robots.txt sets none. */
  readonly gapMs?: number
}

export interface CrawlTools {
  readonly fetch: Outbound['fetch']
  readonly extractor: Pick<Extractor, 'readPage' | 'readSitemap'>
  readonly renderer: Renderer | null
  readonly turns: HostSlots
  readonly frontier: Frontier
  readonly limits: CrawlLimits
  readonly signal: AbortSignal
  readonly now: () => Date
}

const pagesAtATime = 4
const maxDepth = 30
/** Consecutive pages of an unreachable host after which the crawl stops. */
const maxUnreachable = 8

/**
 * Visits the pages of a site, nearest first, from its root and its sitemaps, and records the outcomes in the frontier. Resumed
 * on the same frontier, it continues with the waiting pages.
 * @throws SourceError if the robots.txt of the root cannot be fetched
 */
export async function crawl(plan: CrawlPlan, tools: CrawlTools): Promise<void> {
  const { frontier, limits, now } = tools
  const failing = new AbortController()
  const signal = AbortSignal.any([tools.signal, failing.signal])
  const root = linkTarget(plan.root, plan.root)
  if (root === null) throw new SourceError('fetch_failed', 'The address is too long.')
  const site = siteOf(root, plan)
  const hosts = createHosts({ fetch: tools.fetch, turns: tools.turns, signal, ...(limits.gapMs !== undefined && { gapMs: limits.gapMs }) })
  const before = await frontier.progress()
  const shapes = shapesOf(before.shapes)
  const mostListed = plan.maxPages * 4 + 1_000
  const mostAsked = plan.maxPages * 3 + 200
  const endsAt = (before.startedAt ?? now()).getTime() + limits.totalMs
  let { listed, asked, kept } = before
  let unreachable = 0
  /** Keys that this run has listed, which most links lead to. */
  const listedKeys = new Set<string>()

  /** Another scheme or host name may be broken: without its robots.txt, nothing of it is allowed. */
  async function allows(url: URL): Promise<boolean> {
    try {
      return (await hosts.robots(url.origin)).allows(url)
    } catch (error) {
      if (signal.aborted || url.origin === root?.origin || !(error instanceof SourceError)) throw error
      return false
    }
  }

  /** Returns the URLs of the site that a page links to, each with the reason to skip it, if any. */
  async function listings(urls: readonly URL[], depth: number, hops: number, from: URL | null): Promise<Listing[]> {
    const found: Listing[] = []
    for (const url of urls) {
      if (found.length >= mostListed - listed || depth > maxDepth) break
      if (!site.contains(url) || isAsset(url) || isEndless(url) || (from !== null && shapes.isEndless(from, url))) continue
      const key = pageKey(url)
      if (listedKeys.has(key)) continue
      listedKeys.add(key)
      const skip = !(await allows(url)) ? 'robots_disallowed' : depth > 0 && site.excludes(url) ? 'excluded' : null
      found.push({ url, key, depth, hops, skip })
    }
    return found
  }

  async function process(page: Waiting): Promise<void> {
    const result = await visit(page, { site, hosts, extractor: tools.extractor, renderer: tools.renderer, frontier, limits, signal })
    if ('later' in result) {
      const { waitMs, ...change } = result.later
      return frontier.postpone(page, { ...change, dueAt: new Date(now().getTime() + waitMs) })
    }
    unreachable = result.unreachable === true ? unreachable + 1 : 0
    const { outcome, redirectsTo } = result
    const read = typeof outcome.serves === 'object' ? outcome.serves.read : outcome.serves === 'last' ? page.last : null
    if (read !== null) shapes.add(page.url, read.shapeHash)
    const found =
      redirectsTo === undefined
        ? await listings(result.leadsTo, page.depth + 1, 0, page.url)
        : await listings([redirectsTo], page.depth, page.hops + 1, null)
    const leftOut = page.depth === 0 && site.excludes(page.url) && outcome.serves !== 'nothing'
    listed += await frontier.settle(
      page,
      leftOut ? { ...outcome, status: 'skipped', reason: 'excluded', serves: 'nothing' } : outcome,
      found,
    )
    asked++
    if (outcome.serves !== 'nothing' && !leftOut) kept++
  }

  async function visitAll(): Promise<'page_limit' | 'time_limit' | 'fetch_failed' | null> {
    const flying = new Map<string, Promise<void>>()
    try {
      for (;;) {
        signal.throwIfAborted()
        const limit = now().getTime() >= endsAt ? 'time_limit' : unreachable >= maxUnreachable ? 'fetch_failed' : null
        const full = kept + flying.size >= plan.maxPages || asked + flying.size >= mostAsked
        const taken = new Set(flying.keys())
        const next = limit === null && !full && taken.size < pagesAtATime ? await frontier.next(taken) : null
        if (next !== null && 'id' in next) {
          const flight = process(next).finally(() => flying.delete(next.id))
          flight.catch((error: unknown) => failing.abort(error))
          flying.set(next.id, flight)
        } else if (next !== null) {
          const moment = Math.min(Math.max(0, next.getTime() - now().getTime()), 1_000)
          await Promise.race([...flying.values(), pause(moment, undefined, { signal })])
        } else if (taken.size > 0) {
          // A page that was in flight when the frontier was asked may have been postponed since.
          if (flying.size > 0) await Promise.race(flying.values())
        } else return limit ?? (full ? 'page_limit' : null)
      }
    } catch (error) {
      failing.abort(error)
      throw error
    } finally {
      await Promise.allSettled(flying.values())
    }
  }

  await hosts.robots(root.origin)
  listed += await frontier.list(await listings([root], 0, 0, null))
  const first = await frontier.next(new Set())
  if (first !== null && 'id' in first && first.depth === 0) await process(first)
  const named = await readSitemaps(root.origin, site, { ...tools, hosts, signal, mostAddresses: mostListed - listed })
  listed += await frontier.list(await listings(named, 1, 0, null))
  const end = await visitAll()
  if (end === 'fetch_failed') await frontier.settleRest({ status: 'failed', reason: end, serves: 'last' })
  else if (end === 'time_limit') await frontier.settleRest({ status: 'skipped', reason: end, serves: 'last' })
  else if (end === 'page_limit') await frontier.settleRest({ status: 'skipped', reason: end, serves: 'nothing' })
}
