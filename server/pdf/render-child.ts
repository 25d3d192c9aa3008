import { readFileSync } from 'node:fs'
import { packageFile } from '../lib/entry.ts'
import { serveRequests } from '../lib/limited-process.ts'
import type { PdfReply, PdfRequest } from './messages.ts'
import { openRender } from './render.ts'

const render = await openRender(readFileSync(packageFile('pdf/offer.typ'), 'utf8'))

serveRequests(async (request: PdfRequest): Promise<PdfReply> => {
  const memoryMb = (): number => Math.round(process.memoryUsage.rss() / 2 ** 20)
  try {
    if ('signer' in request) {
      const { createSigner } = await import('./create-signer.ts')
      return { type: 'signer', p12: await createSigner(request.signer), memoryMb: memoryMb() }
    }
    const { bytes, warnings } = await render(request.document)
    if (request.seal === undefined) return { type: 'pdf', bytes, warnings, memoryMb: memoryMb() }
    const { sealPdf } = await import('./seal.ts')
    return { type: 'pdf', bytes: await sealPdf(bytes, request.seal), warnings, memoryMb: memoryMb() }
  } catch (error) {
    // A trap of WebAssembly, such as one for lack of memory, leaves the compiler in an undefined state. It ends this process.
    if (error instanceof Error && error.name === 'RuntimeError') throw error
    return { type: 'failure', message: error instanceof Error ? error.message : String(error), memoryMb: memoryMb() }
  }
})
