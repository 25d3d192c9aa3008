import { randomUUID } from 'node:crypto'

/** A new UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then random bits, so ids sort by their time of birth. */
export function newId(nowMs: number = Date.now()): string {
  const time = nowMs.toString(16).padStart(12, '0')
  // But for its time and version it is as random as a UUIDv4.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** What every id born at or after the moment is not below of: the lower end of a range of UUIDv7. */
export function firstIdAt(nowMs: number): string {
  const hex = Math.max(0, nowMs).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
