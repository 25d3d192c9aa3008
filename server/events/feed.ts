import type { Notifications } from '../db/notifications.ts'
import { createWakeableSleep } from '../lib/wakeable-sleep.ts'

/** Reports new events of organizations, as the database announces them. */
export interface EventFeed {
  /** Follows an organization until the signal is aborted. Events committed after the promise resolves are reported. */
  follow(organizationId: string, signal: AbortSignal): Promise<Follower>
  /** Follows all organizations. */
  followAll(signal: AbortSignal): Promise<Follower>
}

export interface Follower {
  /** Waits until there may be new events since the last call, the timeout has passed, or the signal is aborted. */
  waitForEvents(timeoutMs: number): Promise<void>
}

/** The key of followers of all organizations; no organization has this id. */
const allOrganizations = 'all'

/** A lost connection delays events but loses none: followers also poll, and all of them wake when the connection is back. */
export function eventFeed(notifications: Notifications): EventFeed {
  const followers = new Map<string, Set<() => void>>()
  let subscribed: Promise<void> | undefined

  const wake = (key: string): void => followers.get(key)?.forEach((wakeFollower) => wakeFollower())
  const subscribe = (): Promise<void> =>
    notifications.subscribe('groundwork_events', {
      onNotification: (organizationId) => [organizationId, allOrganizations].forEach(wake),
      onListening: () => [...followers.keys()].forEach(wake),
    })

  const follow = async (key: string, signal: AbortSignal): Promise<Follower> => {
    const sleeper = createWakeableSleep()
    const group = followers.get(key) ?? new Set()
    followers.set(key, group.add(sleeper.wake))
    signal.addEventListener('abort', () => {
      group.delete(sleeper.wake)
      if (group.size === 0 && followers.get(key) === group) followers.delete(key)
      sleeper.wake()
    })
    subscribed ??= subscribe()
    await subscribed
    return { waitForEvents: (timeoutMs) => sleeper.sleep(timeoutMs) }
  }

  return { follow, followAll: (signal) => follow(allOrganizations, signal) }
}
