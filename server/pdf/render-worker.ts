import { parentPort, workerData } from 'node:worker_threads'
import type { RenderThreadData, RenderThreadMessage, RenderThreadReply, RenderWork } from './render-thread.ts'
import { openRender } from './render.ts'

const { module, layout, knownFonts } = workerData as RenderThreadData
const renderer = await openRender(layout, module, knownFonts)

parentPort?.on('message', (work: RenderWork) => {
  void answer(work)
    .catch((error: unknown): RenderThreadReply => {
      // A trap of WebAssembly, such as one for lack of memory, leaves the compiler in an undefined state. It ends this thread.
      if (error instanceof Error && error.name === 'RuntimeError') throw error
      return { failure: error instanceof Error ? error.message : String(error) }
    })
    .then(send)
})

async function answer(work: RenderWork): Promise<RenderThreadReply> {
  if ('document' in work) return renderer.render(work.document)
  renderer.decode(work.image)
  return 'decoded'
}

function send(reply: RenderThreadReply): void {
  const needsReplacement = renderer.needsReplacement()
  const message: RenderThreadMessage = { reply, replacement: needsReplacement ? { knownFonts: renderer.knownFonts() } : null }
  parentPort?.postMessage(message)
  if (!needsReplacement) renderer.reset()
}
