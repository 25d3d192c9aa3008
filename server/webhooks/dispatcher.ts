import type { Platform } from '../context.ts'
import { createLoopRegistry, type LoopRegistry } from '../lib/loop-health.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { dueEndpoints } from './due.ts'
import { runLane } from './lane.ts'

/** How often to look without being told: for retries that fall due, and should a notification be lost. */
const lookMs = 1000
/** Between two looks at least: in a busy time each finds more. */
const gapMs = 25
/** What is under way at shutdown has this long to end. */
const graceMs = 5000
const maxLanes = 1000
const maxTurns = 4

export interface Dispatcher {
  /** Begins with everything that is due now. */
  look(): Promise<void>
  /** Waits until nothing is under way. */
  idle(): Promise<void>
  /** Takes no more, waits some seconds for what is under way and leaves the rest to the next dispatcher. */
  stop(): Promise<void>
}

/** Delivers events to webhook endpoints: one lane for each that has something due. There may be several dispatchers. */
export function createDispatcher(platform: Platform, outbound: Outbound, loops: LoopRegistry = createLoopRegistry(platform)): Dispatcher {
  const [stopping, aborting] = [new AbortController(), new AbortController()]
  const lanes = new Map<string, { ended: Promise<void>; more: boolean }>()
  const paused = new Map<string, Date>()
  const gate = turnstile(maxTurns)
  const health = loops.loop('webhook delivery')

  async function run(organizationId: string, endpointId: string): Promise<void> {
    const ctx = { ...platform, organizationId }
    do {
      mark(endpointId, false)
      const pause = await runLane(ctx, endpointId, { outbound, gate, stopping: stopping.signal, aborting: aborting.signal, health })
      if (pause !== null) paused.set(endpointId, pause)
    } while (lanes.get(endpointId)?.more === true && !paused.has(endpointId) && !stopping.signal.aborted)
    lanes.delete(endpointId)
  }

  /** What falls due behind the back of a lane that is about to end has it go on. */
  function mark(endpointId: string, more: boolean): boolean {
    const lane = lanes.get(endpointId)
    if (lane !== undefined) lane.more = more
    return lane !== undefined
  }

  return {
    async look() {
      for (const { organizationId, endpointId } of await dueEndpoints(platform)) {
        if (stopping.signal.aborted || mark(endpointId, true) || lanes.size >= maxLanes) continue
        const pause = paused.get(endpointId)
        if (pause !== undefined && pause > platform.now()) continue
        paused.delete(endpointId)
        const lane = { ended: Promise.resolve(), more: false }
        lanes.set(endpointId, lane)
        lane.ended = run(organizationId, endpointId)
      }
    },
    async idle() {
      while (lanes.size > 0) await Promise.all([...lanes.values()].map(({ ended }) => ended))
    },
    async stop() {
      stopping.abort()
      const timer = setTimeout(() => aborting.abort(new Error('the program is shutting down')), graceMs)
      await this.idle()
      clearTimeout(timer)
    },
  }
}

/** Has a dispatcher look whenever there may be something due, until it is stopped. */
export function startDispatcher(
  platform: Platform,
  outbound: Outbound,
  loops: LoopRegistry = createLoopRegistry(platform),
): { stop(): Promise<void> } {
  const dispatcher = createDispatcher(platform, outbound, loops)
  const stopping = new AbortController()
  const health = loops.loop('webhook dispatcher')
  const loop = async (): Promise<void> => {
    const follower = await platform.events.followAll(stopping.signal)
    while (!stopping.signal.aborted) {
      await dispatcher.look().then(health.succeeded, health.failed)
      await new Promise((passed) => setTimeout(passed, gapMs))
      if (!stopping.signal.aborted) await follower.news(lookMs)
    }
  }
  const ended = loop()
  return {
    async stop() {
      stopping.abort()
      await ended
      await dispatcher.stop()
    },
  }
}

/** Lets so many in at a time, the others in the order in which they came. */
function turnstile(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = places
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((admitted) => waiting.push(admitted))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
