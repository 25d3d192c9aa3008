import { createSemaphore } from '../../lib/semaphore.ts'
import { startChild, type ParserChild, type ParserLog } from './child-process.ts'
import type { PageReading } from './read-page.ts'
import type { Sitemap } from './read-sitemap.ts'
import type { ExtractedDocument } from './document.ts'
import type { ExtractInput } from './draft.ts'
import type { Readings } from './messages.ts'
import { defaultOcrLimits, type OcrLimits } from './ocr-limits.ts'

export interface ExtractorOptions {
  /** Number of processes, and so of concurrent documents. Default 2. */
  readonly workers?: number
  /** Writable memory of each process. Default 1024; an idle process takes 200 to 300. */
  readonly memoryMb?: number
  /** Processor time of a document, and of each of its pages that is read by OCR. Default two minutes. */
  readonly timeoutMs?: number
  /** Work of OCR for a document. Default `defaultOcrLimits`. */
  readonly ocr?: OcrLimits | undefined
  /** Idle time after which a process is ended. Default one minute. */
  readonly idleMs?: number
  readonly log?: ParserLog
}

export interface Extractor {
  /**
   * Extracts text with structure from bytes of any kind, detected by content. Runs in a separate process with limits.
   * @throws SourceError unsupported_type, corrupt_file, encrypted_file, too_large, empty_content, timeout, or `internal` after an
   * unexpected error, which is logged; or the reason of `signal`
   */
  extract(input: ExtractInput, signal?: AbortSignal): Promise<ExtractedDocument>
  /** Extracts a crawled page, with its instructions for crawlers. The reading holds the reason if there is no document. */
  readPage(input: ExtractInput, signal?: AbortSignal): Promise<PageReading>
  /** @throws SourceError too_large, corrupt_file, timeout; or the reason of `signal` */
  readSitemap(bytes: Uint8Array, signal?: AbortSignal): Promise<Sitemap>
  /** Ends the processes; their documents fail. */
  close(): Promise<void>
}

/** Returns the extractor with an expected language for its documents. */
export function withExpectedLanguage(language: string | null, extractor: Extractor): Extractor {
  if (language === null) return extractor
  return {
    ...extractor,
    extract: (input, signal) => extractor.extract({ ...input, language }, signal),
    readPage: (input, signal) => extractor.readPage({ ...input, language }, signal),
  }
}

/** Usage after which a process is replaced: parsers in C and C++ leak, and the limit of processor time covers the life of a process. */
const retirement = { documents: 2_000, cpuSeconds: 300 }

/** Processor time that OCR of a dense page takes at most. */
const ocrSecondsOfPage = 6

interface Slot {
  child: ParserChild | null
  idle: NodeJS.Timeout | null
}

export function createExtractor(options: ExtractorOptions = {}): Extractor {
  const { workers = 2, memoryMb = 1024, timeoutMs = 120_000, idleMs = 60_000, ocr = defaultOcrLimits, log } = options
  const limits = { memoryMb, cpuSeconds: retirement.cpuSeconds + Math.ceil(timeoutMs / 1000) + ocr.pages * ocrSecondsOfPage }
  const free: Slot[] = Array.from({ length: workers }, () => ({ child: null, idle: null }))
  const slots = [...free]
  const limited = createSemaphore(workers)
  let closed = false

  async function read<W extends keyof Readings>(wanted: W, input: ExtractInput, signal?: AbortSignal): Promise<Readings[W]> {
    signal?.throwIfAborted()
    return limited(async () => {
      signal?.throwIfAborted()
      if (closed) throw new Error('The extractor is closed.')
      const slot = takeSlot()
      try {
        return await childOf(slot).read({ wanted, input: { ...input, ocr } }, timeoutMs, signal)
      } finally {
        giveBack(slot)
      }
    })
  }

  function takeSlot(): Slot {
    // Prefers a child that has already loaded its parsers.
    const at = Math.max(
      0,
      free.findIndex(({ child }) => child !== null),
    )
    const [slot] = free.splice(at, 1)
    if (slot === undefined) throw new Error('The semaphore has as many places as there are slots.')
    return slot
  }

  function childOf(slot: Slot): ParserChild {
    if (slot.idle) clearTimeout(slot.idle)
    slot.idle = null
    if (!slot.child?.alive()) slot.child = startChild(limits, log)
    return slot.child
  }

  function giveBack(slot: Slot): void {
    const { child } = slot
    const worn = child !== null && (child.documents >= retirement.documents || child.usedCpuMs >= retirement.cpuSeconds * 1000)
    if (worn || closed) drop(slot)
    else if (child) slot.idle = setTimeout(() => drop(slot), idleMs).unref()
    free.push(slot)
  }

  return {
    extract: (input, signal) => read('document', input, signal),
    readPage: (input, signal) => read('page', input, signal),
    readSitemap: (bytes, signal) => read('sitemap', { bytes }, signal),
    close: async () => {
      closed = true
      for (const slot of slots) drop(slot)
    },
  }
}

function drop(slot: Slot): void {
  if (slot.idle) clearTimeout(slot.idle)
  slot.child?.kill()
  slot.child = null
  slot.idle = null
}
