import { childEntry } from '../lib/entry.ts'
import { LimitedProcessError, startLimitedProcess, type LimitedProcess } from '../lib/limited-process.ts'
import { createSemaphore } from '../lib/semaphore.ts'
import type { NewSigner } from './create-signer.ts'
import type { ImageFile, PdfReply, PdfRequest, RenderRequest } from './messages.ts'
import type { RenderedPdf } from './render.ts'

export interface PdfRendererOptions {
  /** Writable memory of the process, of which about 80 MB are never used. Default 430 MB; the process then takes less than 400 MB. */
  readonly memoryMb?: number
  /** Timeout of a document. Default two minutes; an offer of two pages takes a tenth of a second. */
  readonly timeoutMs?: number
  /** Idle time after which the process is ended. Default one minute. */
  readonly idleMs?: number
  /** Arguments of Node that run the process; by default the renderer. */
  readonly entry?: readonly string[]
  readonly log?: { warn(fields: object, message: string): void }
}

export interface PdfRenderer {
  /**
   * Renders a document in a separate process with limits. If the process is killed or does not reply, the document is repeated
   * once in a new process.
   * @throws Error if the second attempt fails too; or the reason of `signal`
   */
  render(request: RenderRequest, signal?: AbortSignal): Promise<RenderedPdf & Pick<PdfReply, 'memoryMb' | 'cpuSeconds'>>
  /** Returns a new key with a self-signed certificate as PKCS #12, in the time of about 20 PDFs. */
  createSigner(signer: NewSigner): Promise<Uint8Array>
  /**
   * Decodes an image in the same process as documents.
   * @throws Error if it cannot be decoded
   */
  checkImage(image: ImageFile): Promise<void>
  /** Ends the process; its document fails. */
  close(): Promise<void>
}

/** Limit of processor time of a process. It is replaced at half of it, between two documents. */
const cpuSeconds = 600

/** The process frees memory at the right moments with `gc` (free-memory.ts). */
const renderChild = ['--expose-gc', ...childEntry(import.meta.url, './render-child')]

type RenderProcess = LimitedProcess<PdfRequest, PdfReply>

/** Starts no process before the first document. Documents are rendered one after the other. */
export function createPdfRenderer(options: PdfRendererOptions = {}): PdfRenderer {
  const { memoryMb = 430, timeoutMs = 120_000, idleMs = 60_000, entry = renderChild, log } = options
  const limited = createSemaphore(1)
  let process: RenderProcess | null = null
  let idle: NodeJS.Timeout | undefined
  let closed = false

  function running(): RenderProcess {
    clearTimeout(idle)
    if (!process?.alive()) process = startLimitedProcess<PdfRequest, PdfReply>(entry, { memoryMb, cpuSeconds })
    return process
  }

  function end(): void {
    clearTimeout(idle)
    process?.kill()
    process = null
  }

  async function attempt(request: PdfRequest, signal?: AbortSignal): Promise<PdfReply> {
    signal?.throwIfAborted()
    if (closed) throw new Error('The PDF renderer is closed.')
    try {
      return await running().exchange(request, timeoutMs, signal)
    } catch (error) {
      end()
      throw error
    }
  }

  const exchange = (request: PdfRequest, signal?: AbortSignal): Promise<PdfReply> =>
    limited(async () => {
      const reply = await attempt(request, signal).catch((error: unknown) => {
        if (!(error instanceof LimitedProcessError) || closed) throw error
        log?.warn({ err: error }, 'the PDF renderer failed and is repeated')
        return attempt(request, signal)
      })
      if (reply.cpuSeconds > cpuSeconds / 2) end()
      else idle = setTimeout(end, idleMs).unref()
      if (reply.type === 'failure') throw new Error(reply.message)
      return reply
    })

  return {
    async render(request, signal) {
      const reply = await exchange(request, signal)
      if (reply.type !== 'pdf') throw new Error('The renderer replied to another request.')
      for (const warning of reply.warnings) log?.warn({}, warning)
      return reply
    },
    async createSigner(signer) {
      const reply = await exchange({ signer })
      if (reply.type !== 'signer') throw new Error('The renderer replied to another request.')
      return reply.p12
    },
    async checkImage(image) {
      const reply = await exchange({ image })
      if (reply.type !== 'image') throw new Error('The renderer replied to another request.')
    },
    async close() {
      closed = true
      end()
    },
  }
}
