import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { entryPoint, packageFile } from '../lib/entry.ts'
import { Module } from '../lib/web-assembly.ts'
import type { KnownFamily } from './font-set.ts'
import { freeMemory } from './free-memory.ts'
import type { ImageFile } from './messages.ts'
import type { OfferDocument } from './offer-document.ts'
import type { RenderedPdf } from './render.ts'
import { typstFile } from './typst.ts'

/** What a thread needs to render. */
export interface RenderThreadData {
  /** The compiled code of Typst. */
  readonly module: object
  readonly layout: string
  /** Fonts to load at once. */
  readonly knownFonts: readonly KnownFamily[]
}

/** A document to render, or an image to decode. */
export type RenderWork = { readonly document: OfferDocument } | { readonly image: ImageFile }

export type RenderThreadReply = RenderedPdf | 'decoded' | { readonly failure: string }

export interface RenderThreadMessage {
  readonly reply: RenderThreadReply
  /** Data of the thread that has to follow this one; null if it can continue. */
  readonly replacement: Pick<RenderThreadData, 'knownFonts'> | null
}

export interface RenderThread {
  /**
   * Renders one document, or decodes one image, at a time.
   * @throws Error if the thread failed, after which the process has to end
   */
  render(work: RenderWork): Promise<RenderThreadReply>
}

/**
 * Starts a thread that renders. Each document finds the state of Typst at the start of the thread, in which the fonts are loaded. A
 * document that needs other fonts, or much memory, is the last one of its thread.
 *
 * All threads of the process share the code that V8 has compiled and optimized, so the first document of a later thread takes less
 * than half a second instead of seconds in a new process.
 */
export function startRenderThread(): RenderThread {
  const data: Omit<RenderThreadData, 'knownFonts'> = {
    module: new Module(readFileSync(typstFile())),
    layout: readFileSync(packageFile('pdf/offer.typ'), 'utf8'),
  }
  freeMemory()
  const start = (knownFonts: readonly KnownFamily[]): Worker =>
    new Worker(entryPoint(import.meta.url, './render-worker'), { workerData: { ...data, knownFonts } satisfies RenderThreadData })
  let current = Promise.resolve(start([]))

  return {
    async render(work) {
      const worker = await current
      const answered = once(worker, 'message') as Promise<[RenderThreadMessage]>
      worker.postMessage(work)
      const [{ reply, replacement }] = await answered
      // The memory of two threads would exceed the limit of the process.
      if (replacement !== null) current = worker.terminate().then(() => start(replacement.knownFonts))
      return reply
    },
  }
}
