import { createHash } from 'node:crypto'
import type { Outbound } from '../../outbound/outbound.ts'
import { SourceError } from '../../lib/errors.ts'
import type { VideoService } from '../video/service.ts'
import { storedVideo } from '../video/source-video.ts'
import type { Document } from '../rows/documents.ts'
import { fetchCaptions } from './fetch-captions.ts'
import { fetchPage } from './fetch-page.ts'
import { enterStage, type Attempt } from '../rows/attempt.ts'
import type { PageServices } from './shown-page.ts'

/** Services that fetch a document. */
export interface FetchServices extends PageServices {
  readonly outbound: Outbound
  readonly video: VideoService
}

export interface Original {
  /** With its `original_key`. */
  readonly document: Document
  readonly bytes: Buffer
  /** SHA-256, hexadecimal. */
  readonly hash: string
}

interface Wanted {
  readonly type: string
  readonly language: string | null
}

/**
 * Returns the bytes of a document: uploaded, or fetched once per generation and stored.
 * @param of the type of the source and the language of the knowledge base
 * @param serving the same document of the live generation
 * @returns null if the response is unchanged since `serving`
 * @throws SourceError if the bytes cannot be fetched; Superseded
 */
export async function obtainOriginal(
  attempt: Attempt,
  services: FetchServices,
  of: Wanted,
  document: Document,
  serving: Document | null,
): Promise<Original | null> {
  if (document.original_key !== null) return read(attempt, document)
  await enterStage(attempt, 'fetching')
  const fetched = await fetchDocument(attempt, services, of, document, serving)
  return fetched === null ? null : read(attempt, fetched)
}

async function fetchDocument(
  attempt: Attempt,
  services: FetchServices,
  { type, language }: Wanted,
  document: Document,
  serving: Document | null,
): Promise<Document | null> {
  const about = storedVideo(document.video)
  if (about !== null) return fetchCaptions(attempt, services.video, document, about, language)
  if (type !== 'url' || document.url === null) {
    throw new SourceError('unsupported_type', `Sources of type ${type} cannot be processed by this version.`)
  }
  return fetchPage(attempt, services, document, document.url, serving?.url === document.url ? serving : null)
}

async function read({ ctx }: Attempt, document: Document): Promise<Original> {
  if (document.original_key === null) throw new SourceError('internal', 'The file of this source is missing.')
  const bytes = await ctx.storage.read(document.original_key)
  return { document, bytes, hash: createHash('sha256').update(bytes).digest('hex') }
}

/** Returns whether an original equals the live one: the same bytes and metadata. */
export const isSame = ({ hash, document }: Original, serving: Document | null): boolean =>
  hash === serving?.content_hash && JSON.stringify(document.video) === JSON.stringify(serving.video)
