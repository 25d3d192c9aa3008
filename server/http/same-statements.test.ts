import { api, changedRecord, takesIdempotencyKey, type Route } from '@groundwork/api'

import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp } from '../testing/app.ts'
import { statementsOf } from '../testing/statements.ts'
import {
  address,
  bodyOf,
  idsOf,
  mixtures,
  paramsFrom,
  routes,
  createFixture,
  createFixtures,
  unitEmbedder,
  type Fixtures,
} from '../testing/fixtures.ts'

/** Begins an hour: the first key of an hour enqueues a job, which would change the statements. */
const hour = 3_600_000
const begin = Date.now()
const now = (): Date => new Date(Math.floor(begin / hour) * hour + Date.now() - begin)

const { organization } = await testApp({ embedder: unitEmbedder, now })
const [owner, stranger] = [await organization(), await organization()]
const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
/** Ids with the same prefixes as the owner's that do not exist. */
const nowhere: Fixtures = Object.fromEntries(Object.keys(foreign).map((prefix) => [prefix, `${prefix}_${newId()}`]))

await stranger.call('POST', '/v1/contacts', { email: 'first@example.com' }, { 'idempotency-key': newId() })

interface Sent {
  path: string
  body: object | undefined
  headers?: Record<string, string>
}

/**
 * Returns the statements that a request of the stranger sends to the database, except token look-ups and rate limit claims:
 * these do not depend on the request, and run whenever a cache expires.
 */
async function statements(method: string, { path, body, headers }: Sent): Promise<{ status: number; texts: string[] }> {
  let status = 0
  const sent = await statementsOf(async () => {
    status = (await stranger.call(method, path, body, headers)).status
  })
  const running = new Map<unknown, string[]>()
  const transactions: string[][] = []
  for (const { client, text, scope, begins } of sent) {
    if (scope !== undefined) {
      const texts = [`as ${scope.setting}`]
      transactions.push(texts)
      if (begins) running.set(client, texts)
      texts.push(text)
    } else running.get(client)?.push(text)
    if (text === 'commit' || text === 'rollback') running.delete(client)
  }
  const ofTheRequest = transactions.filter((texts) => !texts.some((text) => /app\.token_hash|rate_window/.test(text)))
  return { status, texts: ofTheRequest.flat() }
}

/** Headers that change how a request is executed. A key is used once. */
const manners = (route: Route): [string, () => Record<string, string>][] => [
  ['', () => ({})],
  ...(takesIdempotencyKey(route) ? [[', Idempotency-Key', () => ({ 'idempotency-key': newId() })] satisfies [string, () => object]] : []),
  ...(changedRecord(api, route) ? [[', If-Match', () => ({ 'if-match': '"other"' })] satisfies [string, () => object]] : []),
]

/** Builds a request with the given ids. */
type Asking = (of: Fixtures) => Sent
type Case = [label: string, method: string, asking: Asking]

const inPath = (each: { name: string; route: Route }): Case[] =>
  manners(each.route).flatMap(([manner, headers]) =>
    mixtures(each.route, own, foreign).map((_ids, index): Case => {
      const asking: Asking = (of) => ({
        path: address(each.route, mixtures(each.route, own, of)[index] ?? {}),
        body: bodyOf(each, own),
        headers: headers(),
      })
      return [`${each.route.method} ${each.route.path}, way ${index + 1}${manner}`, each.route.method, asking]
    }),
  )

const inQuery = ({ route }: { route: Route }): Case[] =>
  idsOf(route.query).map(([field, prefix]) => [
    `${route.method} ${route.path}?${field}`,
    route.method,
    (of) => ({ path: `${address(route, paramsFrom(route, own))}?${field}=${createFixture(of, prefix)}`, body: undefined }),
  ])

const inBody = (each: { name: string; route: Route }): Case[] =>
  idsOf(each.route.body).map(([field, prefix]) => [
    `${each.route.method} ${each.route.path} ${field}`,
    each.route.method,
    (of) => ({
      path: address(each.route, paramsFrom(each.route, own)),
      body: withId(bodyOf(each, own) ?? {}, field, idValue(field, createFixture(of, prefix))),
    }),
  ])

/** The value of a field with an id: the id, a list of ids, or values by id. */
function idValue(field: string, id: string): unknown {
  if (field === 'customFields') return { [id]: 'x' }
  if (field === 'fields') return { externalId: id }
  return field.endsWith('Ids') ? [id] : id
}

/** Sets the field in the body, in the values that it sets, or in each item of a list. */
function withId(body: object, field: string, value: unknown): object {
  if ('set' in body && field !== 'contactIds') return { ...body, set: { ...(body.set as object), [field]: value } }
  if ('filter' in body && field === 'contactId') return { ...body, filter: { [field]: value } }
  // A revert names one source of the changes.
  if (field === 'jobId') return { [field]: value }
  const [list, parts] = Object.entries(body).find(([, each]) => Array.isArray(each) && typeof each[0] === 'object') ?? []
  if (list === undefined) return { ...body, [field]: value }
  return { ...body, [list]: (parts as object[]).map((part) => ({ ...part, [field]: value })) }
}

const ofAnUpload: Case = [
  'POST /v1/bases/{baseId}/sources storageUrl',
  'POST',
  (of) => ({
    path: `/v1/bases/${own['kb']}/sources`,
    body: { name: 'S', type: 'file', storageUrl: `groundwork://uploads/${of['upl']}` },
  }),
]

describe("another organization's id costs the same statements as one that exists nowhere", () => {
  it.each([...routes.flatMap((each) => [...inPath(each), ...inQuery(each), ...inBody(each)]), ofAnUpload])(
    '%s',
    async (_label, method, asking) => {
      const [theirs, none] = [await statements(method, asking(foreign)), await statements(method, asking(nowhere))]
      expect(theirs).toEqual(none)
      expect(theirs.texts).not.toEqual([])
    },
  )

  it('in every parameter that names a thing', () => {
    const others = routes.filter(({ route }) => route.params !== undefined && idsOf(route.params).length === 0).map(({ name }) => name)
    // Upload tickets are signed, so a forged one is refused before any query.
    expect(others).toEqual(['uploads.putPart', 'uploads.put'])
  })
})
