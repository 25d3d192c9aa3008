import { runOnEvents } from '../events/run-on-events.ts'
import { createLoopRegistry, type LoopRegistry } from '../lib/loop-health.ts'
import { createSemaphore } from '../lib/semaphore.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { dueEndpoints } from './due.ts'
import type { WebhookServices } from './context.ts'
import { runEndpointWorker } from './endpoint-worker.ts'

/** Polling interval, for retries that fall due and lost notifications: shorter than the shortest delay of a retry. */
const pollMs = 2500
/** Minimum interval between polls: in busy times each finds more deliveries. */
const gapMs = 25
/** Time that requests in progress have to end at shutdown. */
const graceMs = 5000
const maxWorkers = 1000
/** Concurrent transactions of all endpoint workers. */
const maxTransactions = 4

export interface Dispatcher {
  /** Starts the delivery of everything that is due. */
  poll(): Promise<void>
  /** Waits until no request is in progress. */
  idle(): Promise<void>
  /** Claims no more deliveries, waits some seconds for requests in progress, and leaves the rest to another dispatcher. */
  stop(): Promise<void>
}

/**
 * Creates a dispatcher, which delivers events to webhook endpoints: one worker for each endpoint with due deliveries. Several
 * dispatchers can run at the same time.
 */
export function createDispatcher(
  services: WebhookServices,
  outbound: Outbound,
  loops: LoopRegistry = createLoopRegistry(services),
): Dispatcher {
  const [stopping, aborting] = [new AbortController(), new AbortController()]
  const workers = new Map<string, { ended: Promise<void>; more: boolean }>()
  const paused = new Map<string, Date>()
  const gate = createSemaphore(maxTransactions)
  const health = loops.loop('webhook delivery')

  async function run(organizationId: string, endpointId: string): Promise<void> {
    const ctx = { ...services, organizationId }
    do {
      mark(endpointId, false)
      const pause = await runEndpointWorker(ctx, endpointId, {
        outbound,
        gate,
        stopping: stopping.signal,
        aborting: aborting.signal,
        health,
      })
      if (pause !== null) paused.set(endpointId, pause)
    } while (workers.get(endpointId)?.more === true && !paused.has(endpointId) && !stopping.signal.aborted)
    workers.delete(endpointId)
  }

  /** Deliveries that fall due while a worker is about to end let it continue. */
  function mark(endpointId: string, more: boolean): boolean {
    const worker = workers.get(endpointId)
    if (worker !== undefined) worker.more = more
    return worker !== undefined
  }

  return {
    async poll() {
      for (const { organizationId, endpointId } of await dueEndpoints(services)) {
        if (stopping.signal.aborted || mark(endpointId, true) || workers.size >= maxWorkers) continue
        const pause = paused.get(endpointId)
        if (pause !== undefined && pause > services.now()) continue
        paused.delete(endpointId)
        const worker = { ended: Promise.resolve(), more: false }
        workers.set(endpointId, worker)
        worker.ended = run(organizationId, endpointId)
      }
    },
    async idle() {
      while (workers.size > 0) await Promise.all([...workers.values()].map(({ ended }) => ended))
    },
    async stop() {
      stopping.abort()
      const timer = setTimeout(() => aborting.abort(new Error('The program is shutting down.')), graceMs)
      await this.idle()
      clearTimeout(timer)
    },
  }
}

/** Starts a dispatcher and polls on notifications until it is stopped. */
export function startDispatcher(
  services: WebhookServices,
  outbound: Outbound,
  loops: LoopRegistry = createLoopRegistry(services),
): { stop(): Promise<void> } {
  const dispatcher = createDispatcher(services, outbound, loops)
  const polling = runOnEvents(services, () => dispatcher.poll(), { health: loops.loop('webhook dispatcher'), pollMs, gapMs })
  return {
    async stop() {
      await polling.stop()
      await dispatcher.stop()
    },
  }
}
