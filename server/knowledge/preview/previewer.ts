import { previewLimits } from '@groundwork/api'
import { AppError, SourceError } from '../../lib/errors.ts'
import { expectOk } from '../../outbound/expect-ok.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { chunkInBackground } from '../chunk/background-chunker.ts'
import type { Chunk, ChunkingSettings } from '../chunk/chunk.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import type { ExtractInput } from '../extract/draft.ts'
import { withExpectedLanguage, type Extractor } from '../extract/extractor.ts'
import { createPageVisit, refreshTarget, refuseSignIn } from '../ingest/page-visit.ts'
import { pageDocument } from '../ingest/page.ts'

export interface Previewed {
  readonly document: ExtractedDocument
  readonly canonicalUrl: string | null
  readonly bytes: number
  readonly chunks: readonly Chunk[]
}

export interface PreviewOf {
  /** A URL to fetch, or a function that reads the document. */
  readonly origin: { readonly url: string } | { readonly read: () => Promise<ExtractInput> }
  readonly chunking: ChunkingSettings
  readonly language: string | null
}

/** Reads and chunks documents with the code that processes sources, and stores nothing. */
export interface Previewer {
  /** @throws SourceError as when a source is processed; AppError `rate_limited` while all slots are taken */
  preview(of: PreviewOf): Promise<Previewed>
  close(): Promise<void>
}

export interface PreviewerOptions {
  readonly extractor: Extractor
  readonly outbound: Pick<Outbound, 'fetch'>
  /** Number of concurrent previews. Default 2: one can be fetched while another is read. */
  readonly together?: number
  readonly timeoutMs?: number
}

export function createPreviewer(options: PreviewerOptions): Previewer {
  const { extractor, outbound, together = 2, timeoutMs = previewLimits.timeoutMs } = options
  let running = 0

  async function read({ origin, language }: PreviewOf, signal: AbortSignal): Promise<Omit<Previewed, 'chunks'>> {
    const parser = withExpectedLanguage(language, extractor)
    if ('read' in origin) {
      const input = await origin.read()
      return { document: await parser.extract(input, signal), canonicalUrl: null, bytes: input.bytes.length }
    }
    const visit = createPageVisit(outbound, { maxBytes: previewLimits.bytes, timeoutMs, signal })
    for (let page = expectOk(await visit.fetch(origin.url)); ;) {
      const contentType = page.headers.get('content-type')
      const input = { bytes: page.body, url: origin.url, ...(contentType !== null && { contentType }) }
      const reading = await parser.readPage(input, signal)
      const target = refreshTarget(page.url, reading)
      if (target === null) {
        refuseSignIn(origin.url, page.url, reading)
        return { ...pageDocument(reading, page.url), bytes: page.body.length }
      }
      page = expectOk(await visit.follow(page.url, target))
    }
  }

  return {
    async preview(of) {
      if (running >= together) {
        throw new AppError('rate_limited', `${together} previews are already in progress. Try again shortly.`, { retryAfterSeconds: 2 })
      }
      running += 1
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const found = await read(of, signal)
        return { ...found, chunks: await chunkInBackground(found.document, of.chunking, signal) }
      } catch (error) {
        if (!signal.aborted || error instanceof SourceError) throw error
        const message = `It could not be read within ${timeoutMs / 1000} seconds, which a source may take longer than.`
        throw new SourceError('timeout', message, { cause: error })
      } finally {
        running -= 1
      }
    },
    close: () => extractor.close(),
  }
}
