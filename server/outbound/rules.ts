import { isIP } from 'node:net'
import { isPublicAddress } from './address.ts'
import { OutboundError } from './error.ts'

/** Where a connection would go: `host` without brackets, lower case. */
export interface Target {
  readonly host: string
  readonly port: number
}

// Ports from 1024 where something other than a web server answers, and a stray HTTP request can do harm.
const servicePorts = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672, 5900, 5985, 5986, 6000,
  6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 9200, 9300, 10080, 10250, 11211, 27017, 27018, 27019,
])
const localNames = /(^|\.)(localhost|local|internal|home\.arpa)$/

/** What of an address may be asked for at all: http or https, no name and password in it. @throws OutboundError blocked_address */
export function checkUrl(url: string | URL): URL {
  if (!URL.canParse(String(url))) throw new OutboundError('blocked_address', 'Not a valid address.')
  const parsed = new URL(url)
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    throw new OutboundError('blocked_address', `Only http and https addresses can be fetched, not ${parsed.protocol}`)
  if (parsed.username || parsed.password)
    throw new OutboundError('blocked_address', 'An address with a user name or password in it is not fetched.')
  return parsed
}

export function targetOf(url: { hostname: string; port: string; protocol: string }): Target {
  const host = url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  return { host, port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)) }
}

/** The operator's exceptions, `host` (every port) or `host:port`; IPv6 in brackets when a port follows. Names match as written, subdomains do not. */
export function allowList(hosts: readonly string[]): (target: Target) => boolean {
  const entries = new Set(hosts.map((entry) => entry.trim().toLowerCase()).filter(Boolean))
  return ({ host, port }) => {
    const bracketed = isIP(host) === 6 ? `[${host}]` : host
    return entries.has(host) || entries.has(bracketed) || entries.has(`${bracketed}:${port}`)
  }
}

/** Before any packet: port, local names, address literals. @throws OutboundError blocked_address */
export function checkTarget({ host, port }: Target): void {
  const webPort = port === 80 || port === 443 || (port >= 1024 && !servicePorts.has(port))
  if (!webPort) throw new OutboundError('blocked_address', `${host}: port ${port} is not fetched from.`)
  if (localNames.test(host)) throw new OutboundError('blocked_address', `${host} is a name of the local network.`)
  if (isIP(host)) checkAddresses(host, [host])
}

/** One address that is not public refuses them all: a name that mixes them is made to be raced. @throws OutboundError blocked_address */
export function checkAddresses(host: string, addresses: readonly string[]): void {
  const refused = addresses.find((address) => !isPublicAddress(address))
  if (refused !== undefined || addresses.length === 0)
    throw new OutboundError('blocked_address', `${host} is not on the public internet; FETCH_ALLOW_HOSTS can allow it.`)
}
