import ipaddr from 'ipaddr.js'
import { isIP } from 'node:net'

/** The peer of one proxy, as reported by that proxy. */
export interface Hop {
  /** Undefined if the proxy reports no IP address: `unknown`, an obfuscated name, or a malformed value. */
  readonly address: string | undefined
  readonly scheme: Scheme | undefined
}

export type Scheme = 'http' | 'https'

/** Parses `X-Forwarded-For`; the hop nearest to this program is first. */
export function xForwardedHops(header: string): Hop[] {
  return nearestFirst(header).map((node) => ({ address: addressIn(node), scheme: undefined }))
}

/**
 * Parses `Forwarded` (RFC 7239); the hop nearest to this program is first. Splits at commas even within quotes: `for` values
 * contain none, and a quote left open by a client must not swallow the element that the proxy appends.
 */
export function forwardedHops(header: string): Hop[] {
  return nearestFirst(header).map((element) => {
    const pairs = element.split(';').map((pair) => /^\s*([\w-]+)=(.*?)\s*$/s.exec(pair))
    const valuesOf = (name: string): string[] =>
      pairs.flatMap((pair) => (pair?.[1]?.toLowerCase() === name ? [unquoted(pair[2] ?? '')] : []))
    const [node, second] = valuesOf('for')
    return { address: second === undefined ? addressIn(node ?? '') : undefined, scheme: schemeIn(valuesOf('proto')[0] ?? '') }
  })
}

/** Parses one value of `X-Forwarded-Proto`. */
export const schemeIn = (value: string): Scheme | undefined => {
  const scheme = value.trim().toLowerCase()
  return scheme === 'http' || scheme === 'https' ? scheme : undefined
}

export const nearestFirst = (header: string): string[] => header.split(',').toReversed()

const unquoted = (value: string): string => (/^".*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value)

/** Parses `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:4711`. */
function addressIn(node: string): string | undefined {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(node.trim()) ?? []
  const address = bracketed ?? dotted ?? node.trim()
  return isIP(address) === 0 || (bracketed !== undefined && isIP(address) !== 6) ? undefined : canonicalAddress(address)
}

/** Returns the shortest form of an IP address without its zone. Converts IPv4-mapped IPv6 to IPv4. */
export function canonicalAddress(address: string): string {
  const [bare = ''] = address.split('%')
  return isIP(bare) === 4 ? bare : ipaddr.process(bare).toString()
}
