import { BlockList, isIP, isIPv4 } from 'node:net'

/** The proxies whose forwarding headers are trusted. */
export interface TrustedProxies {
  /** Returns whether the address is trusted as the nth hop from this program. Hop 0 is the peer of the connection. */
  readonly trusts: (address: string, hop: number) => boolean
}

/** Trusts no proxy: the peer of the connection is the client. */
export const noProxies: TrustedProxies = { trusts: () => false }

/** Maximum hop count. A larger number is probably a typing error. */
const maxHops = 16

/**
 * Parses `TRUSTED_PROXIES`: comma-separated addresses and CIDR ranges, or the number of proxies in front of the program.
 * @throws Error that names the invalid value
 */
export function parseTrustedProxies(value: string): TrustedProxies {
  if (/^\s*\d+\s*$/.test(value)) {
    const hops = Number(value)
    if (hops > maxHops) throw new Error(`a hop count must be at most ${maxHops}, not ${hops}`)
    return { trusts: (_address, hop) => hop < hops }
  }
  const list = new BlockList()
  for (const entry of value.split(',').map((part) => part.trim())) if (entry !== '') addRange(list, entry)
  return { trusts: (address) => isIP(address) !== 0 && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') }
}

function addRange(list: BlockList, entry: string): void {
  const [address = '', prefix, ...rest] = entry.split('/')
  const version = isIP(address)
  const bits = version === 4 ? 32 : 128
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (version === 0 || rest.length > 0 || !(length <= bits)) throw new Error(`${entry} is not an IP address, a CIDR range or a hop count`)
  if (length === 0) throw new Error(`${entry} would trust every client. List the addresses of your proxies, or set their number`)
  list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6')
}
