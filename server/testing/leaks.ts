import type { Route } from '@groundwork/api'
import type { Database } from '../db/database.ts'
import type { Called, Caller } from './app.ts'
import { address, bare, bodyOf, idsOf, mixtures, paramsFrom, routes, createFixture, type Fixtures } from './fixtures.ts'

/** Two organizations with their fixtures. The stranger tries to access the records of the owner. */
export interface Parties {
  database: Database
  owner: Caller
  stranger: Caller
  own: Fixtures
  foreign: Fixtures
}

/**
 * Calls every route as the stranger, with the owner's ids in every place that accepts an id.
 * @returns one line for each record of the owner that the stranger could read or change; none if tenants are isolated. The calls
 * stop when the caller stops reading lines.
 */
export async function* leaks(parties: Parties): AsyncGenerator<string, void> {
  await prepare(parties)
  const before = await rowsOf(parties)
  yield* leaksInReads(parties)
  yield* leaksInQueries(parties)
  yield* leaksInBodies(parties)
  yield* leaksInDefaults(parties)
  yield* leaksInRepetitions(parties)
  for (const each of fromReadToDelete) yield* leaksInPath(each, parties)
  const after = await rowsOf(parties)
  for (const [table, rows] of before) if (after.get(table) !== rows) yield `table ${table}: the owner's rows were changed`
}

/** Returns all lines without duplicates. Ends the calls after `limit` of them. */
export async function allOf(lines: AsyncIterable<string>, limit = Infinity): Promise<string[]> {
  const all = new Set<string>()
  for await (const line of lines) if (all.add(line).size >= limit) break
  return [...all]
}

/** Returns the first line and ends the calls; undefined without one. */
export async function firstOf(lines: AsyncIterable<string>): Promise<string | undefined> {
  for await (const line of lines) return line
  return undefined
}

const order = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE']
const fromReadToDelete = routes.toSorted((a, b) => order.indexOf(a.route.method) - order.indexOf(b.route.method))

const label = ({ method, path }: Route): string => `${method} ${path}`

/** Checks that every combination of own and foreign ids in a path is 404, with and without prefixes. */
export async function* leaksInPath(of: { name: string; route: Route }, { stranger, own, foreign }: Parties): AsyncGenerator<string, void> {
  for (const ids of mixtures(of.route, own, foreign)) {
    for (const form of [ids, bare(ids)]) {
      const { status, body } = await stranger.call(of.route.method, address(of.route, form), bodyOf(of, own))
      if (status !== 404 || body.error.code !== 'not_found') yield `${label(of.route)}: ${status} for the owner's id`
      else if (body.error.message.includes('organization')) yield `${label(of.route)}: the message names an organization`
    }
  }
}

/** Checks that reading routes return nothing of the owner. */
async function* leaksInReads({ stranger, own, foreign }: Parties): AsyncGenerator<string, void> {
  for (const each of routes.filter(({ route }) => route.scope.endsWith(':read') && !route.stream)) {
    const answer = await stranger.call(each.route.method, address(each.route, paramsFrom(each.route, own)), bodyOf(each, own))
    if (names(answer, foreign)) yield `${label(each.route)}: shows what is the owner's`
  }
}

async function* leaksInQueries({ stranger, own, foreign }: Parties): AsyncGenerator<string, void> {
  for (const { route } of routes) {
    for (const [field, prefix] of idsOf(route.query)) {
      const { status, body } = await stranger.call(
        route.method,
        `${address(route, paramsFrom(route, own))}?${field}=${createFixture(foreign, prefix)}`,
      )
      if (status === 200 && listedIn(body).length > 0) yield `${label(route)}?${field}: finds what is the owner's`
    }
  }
}

/** Returns the records of a list, as many entries as a reply counts, or the rows of a CSV file after the names of its columns. */
export function listedIn(body: Called['body']): unknown[] {
  if (typeof body === 'string') return body.split('\r\n').slice(1, -1)
  return body.data ?? (typeof body.count === 'number' ? Array.from({ length: body.count }) : body)
}

