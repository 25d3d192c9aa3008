import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

// A public unicast address by number, but every virtual machine of the cloud reaches its host's control plane there.
const cloudControl = new Set(['168.63.129.16'])
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Returns whether an IP address is public. Special ranges are not: loopback, private, link-local, unique-local, carrier-grade
 * NAT, multicast, documentation, 6to4, Teredo. IPv4 inside IPv6 (mapped, or NAT64's well-known prefix) counts as the inner
 * address. Invalid addresses are not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!isIP(address)) return false
  const ip = ipaddr.process(address)
  if (ip instanceof ipaddr.IPv4) return isPublicIPv4(ip)
  const nat64 = ip.range() === 'rfc6052' && ip.parts.slice(0, 6).join() === '100,65435,0,0,0,0'
  if (nat64) return isPublicIPv4(new ipaddr.IPv4(ip.toByteArray().slice(12)))
  return ip.zoneId === undefined && ip.range() === 'unicast' && ip.match(globalUnicast)
}

function isPublicIPv4(ip: ipaddr.IPv4): boolean {
  return ip.range() === 'unicast' && !cloudControl.has(ip.toString())
}
