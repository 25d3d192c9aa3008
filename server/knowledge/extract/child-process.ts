import { SourceError } from '../../lib/errors.ts'
import { childEntry } from '../../lib/entry.ts'
import { LimitedProcessError, startLimitedProcess, type ProcessLimits } from '../../lib/limited-process.ts'
import type { ExtractReply, ExtractRequest, Readings } from './messages.ts'

/** A parser process. It takes one request at a time and cannot be used after it has ended. */
export interface ParserChild {
  readonly usedCpuMs: number
  readonly documents: number
  /** @throws SourceError; a crash of the process fails this request only */
  read<W extends keyof Readings>(
    request: ExtractRequest & { wanted: W },
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Readings[W]>
  alive(): boolean
  kill(): void
}

export interface ParserLog {
  debug(fields: object, message: string): void
  error(fields: object, message: string): void
}

export function startChild(limits: ProcessLimits, log?: ParserLog): ParserChild {
  const child = startLimitedProcess<ExtractRequest, ExtractReply>(childEntry(import.meta.url, './child'), limits, (stderr) =>
    log?.debug({ stderr }, 'parser process'),
  )
  let usedCpuMs = 0
  return {
    get usedCpuMs() {
      return usedCpuMs
    },
    get documents() {
      return child.requests
    },
    async read(request, timeoutMs, signal) {
      const reply = await child.exchange(request, timeoutMs, signal).catch((error: unknown) => {
        if (!(error instanceof LimitedProcessError)) throw error
        if (error.failure === 'crashed') log?.error({ err: error.cause }, 'a parser process crashed')
        throw asSourceError(error, timeoutMs, limits)
      })
      usedCpuMs += reply.cost.cpuMs
      log?.debug(reply.cost, 'parser process')
      if (reply.type === 'failure') {
        if (reply.stack !== undefined) log?.error({ stack: reply.stack }, 'a parser failed unexpectedly')
        throw new SourceError(reply.code, reply.message)
      }
      return asWanted(reply.reading, request.wanted)
    },
    alive: () => child.alive(),
    kill: () => child.kill(),
  }
}

/** The child replies with the reading of the request, and handles one request at a time. */
function asWanted<W extends keyof Readings>(reading: Readings[keyof Readings], _wanted: W): Readings[W] {
  return reading as Readings[W]
}

function asSourceError({ failure, cause }: LimitedProcessError, timeoutMs: number, { memoryMb }: ProcessLimits): SourceError {
  switch (failure) {
    case 'not_started':
      return new SourceError('internal', 'The parser process did not start.', { retryable: true, cause })
    case 'timeout':
      return new SourceError('timeout', `The file could not be read within ${timeoutMs / 1000} seconds of processor time.`)
    case 'processor_time':
      return new SourceError('timeout', 'The file took too much processor time to read.', { cause })
    case 'memory':
      return new SourceError('too_large', `The file takes more than ${memoryMb} MB of memory to read, the maximum. Split it.`, { cause })
    case 'crashed':
      break
  }
  return new SourceError('internal', 'The file could not be read: its parser ended unexpectedly. The log of the program has the details.', {
    cause,
  })
}
