import type { NewSource, SourceContents, SourceType } from '@groundwork/api'
import type { Selectable, Updateable } from 'kysely'
import type { Context } from '../../context.ts'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import type { Queue } from '../../jobs/jobs.ts'
import { SourceError } from '../../lib/errors.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { ChunkingSettings } from '../chunk/chunk.ts'
import type { KnowledgeContext } from '../context.ts'
import type { Extractor } from '../extract/extractor.ts'
import type { DocumentChunk } from '../index/write.ts'
import type { Renderer } from '../render/renderer.ts'
import type { Attempt } from '../rows/attempt.ts'
import type { Document } from '../rows/documents.ts'
import type { VideoService } from '../video/service.ts'
import type { SourceVideo } from '../video/source-video.ts'

type SourceRow = Selectable<SourceTable>

/** The definition of a source type. `sourceTypeFacts` in `api/source-types.ts` has the facts that clients share. */
export interface SourceTypeDefinition {
  readonly queue: Queue
  /** Estimates the cost of a job: small jobs wait less. */
  readonly cost: (row: SourceRow) => number
  /**
   * Returns the address in a request.
   * @throws AppError `validation_error` for a URL without a video, or one that outbound requests never reach
   */
  readonly address: (ctx: Pick<KnowledgeContext, 'outbound' | 'youtubeUrl'>, input: SourceInput) => Address
  /** Returns the settings of the type in a request, as columns of the source. Omitted ones are those of `row`, or the defaults. */
  readonly settings?: (input: SourceContents, row?: SourceRow) => Pick<Updateable<SourceTable>, 'crawl'>
  /** Whether a downloaded original is named like its URL rather than like the source. */
  readonly namedByUrl?: true
  /**
   * Fetches the content and stores it.
   * @throws SourceError if it cannot be fetched; Superseded
   */
  readonly fetch: (run: Run) => Promise<Fetched>
  /** Runs in the transaction that retries an attempt which failed; `row` has its generation, `generation` is that of the new one. */
  readonly onRetry?: (ctx: Context, trx: Transaction, row: SourceRow, generation: number) => Promise<void>
  /** Runs in the transaction that makes the new content live, before its event is emitted. */
  readonly onSwitch?: (run: Run, trx: Transaction) => Promise<void>
}

export type SourceInput = Pick<NewSource, 'url' | 'storageUrl' | 'language'>

export interface Address {
  readonly url: string | null
  readonly video: SourceVideo | null
}

/** Services that processing uses in addition to those of the context. */
export interface ProcessingServices {
  readonly extractor: Extractor
  readonly outbound: Outbound
  /** Null if the operator has not configured Chromium. */
  readonly renderer: Renderer | null
  readonly video: VideoService
}

/** An attempt to process a source, with its data at the beginning. */
export interface Run {
  readonly attempt: Attempt
  readonly services: ProcessingServices
  readonly row: SourceRow
  /** Language of the knowledge base. */
  readonly language: string | null
  readonly chunking: ChunkingSettings
  readonly indexConfig: string
  readonly document: Document
  /** The document that is searched now, if its index configuration is the same. */
  readonly serving: Document | null
}

/** The fetched content of a source. */
export type Fetched =
  /** It equals the live content; `document` has new metadata of it, if any. */
  | { readonly unchanged: true; readonly document: Document | null }
  | {
      readonly unchanged: false
      /** @throws SourceError if it is unreadable; Superseded */
      extract(): Promise<ExtractedText>
    }

export interface ExtractedText {
  chunk(): Promise<DocumentChunks>
}

export interface DocumentChunks {
  /** The same in every run of the attempt, in order, with ordinals from 0. */
  readonly chunks: AsyncIterable<DocumentChunk> | Iterable<DocumentChunk>
  readonly total: number
}

export const unsupported = (type: SourceType): SourceError =>
  new SourceError('unsupported_type', `Sources of type ${type} cannot be processed by this version.`)
