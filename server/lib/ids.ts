import { randomUUID } from 'node:crypto'

/** Returns a new UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then random bits, so that ids sort by creation time. */
export function newId(nowMs: number = Date.now()): string {
  // Everything except time and version comes from a random UUIDv4.
  return `${timeOf(nowMs)}-7${randomUUID().slice(15)}`
}

/** Returns the lower bound of ids created at or after the time. */
export function firstIdAt(nowMs: number): string {
  return `${timeOf(Math.max(0, nowMs))}-0000-0000-000000000000`
}

/** Returns the first 48 bits of an id in UUID notation. */
function timeOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
