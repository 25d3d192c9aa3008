import { useSyncExternalStore } from 'react'
import { exactTime, relativeTime } from '../lib/formats.ts'

/** A relative time such as “5 minutes ago”, with the exact time as its tooltip. @param at ISO 8601 */
export function RelativeTime({ at }: { at: string }) {
  const now = useSyncExternalStore(everyMinute, currentMinute)
  return (
    <time className="one-line" dateTime={at} title={exactTime(at)}>
      {relativeTime(at, now)}
    </time>
  )
}

const minuteMs = 60_000

/** All relative times on the page use one timer. */
const listeners = new Set<() => void>()
let clock: ReturnType<typeof setInterval> | undefined
let minute = Date.now()

function everyMinute(listener: () => void): () => void {
  listeners.add(listener)
  clock ??= setInterval(() => {
    minute = Date.now()
    for (const notify of listeners) notify()
  }, minuteMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(clock)
    clock = undefined
  }
}

function currentMinute(): number {
  if (clock === undefined) minute = Math.max(minute, Math.floor(Date.now() / minuteMs) * minuteMs)
  return minute
}
