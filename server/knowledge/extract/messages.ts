import type { SourceErrorCode } from '@groundwork/api'
import type { PageReading } from './read-page.ts'
import type { Sitemap } from './read-sitemap.ts'
import type { ExtractedDocument } from './document.ts'
import type { ExtractInput } from './draft.ts'

/** The requests of a parser process and their results. */
export interface Readings {
  document: ExtractedDocument
  page: PageReading
  sitemap: Sitemap
}

/** A request to the child process; one at a time. */
export interface ExtractRequest {
  readonly wanted: keyof Readings
  readonly input: ExtractInput
}

/** The cost of reading one document. */
export interface Cost {
  readonly cpuMs: number
  /** Peak resident memory of the process. */
  readonly peakMb: number
}

/** The reply to a request. */
export type ExtractReply =
  | { readonly type: 'reading'; readonly reading: Readings[keyof Readings]; readonly cost: Cost }
  | {
      readonly type: 'failure'
      readonly code: SourceErrorCode
      readonly message: string
      readonly cost: Cost
      /** The stack of an unexpected error, for the log. */
      readonly stack?: string
    }
