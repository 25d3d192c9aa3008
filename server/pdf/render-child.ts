import { serveRequests } from '../lib/limited-process.ts'
import type { PdfReply, PdfRequest } from './messages.ts'
import { startRenderThread } from './render-thread.ts'

const thread = startRenderThread()

serveRequests(async (request: PdfRequest): Promise<PdfReply> => {
  const usage = () => ({
    memoryMb: Math.round(process.resourceUsage().maxRSS / 1024),
    cpuSeconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  })
  if ('signer' in request) {
    const { createSigner } = await import('./create-signer.ts')
    return { type: 'signer', p12: await createSigner(request.signer), ...usage() }
  }
  const rendered = await thread.render('image' in request ? { image: request.image } : { document: request.document })
  if (rendered === 'decoded') return { type: 'image', ...usage() }
  if ('failure' in rendered) return { type: 'failure', message: rendered.failure, ...usage() }
  const { bytes, warnings } = rendered
  if (!('seal' in request) || request.seal === undefined) return { type: 'pdf', bytes, warnings, ...usage() }
  const { sealPdf } = await import('./seal.ts')
  return { type: 'pdf', bytes: await sealPdf(bytes, request.seal), warnings, ...usage() }
})
