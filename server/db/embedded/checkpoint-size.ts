/**
 * No statement runs during a checkpoint of the embedded engine, and its duration grows with the pages that were written since
 * the last one. Checkpoints of more than `longMs` halve the growth of the write-ahead log until the next one, those of less
 * than `shortMs` raise it by half.
 */
const [shortMs, longMs] = [40, 100]
const minBytes = 2 ** 20

/** Returns the growth of the log before the first checkpoint: small, because the disk's speed is still unknown. */
export const firstCheckpointBytes = (maxBytes: number): number => Math.min(maxBytes, 4 * minBytes)

/** Returns the growth of the log before the next checkpoint, after one of `bytes` that took `ms`. */
export function nextCheckpointBytes(bytes: number, ms: number, maxBytes: number): number {
  if (ms > longMs) return Math.max(Math.min(minBytes, maxBytes), bytes / 2)
  return ms < shortMs ? Math.min(maxBytes, bytes * 1.5) : bytes
}
