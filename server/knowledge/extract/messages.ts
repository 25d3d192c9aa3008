import type { SourceErrorCode } from '@groundwork/api'
import type { ExtractedDocument } from './document.ts'
import type { ExtractInput } from './draft.ts'

/** What goes to the child process, one at a time. */
export type ExtractRequest = ExtractInput

/** What reading one document cost. */
export interface Cost {
  readonly cpuMs: number
  /** The most that the process has held resident in its life. */
  readonly peakMb: number
}

/** What comes back: once when it is ready, then once for each request. */
export type ExtractReply =
  | { readonly type: 'ready' }
  | { readonly type: 'document'; readonly document: ExtractedDocument; readonly cost: Cost }
  | { readonly type: 'failure'; readonly code: SourceErrorCode; readonly message: string; readonly cost: Cost }
