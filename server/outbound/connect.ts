import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { isPublicAddress } from './address.ts'
import { OutboundError } from './error.ts'
import { checkAddresses, checkTarget, targetOf, type Target } from './rules.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>
/** Opens a socket, optionally with TLS, to one of `addresses` and no other. */
export type Dial = (options: buildConnector.Options, addresses: readonly ResolvedAddress[], callback: buildConnector.Callback) => void

export const resolveName: Resolve = (host) => lookup(host, { all: true, verbatim: true })

/** Returns a dialer with pinned addresses: `net` uses the given list instead of the resolver, so a second lookup cannot change them. */
export function pinnedDial(timeoutMs: number): Dial {
  return (options, addresses, callback) => {
    const pinned: LookupFunction = (_host, { all }, done) => {
      const [first] = addresses
      if (all || !first) done(null, [...addresses])
      else done(null, first.address, first.family)
    }
    buildConnector({ timeout: timeoutMs, lookup: pinned, port: Number(options.port), autoSelectFamily: true })(options, callback)
  }
}

/**
 * Returns an undici connector that decides at connect time: the address literal or every resolved address must be public, and
 * the socket must be connected to one of them. The decision holds for the life of the socket, so a reused socket was checked.
 */
export function guardedConnector(rule: { allowed: (target: Target) => boolean; resolve: Resolve; dial: Dial }): buildConnector.connector {
  return (options, callback) => {
    void connect(options, callback)
  }

  async function connect(options: buildConnector.Options, callback: buildConnector.Callback): Promise<void> {
    const target = targetOf(options)
    const exempt = rule.allowed(target)
    let addresses: readonly ResolvedAddress[]
    try {
      addresses = await admit(target, exempt)
    } catch (error) {
      return callback(asError(error), null)
    }
    rule.dial(options, addresses, (...[error, socket]) => {
      if (error) return callback(error, null)
      if (exempt || isPublicAddress(socket.remoteAddress ?? '')) return callback(null, socket)
      socket.destroy()
      return callback(
        new OutboundError('blocked_address', `${target.host} resolves to an address that is not on the public internet.`),
        null,
      )
    })
  }

  async function admit(target: Target, exempt: boolean): Promise<readonly ResolvedAddress[]> {
    if (!exempt) checkTarget(target)
    const family = isIP(target.host)
    const answers = family ? [{ address: target.host, family }] : await rule.resolve(target.host)
    const addresses = answers.map(({ address }) => address)
    if (!exempt) checkAddresses(target.host, addresses)
    return answers
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
