/** The search engine of SEARCH_URL. */
export interface SearchEngineSettings {
  /** The URL of each node, without credentials. */
  readonly nodes: readonly string[]
  /** Value of the header `Authorization`; null without credentials. */
  readonly authorization: string | null
  /** Prefix of the names of its indices. */
  readonly prefix: string
  /** Of a new index. */
  readonly shards: number
  /** Copies of each shard of a new index, beside the first. */
  readonly replicas: number
}

const pattern = /^opensearch:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/
const parameters = ['tls', 'shards', 'replicas']

/**
 * Parses `opensearch://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT]…][/PREFIX][?tls=false&shards=3&replicas=1]`.
 * @throws Error with a message for the operator
 */
export function parseSearchUrl(text: string): SearchEngineSettings {
  const [, credentials, hosts = '', prefix = '', query = ''] = pattern.exec(text) ?? []
  if (hosts === '') throw new Error('must be opensearch://HOST:PORT, with further nodes after commas')
  const given = new URLSearchParams(query)
  const unknown = [...given.keys()].find((name) => !parameters.includes(name))
  if (unknown !== undefined) throw new Error(`has the unknown parameter ${unknown}. Known are ${parameters.join(', ')}.`)
  const tls = given.get('tls') ?? 'true'
  if (tls !== 'true' && tls !== 'false') throw new Error('has a parameter tls that is neither true nor false')
  if (!/^[a-z0-9][a-z0-9_-]{0,50}$/.test(prefix || 'groundwork'))
    throw new Error('has a prefix that is no name of lower-case letters, digits, - and _')
  const scheme = tls === 'true' ? 'https' : 'http'
  return {
    nodes: hosts.split(',').map((host) => nodeUrl(scheme, host)),
    authorization: credentials === undefined ? null : `Basic ${Buffer.from(decodeURIComponent(credentials)).toString('base64')}`,
    prefix: prefix || 'groundwork',
    shards: countOf(given, 'shards', { byDefault: 3, min: 1 }),
    replicas: countOf(given, 'replicas', { byDefault: 1, min: 0 }),
  }
}

function nodeUrl(scheme: string, host: string): string {
  if (!/^(?:\[[0-9a-f:]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?$/.test(host)) throw new Error(`names a node that is no host: ${host}`)
  return new URL(`${scheme}://${/:\d+$/.test(host) ? host : `${host}:9200`}`).origin
}

function countOf(given: URLSearchParams, name: string, { byDefault, min }: { byDefault: number; min: number }): number {
  const count = Number(given.get(name) ?? byDefault)
  if (!Number.isInteger(count) || count < min || count > 1_000)
    throw new Error(`has a parameter ${name} that is no number of ${min} to 1000`)
  return count
}
