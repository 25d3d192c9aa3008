import type { Pool } from 'pg'
import { listen, type Listening } from '../db/listen.ts'
import type { LoopHealth } from '../lib/loop-health.ts'

/** Told by the database when an organization has new events, on one connection for all who follow. */
export interface EventFeed {
  /** Follows until the signal; once the answer is there, no news escapes it. */
  follow(organizationId: string, signal: AbortSignal): Promise<Follower>
  /** The same for the news of all organizations. */
  followAll(signal: AbortSignal): Promise<Follower>
  close(): void
}

export interface Follower {
  /** Waits until there may be news since the last call, at most so long, or until the signal. */
  news(timeoutMs: number): Promise<void>
}

/** Stands for every organization, and is the id of none. */
const everyone = 'everyone'

/**
 * Listens from the first follower on. A lost connection costs promptness, not events: followers also look by themselves,
 * and all of them look when the connection is back.
 */
export function eventFeed(pool: Pool, health: LoopHealth): EventFeed {
  const followers = new Map<string, Set<() => void>>()
  let listening: Listening | undefined

  const wake = (name: string): void => followers.get(name)?.forEach((each) => each())
  const begin = (): Listening =>
    listen(pool, 'groundwork_events', {
      onNotification: (organizationId) => [organizationId, everyone].forEach(wake),
      onListening: () => [...followers.keys()].forEach(wake),
      health,
    })

  const follow = async (name: string, signal: AbortSignal): Promise<Follower> => {
    const sleeper = newSleeper()
    const group = followers.get(name) ?? new Set()
    followers.set(name, group.add(sleeper.wake))
    signal.addEventListener('abort', () => {
      group.delete(sleeper.wake)
      if (group.size === 0 && followers.get(name) === group) followers.delete(name)
      sleeper.wake()
    })
    listening ??= begin()
    await listening.attempted
    return { news: (timeoutMs) => sleeper.sleep(timeoutMs) }
  }

  return {
    follow,
    followAll: (signal) => follow(everyone, signal),
    close() {
      listening?.stop()
    },
  }
}

/** A wake-up between two sleeps ends the second one at once. */
function newSleeper() {
  let woken = false
  let rouse = (): void => undefined
  return {
    wake: (): void => {
      woken = true
      rouse()
    },
    async sleep(timeoutMs: number): Promise<void> {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs)
          rouse = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      woken = false
    },
  }
}
