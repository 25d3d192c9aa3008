import ipaddr from 'ipaddr.js'
import { AppError } from '../lib/errors.ts'
import { createMinuteWindow } from './minute-window.ts'

/**
 * Limits the database look-ups that callers without a valid secret can cause, and never refuses a valid one. Look-ups from an
 * address over its quota of unknown secrets run one after the other.
 */
export interface AuthenticationThrottle {
  /** Returns the result of `find`. An undefined result counts against the address's quota for this minute. */
  readonly lookUp: <T>(address: string, find: () => Promise<T | undefined>) => Promise<LookUp<T>>
}

export interface LookUp<T> {
  readonly found: T | undefined
  /** `rate_limited`, for an unknown secret from an address over its quota. */
  readonly refusal: AppError | undefined
}

/** Unknown secrets per address and minute that are looked up concurrently and answered as unknown. */
const quota = 60
/** Maximum number of addresses remembered. Beyond it all counts start again. */
const capacity = 10_000

/** Counts in the memory of this process, by minute, for each IPv4 address and each /64 network of IPv6. */
export function createAuthenticationThrottle(now: () => Date): AuthenticationThrottle {
  const unknown = createMinuteWindow(now, capacity)
  /** The last queued look-up of each network that is over its quota. */
  const queued = new Map<string, Promise<unknown>>()

  const enqueueLookUp = <T>(network: string, find: () => Promise<T>): Promise<T> => {
    const result = (queued.get(network) ?? Promise.resolve()).then(find)
    // The next look-up waits for this one, whether it fails or not; the caller gets the failure.
    const settled = result.then(
      () => undefined,
      () => undefined,
    )
    queued.set(network, settled)
    void settled.then(() => queued.get(network) === settled && queued.delete(network))
    return result
  }

  const overQuota = (): AppError =>
    new AppError('rate_limited', `More than ${quota} unknown tokens were sent from this address within a minute.`, {
      retryAfterSeconds: unknown.secondsLeft(),
    })

  return {
    async lookUp(address, find) {
      const network = networkOf(address)
      const window = unknown.current()
      const count = window.get(network) ?? 0
      // Counted before the look-up, so that a burst cannot pass while the first look-ups are running.
      window.set(network, count + 1)
      const uncount = (): void => {
        const rest = (window.get(network) ?? 1) - 1
        if (rest > 0) window.set(network, rest)
        else window.delete(network)
      }
      try {
        const found = await (count < quota ? find() : enqueueLookUp(network, find))
        if (found !== undefined) uncount()
        return { found, refusal: found === undefined && count >= quota ? overQuota() : undefined }
      } catch (error) {
        uncount()
        throw error
      }
    },
  }
}

/** Returns the network of an address: an IPv6 client usually has a whole /64 of addresses. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  return ip instanceof ipaddr.IPv6 ? ip.parts.slice(0, 4).join(':') : ip.toString()
}
