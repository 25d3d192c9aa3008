import { setTimeout as sleep } from 'node:timers/promises'
import type { LoopHealth } from '../lib/loop-health.ts'
import type { WebhookOutcome } from '../lib/measurements.ts'
import type { Semaphore } from '../lib/semaphore.ts'
import { createWakeableSleep } from '../lib/wakeable-sleep.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { attempt } from './attempt.ts'
import type { Claimed } from './claim.ts'
import { requestedPause, succeeded, type Outcome } from './record-outcomes.ts'
import { processBatch, type ClaimedBatch, type Batch } from './batch.ts'
import type { WebhookContext } from './context.ts'

/** Concurrent requests to one endpoint: halved on failure, one more after each success. */
const width = { narrowest: 2, widest: 8 }
/** A longer pause is shortened, and the receiver may ask again. */
const maxPauseMs = 5 * 60_000
/** At one second each, longer than a lease: then other workers have claimed the deliveries. */
const maxErrors = 40

/**
 * Time between two transactions of a worker, in durations of the last one. Without it a worker on the embedded engine recorded
 * each outcome by itself: two endpoints took 44 % of the processor time of the engine's one session.
 */
const gapFactor = 2
const maxGapMs = 200

export interface EndpointWorkerOptions {
  readonly outbound: Outbound
  /** Limits concurrent transactions, so that many workers do not take all database connections. */
  readonly gate: Semaphore
  /** Claim no more deliveries. */
  readonly stopping: AbortSignal
  /** Abort requests in progress. */
  readonly aborting: AbortSignal
  readonly health: LoopHealth
}

/**
 * Delivers to one endpoint until nothing is due, with concurrent requests; endpoints do not wait for each other. Each
 * transaction records the outcomes of finished requests and claims further deliveries.
 * @returns the end of a pause that the receiver asked for; null without one
 */
export async function runEndpointWorker(ctx: WebhookContext, endpointId: string, options: EndpointWorkerOptions): Promise<Date | null> {
  const { outbound, gate, stopping, aborting, health } = options
  let running = 0
  const requestEnded = createWakeableSleep()
  let done: Outcome[] = []
  let untried: Claimed[] = []
  let [wide, pausedUntil, errors]: [number, Date | null, number] = [width.narrowest, null, 0]

  const send = async (delivery: Claimed, { url, secrets }: ClaimedBatch): Promise<void> => {
    running += 1
    try {
      const outcome = { delivery, attempt: await attempt(outbound, { ...delivery, url, secrets }, ctx.now(), aborting) }
      ctx.measurements.webhookAttempt(kindOf(outcome), outcome.attempt.durationMs / 1000)
      done.push(outcome)
      wide = succeeded(outcome) ? Math.min(wide + 1, width.widest) : Math.max(wide >> 1, width.narrowest)
      const pause = requestedPause(outcome)
      if (pause !== null) pausedUntil = new Date(Math.min(pause.getTime(), ctx.now().getTime() + maxPauseMs))
    } catch (error) {
      if (!aborting.aborted) health.failed(error)
      untried.push(delivery)
    }
    running -= 1
    requestEnded.wake()
  }

  const runBatch = async (): Promise<ClaimedBatch | null | 'failed'> => {
    const maxClaims = stopping.aborted || pausedUntil !== null ? 0 : Math.max(0, wide - running)
    const given: Batch = { outcomes: done, untried, maxClaims }
    ;[done, untried] = [[], []]
    try {
      const taken = await gate(() => processBatch(ctx, endpointId, given))
      errors = 0
      health.succeeded()
      return taken
    } catch (error) {
      health.failed(error)
      errors += 1
      done.unshift(...given.outcomes)
      untried.unshift(...given.untried)
      return 'failed'
    }
  }

  for (;;) {
    const began = performance.now()
    const taken = await runBatch()
    if (taken === 'failed') {
      if (errors >= maxErrors || stopping.aborted) return pausedUntil
      await sleep(1000)
      continue
    }
    for (const delivery of taken?.claimed ?? []) void send(delivery, taken as ClaimedBatch)
    // Requests that end within this time share the next transaction.
    const gapMs = Math.min(gapFactor * (performance.now() - began), maxGapMs)
    if (done.length + untried.length === 0 && running === 0) return pausedUntil
    while (done.length + untried.length === 0) await requestEnded.sleep()
    await sleep(gapMs)
  }
}

const kindOf = (outcome: Outcome): WebhookOutcome =>
  succeeded(outcome) ? 'succeeded' : outcome.attempt.response === null ? 'unreachable' : 'rejected'
