import type { Endpoint, Parameter, Schema } from './document.ts'
import { anything, broken, naughty, prefixOf, valueOf, type GeneratorContext } from './values.ts'

/** A generated request. */
export interface PlannedRequest {
  /** Undefined if path or method are undocumented. */
  readonly endpoint: Endpoint | undefined
  readonly method: string
  /** Percent-encoded path with parameters. */
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Tokens by permissions. */
export interface Tokens {
  readonly all: string
  /** Tokens that lack a scope or access to knowledge bases, or are invalid. */
  readonly others: readonly string[]
}

/** Generates a request to the endpoint, usually a valid one. */
export function plan(endpoint: Endpoint, context: GeneratorContext, tokens: Tokens): PlannedRequest {
  const { random } = context
  const { method, operation } = endpoint
  const [hostilePath, hostileQuery, hostileBody] = [random.chance(0.08), random.chance(0.08), random.chance(0.2)]
  const body = bodyOf(endpoint, context, hostileBody)
  return {
    endpoint,
    method,
    path: pathOf(endpoint, context, hostilePath),
    query: queryOf(operation.parameters, context, hostileQuery),
    headers: { ...authorization(endpoint, context, tokens), ...conditions(operation.parameters, context), ...body?.headers },
    body: body?.text,
  }
}

/** Generates an undocumented request: an unknown path, or an unsupported method. */
export function planUnknown(endpoints: readonly Endpoint[], { random }: GeneratorContext, tokens: Tokens): PlannedRequest {
  const { path } = random.pick(endpoints)
  const other = methods.filter((method) => !endpoints.some((each) => each.path === path && each.method === method))
  const filled = path.replace(/\{\w+\}/g, '0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8')
  const wild = `${random.pick(['/', '/v2/', '/docs/assets/', `${filled}/`])}${encode(random.pick(naughty).slice(0, 200))}/`
  const known = random.chance(0.5)
  return {
    endpoint: undefined,
    method: random.pick(known ? other : methods),
    path: known ? filled : wild,
    query: [],
    headers: random.chance(0.5) ? { authorization: `Bearer ${tokens.all}` } : {},
    body: random.chance(0.1) ? '{}' : undefined,
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']

const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd')

/** Percent-encodes a path parameter. Clients resolve bare dot segments, and an empty segment is another path. */
const encode = (value: string): string => {
  const encoded = encodeURIComponent(wellFormed(value))
  return encoded === '.' || encoded === '..' ? encoded.replaceAll('.', '%2E') : encoded
}

function pathOf({ path, operation }: Endpoint, context: GeneratorContext, hostile: boolean): string {
  const values = new Map<string, string>()
  for (const { name, schema } of operation.parameters.filter((each) => each.in === 'path'))
    values.set(name, pathValue(name, schema, context, hostile))
  // Two ids drawn independently rarely belong together.
  const named = context.pool.relatedTo([...values.values()].at(-1) ?? '')
  if (!hostile && context.random.chance(0.9)) for (const name of values.keys()) values.set(name, named[name] ?? values.get(name) ?? 'x')
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => encode(values.get(name) ?? 'x'))
}

function pathValue(name: string, schema: Schema, context: GeneratorContext, hostile: boolean): string {
  const { random, pool } = context
  if (hostile) return random.pick(naughty).slice(0, 4000) || 'x'
  const prefix = prefixOf(schema)
  if (prefix === undefined) return pool.draw(name, random) ?? 'x'
  const id = pool.draw(prefix, random)
  if (id === undefined) throw new Error(`no thing with the prefix ${prefix} was ever seen: things() needs one`)
  if (random.chance(0.03)) return pool.draw(`foreign ${prefix}`, random) ?? id
  return random.chance(0.15) ? id.slice(-36) : id
}

function queryOf(parameters: readonly Parameter[], context: GeneratorContext, hostile: boolean): [string, string][] {
  const { random } = context
  const share = random.pick([0, 0.2, 0.5])
  const query = parameters
    .filter((each) => each.in === 'query' && (each.required || random.chance(share)))
    .flatMap(({ name, schema }) => [valueOf(schema, context, name)].flat().map((value): [string, string] => [name, String(value)]))
  if (!hostile) return query
  const names = ['unknown', '__proto__', 'limit', 'cursor', ...query.map(([name]) => name)]
  return [...query, [random.pick(names), random.pick(naughty).slice(0, 4000)]]
}

function authorization({ operation }: Endpoint, { random }: GeneratorContext, tokens: Tokens): Record<string, string> {
  if (operation.security.length === 0) return {}
  if (random.chance(0.92)) return random.chance(0.1) ? { 'x-api-key': tokens.all } : { authorization: `Bearer ${tokens.all}` }
  if (random.chance(0.8)) return { authorization: `Bearer ${random.pick(tokens.others)}` }
  return random.pick<Record<string, string>>([{}, { authorization: 'Bearer' }, { authorization: 'Basic YTpi' }, { 'x-api-key': 'gw_x' }])
}

/** Headers that occasionally change how a request is handled, and some that must not change anything. */
function conditions(parameters: readonly Parameter[], context: GeneratorContext): Record<string, string> {
  const { random, pool } = context
  const headers: Record<string, string> = {}
  for (const { name } of parameters.filter((each) => each.in === 'header')) {
    if (!random.chance(0.2)) continue
    const seen = name.startsWith('If-') ? pool.draw('etag', random) : name === 'Last-Event-ID' ? pool.draw('evt', random) : undefined
    const key = `key-${random.integer(0, 200)}`
    headers[name] = random.chance(0.8) ? (seen ?? key) : random.pick(['', '*', '"', 'W/"x"', '"a", "b"', 'é', ' ', 'x'.repeat(300)])
  }
  if (random.chance(0.03))
    headers[random.pick(['accept', 'origin', 'x-request-id', 'x-forwarded-for', 'cookie'])] = random.pick(['', '*/*;q=', 'a=b; c', '::1'])
  return headers
}

function bodyOf(
  { operation }: Endpoint,
  context: GeneratorContext,
  hostile: boolean,
): { text: string; headers: Record<string, string> } | undefined {
  const { random } = context
  const content = operation.requestBody?.content
  if (content === undefined) return random.chance(0.02) ? { text: '{}', headers: { 'content-type': 'application/json' } } : undefined
  if (!('application/json' in content)) return bytes(context)
  const value = valueOf(content['application/json']?.schema ?? {}, context)
  if (!hostile) return { text: JSON.stringify(value), headers: { 'content-type': 'application/json' } }
  if (random.chance(0.6)) return { text: JSON.stringify(broken(value, context)), headers: { 'content-type': 'application/json' } }
  return {
    text: random.pick([
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '{"a":1}{"b":2}',
      '{"name":1e400}',
      '['.repeat(5000),
      '{"a":1,}',
      JSON.stringify(anything(random)),
    ]),
    headers: {
      'content-type': random.pick([
        'application/json',
        'application/json; charset=utf-8',
        'application/json; charset=latin1',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'x',
        ';',
      ]),
    },
  }
}

const bytes = ({ random }: GeneratorContext): { text: string; headers: Record<string, string> } => ({
  text: 'x'.repeat(random.pick([0, 1, 1, 1, 2, 1000])),
  headers: { 'content-type': random.pick(['application/octet-stream', 'application/json', 'text/plain']) },
})

/** The target of the request line. */
export const targetOf = ({ path, query }: PlannedRequest): string =>
  query.length === 0
    ? path
    : `${path}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, wellFormed(value)])).toString()}`

/** The request as a command for a shell; `$TOKEN` stands for the token that may do everything. */
export function curlOf(planned: PlannedRequest, tokens: Tokens): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`).replaceAll(tokens.all, `'"$TOKEN"'`)}'`
  const headers = Object.entries(planned.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const body = planned.body === undefined ? [] : [`--data-binary ${quoted(planned.body)}`]
  return ['curl -i -X', planned.method, `"$API"${quoted(targetOf(planned))}`, ...headers, ...body].join(' ')
}
