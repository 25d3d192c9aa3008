import { parentPort, workerData } from 'node:worker_threads'
import type { OfferDocument } from './offer-document.ts'
import type { RenderThreadData, RenderThreadReply } from './render-thread.ts'
import { openRender } from './render.ts'

const { module, layout } = workerData as RenderThreadData
const render = await openRender(layout, module)

parentPort?.on('message', (document: OfferDocument) => {
  void render(document).then(reply, (error: unknown) => {
    // A trap of WebAssembly, such as one for lack of memory, leaves the compiler in an undefined state. It ends this thread.
    if (error instanceof Error && error.name === 'RuntimeError') throw error
    reply({ failure: error instanceof Error ? error.message : String(error) })
  })
})

const reply = (message: RenderThreadReply): void => parentPort?.postMessage(message)
