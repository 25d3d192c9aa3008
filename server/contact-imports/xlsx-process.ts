import { childEntry } from '../lib/entry.ts'
import { LimitedProcessError, startLimitedProcess, type ProcessLimits } from '../lib/limited-process.ts'
import { TableError, type TableRow } from './csv-reader.ts'
import type { XlsxReply, XlsxRequest } from './xlsx-messages.ts'

const limits: ProcessLimits = { memoryMb: 1024, cpuSeconds: 900 }
/** Processor time from one reply to the next: from one piece of the archive to the next at most. */
const timeoutMs = 120_000

/**
 * Yields the rows of the first sheet of a workbook in groups. A separate process with limits unpacks and parses it: a small archive can
 * contain gigabytes. It continues when the rows are taken.
 * @param open opens the file, which is read twice
 * @throws TableError
 */
export async function* xlsxRowsInProcess(open: () => Promise<AsyncIterable<Buffer>>): AsyncGenerator<TableRow[]> {
  const child = startLimitedProcess<XlsxRequest, XlsxReply>(childEntry(import.meta.url, './xlsx-child'), limits)
  let archive: AsyncIterator<Buffer> | undefined
  try {
    for (let request: XlsxRequest = {}; ;) {
      const reply = await child.exchange(request, timeoutMs).catch(failed)
      request = {}
      switch (reply.type) {
        case 'open':
          await archive?.return?.()
          archive = (await open())[Symbol.asyncIterator]()
          break
        case 'read': {
          const next = await archive?.next()
          request = { bytes: next === undefined || next.done === true ? null : next.value }
          break
        }
        case 'rows':
          yield reply.rows
          break
        case 'end':
          return
        case 'failure':
          throw new TableError(reply.message)
      }
    }
  } finally {
    child.kill()
    await archive?.return?.()
  }
}

/** A process that did not start or crashed is no fault of the file: the job is repeated. */
function failed(error: unknown): never {
  if (!(error instanceof LimitedProcessError)) throw error
  switch (error.failure) {
    case 'memory':
      throw new TableError(`The workbook takes more than ${limits.memoryMb} MB of memory to read. Save it as CSV.`, { cause: error })
    case 'timeout':
    case 'processor_time':
      throw new TableError('The workbook takes too long to read. Save it as CSV.', { cause: error })
    case 'not_started':
    case 'crashed':
      throw error
  }
}
