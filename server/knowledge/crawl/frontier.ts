import type { PageReason, PageStatus } from '@groundwork/api'
import type { ExtractedDocument } from '../extract/document.ts'

/** An address that a crawl has met. */
export interface Listing {
  readonly url: URL
  readonly key: string
  /** Links between it and the root, or a sitemap. */
  readonly depth: number
  /** Redirects that led to it. */
  readonly hops: number
  /** Why it is not asked for at all; null when it is. */
  readonly skip: PageReason | null
}

/** What was read at an address, and is kept: citations point into the text. */
export interface PageContent {
  readonly document: ExtractedDocument
  /** Where its links lead, as far as they may be followed. */
  readonly links: readonly string[]
}

/** What is known of a page that was read before, in this crawl or an earlier one. */
export interface LastRead {
  readonly etag: string | null
  readonly lastModified: string | null
  readonly bodyHash: string
  readonly textHash: string
  readonly shapeHash: string
  readonly title: string | null
  readonly canonicalUrl: string | null
  /** Whether it is what a browser showed. */
  readonly rendered: boolean
  /** Whether a browser may show more, but none did. */
  readonly thin: boolean
}

/** A page that waits to be asked for. */
export interface Waiting {
  readonly id: string
  readonly url: URL
  readonly key: string
  readonly depth: number
  readonly hops: number
  /** Times that it was asked for in vain. */
  readonly tries: number
  readonly last: LastRead | null
}

export type NewRead = LastRead & { readonly content: PageContent }

/** How the visit of a page ended. */
export interface Outcome {
  readonly status: PageStatus
  readonly reason: PageReason | null
  readonly httpStatus: number | null
  /** What answers searches from now on: what was read now, what had been read before, or nothing. */
  readonly serves: { readonly read: NewRead } | 'last' | 'nothing'
  /** Where it leads, of a redirect. */
  readonly standInUrl?: string
}

export interface Progress {
  /** Addresses met, those that are not asked for included. */
  readonly listed: number
  /** Pages asked for, with an outcome. */
  readonly asked: number
  /** Of these, pages with text. */
  readonly kept: number
}

/** Where a crawl keeps what is to do and what was found, so that it goes on after a kill. */
export interface Frontier {
  progress(): Promise<Progress & { readonly startedAt: Date | null; readonly shapes: readonly { url: URL; shapeHash: string }[] }>
  /** Adds those that this crawl has not met by their key. @returns how many */
  list(listings: readonly Listing[]): Promise<number>
  /** The nearest page that waits and is not in `taken`; when all of them wait for a moment, that moment; null when none is left. */
  next(taken: ReadonlySet<string>): Promise<Waiting | Date | null>
  /** Keeps the outcome and what the page leads to, together. @returns how many of these are new */
  settle(page: Waiting, outcome: Outcome, found: readonly Listing[]): Promise<number>
  /** Leaves the page for later, perhaps under another address of the same key. */
  postpone(page: Waiting, change: { readonly url: URL; readonly hops: number; readonly tries: number; readonly dueAt: Date }): Promise<void>
  /** Gives every page that still waits this outcome; with `last`, those that were read before go on serving. */
  settleRest(outcome: { readonly status: PageStatus; readonly reason: PageReason; readonly serves: 'last' | 'nothing' }): Promise<void>
  /** What was read of a page that has a `last`. */
  content(page: Waiting): Promise<PageContent>
}