/** Checks that an id of the owner in a body is rejected by writing routes and finds nothing in reading ones. */
async function* leaksInBodies({ stranger, own, foreign }: Parties): AsyncGenerator<string, void> {
  for (const each of routes) {
    for (const [field, prefix] of foreignFields(each.route)) {
      const value = field === 'storageUrl' ? `groundwork://uploads/${createFixture(foreign, prefix)}` : createFixture(foreign, prefix)
      const body = { ...bodyOf(each, own), [field]: field.endsWith('Ids') ? [value] : value, ...(field === 'storageUrl' && aFile) }
      const answer = await stranger.call(each.route.method, address(each.route, paramsFrom(each.route, own)), body)
      // A tool takes the id of its record in the body.
      const refusals = each.route.path.startsWith('/v1/tools/') ? [404, 422] : [422]
      const taken = each.route.scope.endsWith(':write') ? !refusals.includes(answer.status) : names(answer, foreign)
      if (taken) yield `${label(each.route)} ${field}: ${answer.status} for the owner's id`
    }
  }
}

const aFile = { type: 'file', url: undefined }
/** Uploads are referred to by storageUrl instead of an id. */
const foreignFields = (route: Route): [string, string][] => [
  ...idsOf(route.body),
  ...(route.path.endsWith('/sources') && route.method === 'POST' ? [['storageUrl', 'upl'] satisfies [string, string]] : []),
]

/** Returns whether a response contains an id of the fixtures. Error messages may repeat the request. */
const names = ({ status, body }: Called, of: Fixtures): boolean =>
  status < 300 && Object.values(of).some((id) => JSON.stringify(body ?? null).includes(id.slice(-36)))

const repeated = { body: { email: 'repeated@example.com' }, headers: { 'idempotency-key': 'one-key' } }

/** Creates state of the owner without an id: settings and stored responses. */
async function prepare({ database, owner, stranger }: Parties): Promise<void> {
  const ids = [owner.organizationId, stranger.organizationId]
  await database.pool.query(`update organization set currency = case when id = $1 then 'CHF' else 'USD' end where id in ($1, $2)`, ids)
  await owner.call('POST', '/v1/contacts', repeated.body, repeated.headers)
}

/** Checks that settings of an organization do not affect another. */
async function* leaksInDefaults({ stranger, own }: Parties): AsyncGenerator<string, void> {
  const { status, body } = await stranger.call('POST', '/v1/proposals', { title: 'T', contactId: own['ctc'], totalAmount: '1' })
  if (status !== 201 || body.currency !== 'USD') yield `POST /v1/proposals: ${status} with the currency ${body.currency}`
}

/** Checks that an Idempotency-Key of the owner is free for the stranger. */
async function* leaksInRepetitions({ stranger }: Parties): AsyncGenerator<string, void> {
  const answer = await stranger.call('POST', '/v1/contacts', repeated.body, repeated.headers)
  const fresh = answer.status === 201 && answer.headers['idempotency-replayed'] === undefined
  if (!fresh) yield `POST /v1/contacts: ${answer.status} for an Idempotency-Key that the owner used`
}

/** Returns the tables with rows of organizations: those with an organization_id column, and `organization`. */
export async function tenantTables({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = case c.relname when 'organization' then 'id' else 'organization_id' end
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  return rows.map(({ name }) => name)
}

/** Returns all rows of the owner as text, by table. */
async function rowsOf({ database, owner }: Parties): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const table of await tenantTables(database)) {
    const key = table === 'organization' ? 'id' : 'organization_id'
    const { rows } = await database.pool.query<{ all: string }>(
      `select coalesce(string_agg(t::text, e'\\n' order by t::text), '') as all from ${table} t where ${key} = $1`,
      [owner.organizationId],
    )
    found.set(table, rows[0]?.all ?? '')
  }
  return found
}
