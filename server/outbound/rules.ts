import { isIP } from 'node:net'
import { isPublicAddress } from './address.ts'
import { OutboundError } from './error.ts'

/** The target of a connection: `host` without brackets, lower case. */
export interface Target {
  readonly host: string
  readonly port: number
}

// Ports from 1024 with services other than HTTP, which a request could harm.
const servicePorts = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672, 5900, 5985, 5986, 6000,
  6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 9200, 9300, 10080, 10250, 11211, 27017, 27018, 27019,
])
const localNames = /(^|\.)(localhost|local|internal|home\.arpa)$/

/** Accepts http and https URLs without credentials. @throws OutboundError blocked_address */
export function checkUrl(url: string | URL): URL {
  if (!URL.canParse(String(url))) throw new OutboundError('blocked_address', 'The URL is not valid.')
  const parsed = new URL(url)
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    throw new OutboundError('blocked_address', `Only http and https URLs are supported, not ${parsed.protocol}`)
  if (parsed.username || parsed.password) throw new OutboundError('blocked_address', 'URLs with a user name or password are not supported.')
  return parsed
}

export function targetOf(url: { hostname: string; port: string; protocol: string }): Target {
  const host = url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  return { host, port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)) }
}

/**
 * Returns a predicate for the operator's exceptions: `host` (every port) or `host:port`, IPv6 in brackets with a port. Names
 * match exactly, without subdomains.
 */
export function allowList(hosts: readonly string[]): (target: Target) => boolean {
  const entries = new Set(hosts.map((entry) => entry.trim().toLowerCase()).filter(Boolean))
  return ({ host, port }) => {
    const bracketed = isIP(host) === 6 ? `[${host}]` : host
    return entries.has(host) || entries.has(bracketed) || entries.has(`${bracketed}:${port}`)
  }
}

/** Checks port, local names and address literals before any packet is sent. @throws OutboundError blocked_address */
export function checkTarget({ host, port }: Target): void {
  const webPort = port === 80 || port === 443 || (port >= 1024 && !servicePorts.has(port))
  if (!webPort) throw new OutboundError('blocked_address', `${host}: requests to port ${port} are not allowed.`)
  if (localNames.test(host)) throw new OutboundError('blocked_address', `${host} is a host name of the local network.`)
  if (isIP(host)) checkAddresses(host, [host])
}

/** Refuses all addresses if one is not public: a name with both kinds is an attack. @throws OutboundError blocked_address */
export function checkAddresses(host: string, addresses: readonly string[]): void {
  const refused = addresses.find((address) => !isPublicAddress(address))
  if (refused !== undefined || addresses.length === 0)
    throw new OutboundError('blocked_address', `${host} is not on the public internet; FETCH_ALLOW_HOSTS can allow it.`)
}
