import type { FastifyRequest } from 'fastify'
import { isIPv4 } from 'node:net'
import type { TrustedProxies } from '../lib/trusted-proxies.ts'
import { canonicalAddress, forwardedHops, nearestFirst, schemeIn, xForwardedHops, type Hop, type Scheme } from './forwarded.ts'

/** The caller of a request, as far as trusted proxies report. */
export interface Client {
  /** An IP address in its canonical form; empty where the socket has none. */
  readonly address: string
  /** The scheme that the client used; undefined where no trusted proxy reports one. */
  readonly scheme: Scheme | undefined
}

/**
 * Returns the client of a request: the rightmost address that is no trusted proxy. Headers of an untrusted peer are ignored,
 * and `X-Forwarded-For` and `Forwarded` are both ignored where they name different clients: a proxy maintains one of them,
 * and the other one comes from the client. A malformed address ends the chain at the proxy that reports it.
 */
export function clientOf({ socket, headers }: Pick<FastifyRequest['raw'], 'socket' | 'headers'>, proxies: TrustedProxies): Client {
  const peer = addressOf(socket.remoteAddress ?? '')
  if (!proxies.trusts(peer, 0)) return { address: peer, scheme: undefined }
  const [one, other] = reportsIn(headers).map((hops) => followed(peer, hops, proxies))
  if (one === undefined || (other !== undefined && other.address !== one.address))
    return { address: peer, scheme: forwardedProto(headers, 1) }
  return { address: one.address, scheme: forwardedProto(headers, one.hops) ?? one.scheme ?? other?.scheme }
}

/** Sockets have canonical addresses, but for IPv4 on a dual-stack port and for zones. */
const addressOf = (address: string): string => (address === '' || isIPv4(address) ? address : canonicalAddress(address))

function reportsIn(headers: FastifyRequest['headers']): Hop[][] {
  const { 'x-forwarded-for': chain, forwarded } = headers
  return [
    ...(chain === undefined ? [] : [xForwardedHops([chain].flat().join(','))]),
    ...(forwarded === undefined ? [] : [forwardedHops(forwarded)]),
  ]
}

function followed(peer: string, hops: readonly Hop[], proxies: TrustedProxies): Client & { hops: number } {
  let client = { address: peer, scheme: undefined as Scheme | undefined, hops: 0 }
  for (const { address, scheme } of hops) {
    client = { address: address ?? client.address, scheme, hops: client.hops + 1 }
    if (address === undefined || !proxies.trusts(address, client.hops)) break
  }
  return client
}

/** The scheme that the outermost trusted proxy reports: proxies append to a list, or replace it by one value. */
function forwardedProto(headers: FastifyRequest['headers'], hops: number): Scheme | undefined {
  const values = nearestFirst([headers['x-forwarded-proto'] ?? ''].flat().join(','))
  return schemeIn(values[Math.min(hops, values.length) - 1] ?? '')
}
