import type { Context } from '../context.ts'
import type { LoopHealth } from '../lib/loop-health.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { attempt } from './attempt.ts'
import type { Claimed } from './claim.ts'
import { askedPause, succeeded, type Outcome } from './record-outcomes.ts'
import { takeTurn, type Taken, type Turn } from './turn.ts'

/** Requests under way to one endpoint: fewer while it fails, one more with each success. */
const width = { narrowest: 2, widest: 8 }
/** A receiver that asks for more is asked again. */
const longestPauseMs = 5 * 60_000
/** With a second between them, longer than a lease: then others have taken what this one held. */
const maxErrors = 40

export interface LaneOptions {
  readonly outbound: Outbound
  /** Turns are taken under it, so that many lanes do not take all connections to the database. */
  readonly gate: <T>(work: () => Promise<T>) => Promise<T>
  /** Take no more. */
  readonly stopping: AbortSignal
  /** Give up what is under way. */
  readonly aborting: AbortSignal
  readonly health: LoopHealth
}

/**
 * Delivers to one endpoint what is due, until nothing is, with requests side by side: no lane waits for another. What came
 * of those that are done is written down, and others are taken, in one transaction after another.
 * @returns when the receiver wants to be left alone until; null when it does not
 */
export async function runLane(ctx: Context, endpointId: string, options: LaneOptions): Promise<Date | null> {
  const { outbound, gate, stopping, aborting, health } = options
  let running = 0
  let rouse = (): void => undefined
  let done: Outcome[] = []
  let untried: Claimed[] = []
  let [wide, pausedUntil, errors]: [number, Date | null, number] = [width.narrowest, null, 0]

  const send = async (delivery: Claimed, { url, secrets }: Taken): Promise<void> => {
    running += 1
    try {
      const outcome = { delivery, attempt: await attempt(outbound, { ...delivery, url, secrets }, ctx.now(), aborting) }
      done.push(outcome)
      wide = succeeded(outcome) ? Math.min(wide + 1, width.widest) : Math.max(wide >> 1, width.narrowest)
      const pause = askedPause(outcome)
      if (pause !== null) pausedUntil = new Date(Math.min(pause.getTime(), ctx.now().getTime() + longestPauseMs))
    } catch (error) {
      if (!aborting.aborted) health.failed(error)
      untried.push(delivery)
    }
    running -= 1
    rouse()
  }

  const turn = async (): Promise<Taken | null | 'failed'> => {
    const room = stopping.aborted || pausedUntil !== null ? 0 : Math.max(0, wide - running)
    const given: Turn = { outcomes: done, untried, room }
    ;[done, untried] = [[], []]
    try {
      const taken = await gate(() => takeTurn(ctx, endpointId, given))
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
    const taken = await turn()
    if (taken === 'failed') {
      if (errors >= maxErrors || stopping.aborted) return pausedUntil
      await new Promise((passed) => setTimeout(passed, 1000))
      continue
    }
    for (const delivery of taken?.claimed ?? []) void send(delivery, taken as Taken)
    if (done.length + untried.length > 0) continue
    if (running === 0) return pausedUntil
    await new Promise<void>((roused) => (rouse = roused))
  }
}
