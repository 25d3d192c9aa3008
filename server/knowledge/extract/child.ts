import { SourceError } from '../../lib/errors.ts'
import { reportProgress, serveRequests } from '../../lib/limited-process.ts'
import type { Cost, ExtractReply, ExtractRequest, Readings } from './messages.ts'
import { parseDocument } from './parse.ts'

const unexpected = 'An unexpected error stopped the reading of this file. The log of the program has the details.'

serveRequests(answer)

async function answer(request: ExtractRequest): Promise<ExtractReply> {
  const before = process.cpuUsage()
  const cost = (): Cost => {
    const { user, system } = process.cpuUsage(before)
    return { cpuMs: Math.round((user + system) / 1000), peakMb: Math.round(process.resourceUsage().maxRSS / 1024) }
  }
  try {
    return { type: 'reading', reading: await read(request), cost: cost() }
  } catch (error) {
    if (error instanceof SourceError) return { type: 'failure', code: error.code, message: error.message, cost: cost() }
    // Parsers throw a SourceError for malformed input, so this error is a defect of this program rather than of the file.
    return { type: 'failure', code: 'internal', message: unexpected, cost: cost(), stack: stackOf(error) }
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

async function read({ wanted, input: given }: ExtractRequest): Promise<Readings[keyof Readings]> {
  const input = { ...given, onProgress: reportProgress }
  if (wanted === 'page') return (await import('./read-page.ts')).readPage(input)
  if (wanted === 'sitemap') return (await import('./read-sitemap.ts')).readSitemap(input.bytes)
  return parseDocument(input)
}
