import { SourceError } from '../../lib/errors.ts'
import { reportProgress, serveRequests } from '../../lib/limited-process.ts'
import type { Cost, ExtractReply, ExtractRequest, Readings } from './messages.ts'
import { parseDocument } from './parse.ts'

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
    // An error that is not a SourceError comes from a library that failed on malformed input.
    const [code, message] =
      error instanceof SourceError ? [error.code, error.message] : (['corrupt_file', 'The file is damaged and cannot be read.'] as const)
    if (!(error instanceof SourceError)) console.error(error)
    return { type: 'failure', code, message, cost: cost() }
  }
}

async function read({ wanted, input: given }: ExtractRequest): Promise<Readings[keyof Readings]> {
  const input = { ...given, onProgress: reportProgress }
  if (wanted === 'page') return (await import('./read-page.ts')).readPage(input)
  if (wanted === 'sitemap') return (await import('./read-sitemap.ts')).readSitemap(input.bytes)
  return parseDocument(input)
}
