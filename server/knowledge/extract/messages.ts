import type { SourceErrorCode } from '@groundwork/api'
import type { PageReading } from '../crawl/read-page.ts'
import type { Sitemap } from '../crawl/read-sitemap.ts'
import type { ExtractedDocument } from './document.ts'
import type { ExtractInput } from './draft.ts'

/** What a parser process can be asked for, and what it makes of the bytes. */
export interface Readings {
  document: ExtractedDocument
  page: PageReading
  sitemap: Sitemap
}

/** What goes to the child process, one at a time. */
export interface ExtractRequest {
  readonly wanted: keyof Readings
  readonly input: ExtractInput
}

/** What reading one document cost. */
export interface Cost {
  readonly cpuMs: number
  /** The most that the process has held resident in its life. */
  readonly peakMb: number
}

/** What comes back: once when it is ready, then once for each request. */
export type ExtractReply =
  | { readonly type: 'ready' }
  | { readonly type: 'reading'; readonly reading: Readings[keyof Readings]; readonly cost: Cost }
  | { readonly type: 'failure'; readonly code: SourceErrorCode; readonly message: string; readonly cost: Cost }
