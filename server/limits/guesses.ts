import ipaddr from 'ipaddr.js'
import { AppError } from '../lib/errors.ts'

/** Bounds what callers without a token can make the database look up: secrets that are well-formed and unknown. */
export interface Guesses {
  /** @throws AppError `rate_limited` when too many of the address's secrets were unknown in this minute */
  refuseTooMany(address: string): void
  /** Tells of a secret that was unknown. */
  wrong(address: string): void
}

const windowMs = 60_000
/** Unknown secrets of an address that are looked up in a minute. */
const quota = 60
/** Addresses remembered at most; beyond, all are forgotten. */
const capacity = 10_000

/** Counts in the memory of this process, for each IPv4 address and each /64 of IPv6, by the minute. */
export function createGuesses(now: () => Date): Guesses {
  let startsAt = 0
  let counts = new Map<string, number>()
  const enterWindow = (nowMs: number): void => {
    const start = nowMs - (nowMs % windowMs)
    if (start === startsAt && counts.size < capacity) return
    startsAt = start
    counts = new Map()
  }
  return {
    refuseTooMany(address) {
      const nowMs = now().getTime()
      enterWindow(nowMs)
      if (counts.size === 0 || (counts.get(networkOf(address)) ?? 0) < quota) return
      throw new AppError('rate_limited', 'too many unknown secrets came from this address', {
        retryAfterSeconds: Math.ceil((startsAt + windowMs - nowMs) / 1000),
      })
    },
    wrong(address) {
      enterWindow(now().getTime())
      const network = networkOf(address)
      counts.set(network, (counts.get(network) ?? 0) + 1)
    },
  }
}

/** One caller has all addresses of a /64. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  return ip instanceof ipaddr.IPv6 ? ip.parts.slice(0, 4).join(':') : ip.toString()
}
