import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { entryPoint, packageFile } from '../lib/entry.ts'
import { Module } from '../lib/web-assembly.ts'
import type { ImageFile } from './messages.ts'
import type { OfferDocument } from './offer-document.ts'
import type { RenderedPdf } from './render.ts'
import { typstFile } from './typst.ts'

/** What a thread needs to render. */
export interface RenderThreadData {
  /** The compiled code of Typst. */
  readonly module: object
  readonly layout: string
}

/** A document to render, or an image to decode. */
export type RenderWork = { readonly document: OfferDocument } | { readonly image: ImageFile }

export type RenderThreadReply = RenderedPdf | 'decoded' | { readonly failure: string }

export interface RenderThread {
  /**
   * Renders one document, or decodes one image, at a time.
   * @throws Error if the thread failed, after which the process has to end
   */
  render(work: RenderWork): Promise<RenderThreadReply>
}

/**
 * Growth of the process after which the thread is replaced. Typst caches the layout of earlier documents, about 4 MB for two pages, and
 * offers no way to clear the cache. The memory of a thread is freed with it.
 */
const maxGrowthMb = 60

/**
 * Starts a thread that renders. All threads of the process share the code that V8 has compiled and optimized, so the first document
 * of a later thread takes a quarter of a second less than seconds in a new process.
 */
export function startRenderThread(): RenderThread {
  const workerData: RenderThreadData = {
    module: new Module(readFileSync(typstFile())),
    layout: readFileSync(packageFile('pdf/offer.typ'), 'utf8'),
  }
  const start = (): Worker => new Worker(entryPoint(import.meta.url, './render-worker'), { workerData })
  let current = Promise.resolve(start())
  let firstMb: number | null = null

  return {
    async render(work) {
      const worker = await current
      const answered = once(worker, 'message') as Promise<[RenderThreadReply]>
      worker.postMessage(work)
      const [reply] = await answered
      const rssMb = process.memoryUsage.rss() / 2 ** 20
      firstMb ??= rssMb
      if (rssMb - firstMb > maxGrowthMb) {
        // The memory of two threads would exceed the limit of the process.
        current = worker.terminate().then(start)
        firstMb = null
      }
      return reply
    },
  }
}
