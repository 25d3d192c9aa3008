import type { Pool } from 'pg'
import type { LoopHealth } from '../lib/loop-health.ts'

/** Told by the database when an organization has new events, on one connection for all who follow. */
export interface EventFeed {
  /** Follows until the signal; once the answer is there, no news escapes it. */
  follow(organizationId: string, signal: AbortSignal): Promise<Follower>
  /** The same for the news of all organizations. */
  followAll(signal: AbortSignal): Promise<Follower>
  close(): Promise<void>
}

export interface Follower {
  /** Waits until there may be news since the last call, at most so long, or until the signal. */
  news(timeoutMs: number): Promise<void>
}

/** Stands for every organization, and is the id of none. */
const everyone = 'everyone'

/**
 * Listens from the first follower on. A connection that was lost costs promptness, not events: followers also look by
 * themselves, and whoever waits next brings it back.
 */
export function eventFeed(pool: Pool, health: LoopHealth): EventFeed {
  const followers = new Map<string, Set<() => void>>()
  let listening: Promise<() => void> | undefined

  const listen = async (): Promise<void> => {
    listening ??= listenTo(
      pool,
      (organizationId) => [organizationId, everyone].forEach((name) => followers.get(name)?.forEach((wake) => wake())),
      () => (listening = undefined),
      (error) => health.failed(error),
    )
    await listening.then(
      () => health.succeeded(),
      (error: unknown) => {
        listening = undefined
        health.failed(error)
      },
    )
  }

  const follow = async (name: string, signal: AbortSignal): Promise<Follower> => {
    const sleeper = newSleeper()
    const group = followers.get(name) ?? new Set()
    followers.set(name, group.add(sleeper.wake))
    signal.addEventListener('abort', () => {
      group.delete(sleeper.wake)
      if (group.size === 0 && followers.get(name) === group) followers.delete(name)
      sleeper.wake()
    })
    await listen()
    return {
      async news(timeoutMs) {
        if (listening === undefined) await listen()
        await sleeper.sleep(timeoutMs)
      },
    }
  }

  return {
    follow,
    followAll: (signal) => follow(everyone, signal),
    async close() {
      const stop = await listening?.catch(() => undefined)
      stop?.()
    },
  }
}

/** Listens on a connection of the pool's own; gives the function that hands it back. */
async function listenTo(pool: Pool, onNews: (organizationId: string) => void, onLost: () => void, onError: (error: Error) => void) {
  const client = await pool.connect()
  let held = true
  const handBack = (): void => {
    if (held) client.release(true)
    held = false
  }
  client.on('notification', ({ payload }) => onNews(payload ?? ''))
  client.on('error', onError)
  client.once('end', () => {
    handBack()
    onLost()
  })
  try {
    await client.query('listen groundwork_events')
  } catch (error) {
    handBack()
    throw error
  }
  return handBack
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
