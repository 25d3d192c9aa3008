import { setPriority } from 'node:os'

/**
 * Gives way, from a thread that works in the background, to those that answer requests. On Linux a priority belongs to the
 * calling thread; elsewhere it would slow the whole process, and nothing is done.
 */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(10)
}
