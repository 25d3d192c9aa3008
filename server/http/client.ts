import type { FastifyRequest } from 'fastify'
import { isIPv4 } from 'node:net'
import type { TrustedProxies } from '../lib/trusted-proxies.ts'
import { canonicalAddress, forwardedHops, nearestFirst, schemeIn, xForwardedHops, type Hop, type Scheme } from './forwarded.ts'

/** The client of a request, as trusted proxies report it. */
export interface Client {
  /** The canonical IP address; empty if the socket has none. */
  readonly address: string
  /** The scheme that the client used; undefined if no trusted proxy reports one. */
  readonly scheme: Scheme | undefined
}

/**
 * Returns the client of a request: the rightmost address that is not a trusted proxy. Ignores the headers of an untrusted peer.
 * Ignores both `X-Forwarded-For` and `Forwarded` if they report different clients: a proxy maintains one of them, and the other
 * one comes from the client. A malformed address ends the chain at the proxy that reports it.
 */
export function clientOf({ socket, headers }: Pick<FastifyRequest['raw'], 'socket' | 'headers'>, proxies: TrustedProxies): Client {
  const peer = addressOf(socket.remoteAddress ?? '')
  if (!proxies.trusts(peer, 0)) return { address: peer, scheme: undefined }
  const [one, other] = reportedChains(headers).map((hops) => resolveClient(peer, hops, proxies))
  if (one === undefined || (other !== undefined && other.address !== one.address))
    return { address: peer, scheme: forwardedProto(headers, 1) }
  return { address: one.address, scheme: forwardedProto(headers, one.hops) ?? one.scheme ?? other?.scheme }
}

/** Sockets report canonical addresses, except for IPv4-mapped addresses on a dual-stack port and zone ids. */
const addressOf = (address: string): string => (address === '' || isIPv4(address) ? address : canonicalAddress(address))

function reportedChains(headers: FastifyRequest['headers']): Hop[][] {
  const { 'x-forwarded-for': chain, forwarded } = headers
  return [
    ...(chain === undefined ? [] : [xForwardedHops([chain].flat().join(','))]),
    ...(forwarded === undefined ? [] : [forwardedHops(forwarded)]),
  ]
}

function resolveClient(peer: string, hops: readonly Hop[], proxies: TrustedProxies): Client & { hops: number } {
  let client = { address: peer, scheme: undefined as Scheme | undefined, hops: 0 }
  for (const { address, scheme } of hops) {
    client = { address: address ?? client.address, scheme, hops: client.hops + 1 }
    if (address === undefined || !proxies.trusts(address, client.hops)) break
  }
  return client
}

/** Returns the scheme that the outermost trusted proxy reports. Proxies either append to the list or replace it by one value. */
function forwardedProto(headers: FastifyRequest['headers'], hops: number): Scheme | undefined {
  const values = nearestFirst([headers['x-forwarded-proto'] ?? ''].flat().join(','))
  return schemeIn(values[Math.min(hops, values.length) - 1] ?? '')
}
