import type { Pool, PoolClient } from 'pg'
import type { LoopHealth } from '../lib/loop-health.ts'

export interface ListenOptions {
  readonly onNotification: (channel: string, payload: string) => void
  /** Called each time a connection begins to listen: notifications sent before may have been missed. */
  readonly onListening?: () => void
  readonly health: LoopHealth
}

export interface Listening {
  /** Resolves when the first attempt has succeeded or failed. */
  readonly attempted: Promise<void>
  stop(): void
}

const firstPauseMs = 100
const maxPauseMs = 5000

/** Listens on the channels until stopped, on a connection of its own, which is replaced when it is lost. */
export function listen(pool: Pool, channels: readonly string[], { onNotification, onListening, health }: ListenOptions): Listening {
  let stopped = false
  let stop = (): void => undefined

  const attempt = async (pauseMs: number): Promise<void> => {
    try {
      const client = await pool.connect()
      const release = releaseOnce(client)
      stop = release
      if (stopped) return release()
      client.on('notification', ({ channel, payload }) => onNotification(channel, payload ?? ''))
      try {
        await client.query(channels.map((channel) => `listen ${channel}`).join('; '))
      } catch (error) {
        release()
        throw error
      }
      client.once('end', () => {
        release()
        if (!stopped) void attempt(firstPauseMs)
      })
      health.succeeded()
      onListening?.()
    } catch (error) {
      if (stopped) return
      health.failed(error)
      const timer = setTimeout(() => void attempt(Math.min(2 * pauseMs, maxPauseMs)), pauseMs)
      stop = () => clearTimeout(timer)
    }
  }

  return {
    attempted: attempt(firstPauseMs),
    stop() {
      stopped = true
      stop()
    },
  }
}

function releaseOnce(client: PoolClient): () => void {
  let held = true
  return () => {
    if (held) client.release(true)
    held = false
  }
}
