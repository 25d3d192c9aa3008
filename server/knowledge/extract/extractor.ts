import { startChild, type ParserChild } from './child-process.ts'
import type { PageReading } from '../crawl/read-page.ts'
import type { Sitemap } from '../crawl/read-sitemap.ts'
import type { ExtractedDocument } from './document.ts'
import type { ExtractInput } from './draft.ts'
import type { Readings } from './messages.ts'

export interface ExtractorOptions {
  /** Processes, and so documents at a time. Default 2. */
  readonly workers?: number
  /** Writable memory of each process. Default 1024; a process that has not begun to read takes 200 to 300. */
  readonly memoryMb?: number
  /** For one document. Default two minutes. */
  readonly timeoutMs?: number
  /** A process that has waited so long is ended. Default one minute. */
  readonly idleMs?: number
  readonly log?: { debug(fields: object, message: string): void }
}

export interface Extractor {
  /**
   * Bytes of any kind as text with structure; the kind is found by content. Runs in a process of its own with limits.
   * @throws SourceError unsupported_type, corrupt_file, encrypted_file, too_large, empty_content, timeout; or the reason of `signal`
   */
  extract(input: ExtractInput, signal?: AbortSignal): Promise<ExtractedDocument>
  /** The same for what a crawler has fetched, with what a web page says to crawlers; the reading holds the reason where there is no document. */
  readPage(input: ExtractInput, signal?: AbortSignal): Promise<PageReading>
  /** @throws SourceError too_large, corrupt_file, timeout; or the reason of `signal` */
  readSitemap(bytes: Uint8Array, signal?: AbortSignal): Promise<Sitemap>
  /** Ends the processes; documents in them fail. */
  close(): Promise<void>
}

/** The same processes, for documents that are likely in this language. */
export function likelyIn(language: string | null, extractor: Extractor): Extractor {
  if (language === null) return extractor
  return {
    ...extractor,
    extract: (input, signal) => extractor.extract({ ...input, language }, signal),
    readPage: (input, signal) => extractor.readPage({ ...input, language }, signal),
  }
}

/** After so much a process is replaced: parsers written in C and C++ leak, and the limit on processor time is for a process's life. */
const retirement = { documents: 2_000, cpuSeconds: 300 }

interface Slot {
  child: ParserChild | null
  idle: NodeJS.Timeout | null
}

export function createExtractor(options: ExtractorOptions = {}): Extractor {
  const { workers = 2, memoryMb = 1024, timeoutMs = 120_000, idleMs = 60_000, log } = options
  const limits = { memoryMb, cpuSeconds: retirement.cpuSeconds + Math.ceil(timeoutMs / 1000) }
  const free: Slot[] = Array.from({ length: workers }, () => ({ child: null, idle: null }))
  const slots = [...free]
  const waiting: ((slot: Slot) => void)[] = []
  let closed = false

  async function read<W extends keyof Readings>(wanted: W, input: ExtractInput, signal?: AbortSignal): Promise<Readings[W]> {
    signal?.throwIfAborted()
    const slot = await takeSlot()
    try {
      signal?.throwIfAborted()
      if (closed) throw new Error('The extractor is closed.')
      return await childOf(slot).read({ wanted, input }, timeoutMs, signal)
    } finally {
      giveBack(slot)
    }
  }

  function takeSlot(): Promise<Slot> {
    // A warm child first.
    const at = Math.max(
      0,
      free.findIndex(({ child }) => child !== null),
    )
    const [slot] = free.splice(at, 1)
    return slot ? Promise.resolve(slot) : new Promise((resolve) => void waiting.push(resolve))
  }

  function childOf(slot: Slot): ParserChild {
    if (slot.idle) clearTimeout(slot.idle)
    slot.idle = null
    if (!slot.child?.alive()) slot.child = startChild(limits, (event) => log?.debug(event, 'parser process'))
    return slot.child
  }

  function giveBack(slot: Slot): void {
    const { child } = slot
    const worn = child !== null && (child.documents >= retirement.documents || child.usedCpuMs >= retirement.cpuSeconds * 1000)
    if (worn || closed) drop(slot)
    else if (child) slot.idle = setTimeout(() => drop(slot), idleMs).unref()
    const next = waiting.shift()
    if (next) next(slot)
    else free.push(slot)
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
