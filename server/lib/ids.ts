import { randomUUID } from 'node:crypto'

/** A new UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then random bits, so ids sort by their time of birth. */
export function newId(nowMs: number = Date.now()): string {
  // But for its time and version it is as random as a UUIDv4.
  return `${timeOf(nowMs)}-7${randomUUID().slice(15)}`
}

/** What every id born at or after the moment is not below of: the lower end of a range of UUIDv7. */
export function firstIdAt(nowMs: number): string {
  return `${timeOf(Math.max(0, nowMs))}-0000-0000-000000000000`
}

/** The first 48 bits of an id, as it is written. */
function timeOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
