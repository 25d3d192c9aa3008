import type { PageReason, PageStatus } from '@groundwork/api'
import type { ExtractedDocument } from '../extract/document.ts'

/** A URL that a crawl has found. */
export interface Listing {
  readonly url: URL
  readonly key: string
  /** Number of links between it and the root, or a sitemap. */
  readonly depth: number
  /** Number of redirects that led to it. */
  readonly hops: number
  /** The reason to skip it; null if it is visited. */
  readonly skip: PageReason | null
}

/** The stored content of a page; citations point into its text. */
export interface PageContent {
  readonly document: ExtractedDocument
  /** URLs of its links that may be followed. */
  readonly links: readonly string[]
}

/** The state of a page that was read before, in this crawl or an earlier one. */
export interface LastRead {
  readonly etag: string | null
  readonly lastModified: string | null
  readonly bodyHash: string
  readonly textHash: string
  readonly shapeHash: string
  readonly title: string | null
  readonly canonicalUrl: string | null
  /** Whether a browser rendered it. */
  readonly rendered: boolean
  /** Whether a browser might show more, but none did. */
  readonly thin: boolean
}

/** A page that waits for its visit. */
export interface Waiting {
  readonly id: string
  readonly url: URL
  readonly key: string
  readonly depth: number
  readonly hops: number
  /** Number of failed visits. */
  readonly tries: number
  readonly last: LastRead | null
}

export type NewRead = LastRead & { readonly content: PageContent }

/** The result of visiting a page. */
export interface Outcome {
  readonly status: PageStatus
  readonly reason: PageReason | null
  readonly httpStatus: number | null
  /** The content that searches use from now on: the new one, the previous one, or none. */
  readonly serves: { readonly read: NewRead } | 'last' | 'nothing'
  /** Size of the response; undefined if no content was sent. */
  readonly bytes?: number
  /** The target of a redirect. */
  readonly standInUrl?: string
}

export interface Progress {
  /** URLs found, including skipped ones. */
  readonly listed: number
  /** Visited pages. */
  readonly asked: number
  /** Visited pages with text. */
  readonly kept: number
}

/** Stores the queue and the results of a crawl, so that it can resume after a kill. */
export interface Frontier {
  progress(): Promise<Progress & { readonly startedAt: Date | null; readonly shapes: readonly { url: URL; shapeHash: string }[] }>
  /** Adds listings whose key this crawl has not found yet. @returns the number of new ones */
  list(listings: readonly Listing[]): Promise<number>
  /**
   * Returns the nearest waiting page that is not in `taken`; the time of the next one if all of them are postponed; null if
   * none is left.
   */
  next(taken: ReadonlySet<string>): Promise<Waiting | Date | null>
  /** Stores the outcome and the links of a page together. @returns the number of new links */
  settle(page: Waiting, outcome: Outcome, found: readonly Listing[]): Promise<number>
  /** Postpones a page, optionally under another URL of the same key. */
  postpone(page: Waiting, change: { readonly url: URL; readonly hops: number; readonly tries: number; readonly dueAt: Date }): Promise<void>
  /** Gives every waiting page this outcome; with `last`, previously read ones remain searchable. */
  settleRest(outcome: { readonly status: PageStatus; readonly reason: PageReason; readonly serves: 'last' | 'nothing' }): Promise<void>
  /** Returns the stored content of a page that has a `last`. */
  content(page: Waiting): Promise<PageContent>
}
