import type { ErrorIssue } from '@groundwork/api'
import type { Logger } from 'pino'
import { createLoopRegistry, publicErrorCode, type FailingLoop, type LoopHealth, type LoopRegistry } from '../lib/loop-health.ts'

export interface Readiness {
  /** Returns every reason why the program cannot serve; empty if it can. Contains no addresses or data, so it is safe to publish. */
  reasons(): Promise<readonly ErrorIssue[]>
  /** Makes `reasons` report `draining` from now on. */
  startDraining(): void
  isDraining(): boolean
}

export interface ReadinessOptions {
  readonly loops: LoopRegistry
  /** Write probes by their target. Each rejects if its target is not writable. */
  readonly writeProbes: Readonly<Record<string, () => Promise<void>>>
  readonly log: Pick<Logger, 'error' | 'info'>
  readonly now: () => Date
  /** How long the result of a write probe is cached; 5 seconds by default. */
  readonly cacheMs?: number
  /** Timeout of a write probe; 10 seconds by default. */
  readonly timeoutMs?: number
}

/** Decides whether the program can serve, from its write probes and the health of its background loops. */
export function createReadiness({ loops, writeProbes, log, now, cacheMs = 5000, timeoutMs = 10_000 }: ReadinessOptions): Readiness {
  let draining = false
  const probeHealth = createLoopRegistry({ log, now })
  const probes = Object.entries(writeProbes).map(([target, write]) => {
    const health = probeHealth.loop(`write probe of the ${target}`)
    return cached(() => probe(target, () => withTimeout(write(), timeoutMs), health), cacheMs)
  })
  return {
    async reasons() {
      if (draining) return [{ field: 'program', code: 'draining', message: 'The program is shutting down.' }]
      const notWritable = (await Promise.all(probes.map((result) => result()))).filter((issue) => issue !== null)
      return [...notWritable, ...loops.failing().map(toIssue)]
    },
    startDraining() {
      draining = true
    },
    isDraining: () => draining,
  }
}

/** Returns null when the write succeeded. */
async function probe(target: string, write: () => Promise<void>, health: LoopHealth): Promise<ErrorIssue | null> {
  try {
    await write()
    health.succeeded()
    return null
  } catch (error) {
    health.failed(error)
    return { field: target, code: 'not_writable', message: `The ${target} cannot be written${inParentheses(publicErrorCode(error))}.` }
  }
}

const toIssue = ({ name, failures, since, code }: FailingLoop): ErrorIssue => ({
  field: name,
  code: 'background_work_failing',
  message: `Background work "${name}" has failed ${failures} times in a row since ${since.toISOString()}${inParentheses(code)}.`,
})

const inParentheses = (code: string | null): string => (code === null ? '' : ` (${code})`)

async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    const error = Object.assign(new Error(`no answer within ${timeoutMs} ms`), { code: 'ETIMEDOUT' })
    timer = setTimeout(() => reject(error), timeoutMs)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** Shares one result among callers, from the start of the call until `ttlMs` after its end. */
function cached<T>(produce: () => Promise<T>, ttlMs: number): () => Promise<T> {
  let latest: Promise<T> | undefined
  let validUntil = 0
  return () => {
    if (latest !== undefined && performance.now() < validUntil) return latest
    validUntil = Number.POSITIVE_INFINITY
    latest = produce().finally(() => (validUntil = performance.now() + ttlMs))
    return latest
  }
}
