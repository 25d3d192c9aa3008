import { useSyncExternalStore } from 'react'
import { exactTime, relativeTime } from '../lib/formats.ts'

/** How long ago something was, or how soon it will be, with the exact time behind it. @param at ISO 8601 */
export function RelativeTime({ at }: { at: string }) {
  const now = useSyncExternalStore(everyMinute, currentMinute)
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at, now)}
    </time>
  )
}

const minuteMs = 60_000

/** One clock for all times of the page. */
const listeners = new Set<() => void>()
let clock: ReturnType<typeof setInterval> | undefined
let minute = Date.now()

function everyMinute(listener: () => void): () => void {
  listeners.add(listener)
  clock ??= setInterval(() => {
    minute = Date.now()
    for (const tell of listeners) tell()
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
