import { parentPort, workerData } from 'node:worker_threads'
import type { RenderThreadData, RenderThreadReply, RenderWork } from './render-thread.ts'
import { openRender } from './render.ts'

const { module, layout } = workerData as RenderThreadData
const { render, decode } = await openRender(layout, module)

parentPort?.on('message', (work: RenderWork) => {
  void answer(work).then(reply, (error: unknown) => {
    // A trap of WebAssembly, such as one for lack of memory, leaves the compiler in an undefined state. It ends this thread.
    if (error instanceof Error && error.name === 'RuntimeError') throw error
    reply({ failure: error instanceof Error ? error.message : String(error) })
  })
})

async function answer(work: RenderWork): Promise<RenderThreadReply> {
  if ('document' in work) return render(work.document)
  decode(work.image)
  return 'decoded'
}

const reply = (message: RenderThreadReply): void => parentPort?.postMessage(message)
