import type { Pool } from 'pg'
import type { LoopHealth } from '../lib/loop-health.ts'
import { listen, type Listening } from './listen.ts'

export interface Subscriber {
  readonly onNotification: (payload: string) => void
  /** Called each time the connection begins to listen: notifications sent before may have been missed. */
  readonly onListening?: () => void
}

/** Notifications of PostgreSQL, received on one connection for all channels. */
export interface Notifications {
  /** Resolves when the connection listens, or when the first attempt has failed: it is repeated until it succeeds. */
  subscribe(channel: Channel, subscriber: Subscriber): Promise<void>
  close(): void
}

export const channels = ['groundwork_jobs', 'groundwork_events', 'groundwork_organizations'] as const
export type Channel = (typeof channels)[number]

/** Connects at the first subscription. */
export function createNotifications(pool: Pool, health: LoopHealth): Notifications {
  const subscribers = new Map<string, Set<Subscriber>>()
  let listening: Listening | undefined
  return {
    async subscribe(channel, subscriber) {
      subscribers.set(channel, (subscribers.get(channel) ?? new Set()).add(subscriber))
      listening ??= listen(pool, channels, {
        onNotification: (name, payload) => subscribers.get(name)?.forEach(({ onNotification }) => onNotification(payload)),
        onListening: () => [...subscribers.values()].forEach((each) => each.forEach(({ onListening }) => onListening?.())),
        health,
      })
      await listening.attempted
    },
    close: () => listening?.stop(),
  }
}
