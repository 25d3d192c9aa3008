import { sourceWarning, type SourceWarning, type PageReason, type SourceErrorCode } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { SourcePageTable } from '../../db/schema.ts'
import { SourceError } from '../../lib/errors.ts'
import { chromiumHint } from '../render/read-shown.ts'
import type { CrawlLimits } from './crawl.ts'

/** Pages are short compared with documents; four hours at the default rate are more than 50,000 pages. */
export const crawlLimits: CrawlLimits = { maxBytes: 20_000_000, timeoutMs: 30_000, totalMs: 4 * 3_600_000 }

type Page = Pick<Selectable<SourcePageTable>, 'url' | 'status' | 'reason' | 'indexed' | 'http_status' | 'thin'>

const causes: Readonly<Record<PageReason, [SourceErrorCode, string]>> = {
  robots_disallowed: ['robots_disallowed', 'The robots.txt of the site forbids to read this address.'],
  excluded: ['empty_content', 'No page of the site is among those that are included.'],
  noindex: ['empty_content', 'The site asks that its pages are not indexed.'],
  duplicate: ['empty_content', 'The site has no text.'],
  redirect: ['fetch_failed', 'The address redirects in a circle.'],
  off_site: ['fetch_failed', 'The address redirects to another site; add a source with its address instead.'],
  unsupported_type: ['unsupported_type', 'What is at the address cannot be read.'],
  empty_content: ['empty_content', 'There is no text at the address.'],
  thin: ['empty_content', `The site shows its text only in a browser that runs its scripts. ${chromiumHint}`],
  page_limit: ['empty_content', 'No page with text was found among the first ones of the site.'],
  time_limit: ['timeout', 'The site could not be read in time.'],
  not_found: ['not_found', 'The site has no such page.'],
  blocked_address: ['blocked_address', 'The address is not on the public internet.'],
  rate_limited: ['fetch_failed', 'The site asks to come later, again and again.'],
  fetch_failed: ['fetch_failed', 'The site could not be fetched.'],
  too_many_redirects: ['fetch_failed', 'The address redirects too many times.'],
  timeout: ['timeout', 'The site did not answer in time.'],
  too_large: ['too_large', `The page is too large. A crawl reads pages of up to ${crawlLimits.maxBytes / 1_000_000} MB each.`],
  corrupt_file: ['corrupt_file', 'What is at the address is damaged.'],
  encrypted_file: ['encrypted_file', 'What is at the address is protected by a password.'],
  sign_in: ['fetch_failed', 'The address leads to a sign-in form. Only public pages can be read.'],
  render_failed: ['fetch_failed', 'The site shows its text only in a browser that runs its scripts, and that failed.'],
}

/**
 * Returns the error of a crawl that read no page: that of its first page, after redirects. Null if it read one.
 * @param pages nearest first
 */
export function failureOf(pages: readonly Page[]): SourceError | null {
  if (pages.some(({ indexed, status }) => indexed && status !== 'failed')) return null
  const first = pages.find(({ reason }) => reason !== null && reason !== 'redirect') ?? pages[0]
  const [code, sentence] = causes[(first?.reason ?? 'fetch_failed') as PageReason]
  const answered = first?.http_status != null && first.http_status >= 300 ? ` (${first.url} answers with status ${first.http_status}.)` : ''
  return new SourceError(code, sentence + answered)
}

/** Returns the warnings of a completed crawl for users. */
export function warningsOf(pages: readonly Page[], maxPages: number): SourceWarning[] {
  const count = (of: (page: Page) => boolean): number => pages.filter(of).length
  const thin = pages.filter(({ reason, indexed }) => reason === 'thin' && !indexed)
  const little = pages.filter((page) => page.thin && page.indexed)
  const forms = pages.filter(({ reason }) => reason === 'sign_in')
  const limited = count(({ reason }) => reason === 'page_limit')
  const late = count(({ reason }) => reason === 'time_limit')
  const failed = count(({ status, reason }) => status === 'failed' && reason !== 'not_found')
  const serving = count(({ status, indexed }) => status === 'failed' && indexed)
  return [
    thin.length > 0 && sourceWarning('pages_without_text', { count: thin.length, url: thin[0]?.url ?? '', hint: chromiumHint }),
    little.length > 0 && sourceWarning('pages_little_text', { count: little.length, url: little[0]?.url ?? '', hint: chromiumHint }),
    forms.length > 0 && sourceWarning('sign_in_forms', { count: forms.length, url: forms[0]?.url ?? '' }),
    limited > 0 && sourceWarning('pages_over_limit', { limit: maxPages, count: limited }),
    late > 0 && sourceWarning('pages_over_time', { hours: crawlLimits.totalMs / 3_600_000, count: late }),
    failed > 0 && sourceWarning(serving > 0 ? 'pages_failed_kept' : 'pages_failed', { count: failed, kept: serving }),
  ].filter((warning) => warning !== false)
}
