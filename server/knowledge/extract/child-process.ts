import { SourceError } from '../../lib/errors.ts'
import { childEntry } from '../../lib/entry.ts'
import { LimitedProcessError, startLimitedProcess, type ProcessLimits } from '../../lib/limited-process.ts'
import type { Cost, ExtractReply, ExtractRequest, Readings } from './messages.ts'

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

export function startChild(limits: ProcessLimits, onEvent: (event: { stderr: string } | Cost) => void): ParserChild {
  const child = startLimitedProcess<ExtractRequest, ExtractReply>(childEntry(import.meta.url, './child'), limits, (stderr) =>
    onEvent({ stderr }),
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
        throw error instanceof LimitedProcessError ? asSourceError(error, timeoutMs) : error
      })
      usedCpuMs += reply.cost.cpuMs
      onEvent(reply.cost)
      if (reply.type === 'failure') throw new SourceError(reply.code, reply.message)
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

function asSourceError({ failure, cause }: LimitedProcessError, timeoutMs: number): SourceError {
  switch (failure) {
    case 'not_started':
      return new SourceError('internal', 'The parser process did not start.', { retryable: true, cause })
    case 'timeout':
      return new SourceError('timeout', `The file could not be read within ${timeoutMs / 1000} seconds.`)
    case 'processor_time':
      return new SourceError('timeout', 'The file took too much processor time to read.', { cause })
    case 'memory':
      return new SourceError('too_large', 'The file takes more memory to read than is allowed.', { cause })
    case 'crashed':
      break
  }
  return new SourceError('corrupt_file', 'The file could not be read: its parser failed on it.', { cause })
}
