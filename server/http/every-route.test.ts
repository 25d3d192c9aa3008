import {
  admittingScopes,
  api,
  changedRecord,
  errorsOf,
  errorStatus,
  ofOrganization,
  scopes,
  takesIdempotencyKey,
  type ErrorCode,
  type Route,
} from '@groundwork/api'
import { expect, describe, it } from 'vitest'
import { z } from 'zod'
import { newId } from '../lib/ids.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { person } from '../testing/people.ts'

const service = await testApp()
const { organization, app, database } = service
const caller = await organization()
const signedIn = await person(service)

const routes = Object.entries(api).flatMap(([resource, verbs]) =>
  Object.entries<Route>(verbs).map(([verb, route]): [string, Route] => [`${resource}.${verb}`, route]),
)
const guarded = routes.filter(([, route]) => ofOrganization(route))
const withBody = routes.filter(([, route]) => route.body !== undefined)
const withQuery = routes.filter(([, route]) => route.query !== undefined)

/** Returns a caller that is authorized for the route. */
const callFor = (route: Route): Caller['call'] => (route.scope === 'session' ? signedIn.call : caller.call)

/** Returns the path of the route with ids that do not exist. */
const path = (route: Route): string => route.path.replace(/\{\w+\}/g, newId())

/** Calls the route with the token of an agent. */
async function agent(...[method, url, body]: Parameters<Caller['call']>) {
  const { token } = (await caller.call('POST', '/v1/tokens', { name: 'A', scopes: ['contacts:write'], agent: true })).body
  return caller.call(method, url, body, { authorization: `Bearer ${token}` })
}

/** Routes that change contacts, and are open to agents: they add, or check what they replace. */
const routesOfAgents = new Set([
  'contacts.create',
  'contacts.update',
  'contacts.upsert',
  'contacts.batch',
  'consent.record',
  'activities.create',
  'activities.update',
  'activities.delete',
  'companies.create',
  'companies.update',
  'customFields.create',
  'contactViews.create',
  'tools.saveContact',
  'tools.logActivity',
  'tools.addTask',
])

const refused = (status: number, code: ErrorCode) => ({
  status,
  body: { error: { code, message: expect.any(String), requestId: expect.stringMatching(/^req_/) } },
})

describe('every route', () => {
  it.each(guarded)('%s rejects a missing token, an unknown token and a missing scope', async (_name, route) => {
    for (const headers of [{}, { authorization: 'Bearer nonsense' }, { 'x-api-key': `gw_${'0'.repeat(38)}` }]) {
      const response = await app.inject({ method: route.method, url: path(route), headers })
      expect({ status: response.statusCode, body: response.json() }).toMatchObject(refused(401, 'unauthorized'))
      expect(response.headers['www-authenticate']).toContain('Bearer')
    }
    const other = await organization({ scopes: scopes.filter((scope) => !admittingScopes(route).includes(scope)) })
    expect(await other.call(route.method, path(route), route.body && {})).toMatchObject(refused(403, 'forbidden'))
  })

  it.each(guarded.filter(([name, route]) => route.scope === 'contacts:write' && !routesOfAgents.has(name)))(
    "%s rejects an agent's token, because it could replace what people wrote",
    async (name, route) => {
      expect(await agent(route.method, path(route), route.body && minimal[name])).toMatchObject({
        ...refused(403, 'forbidden'),
        body: { error: { message: expect.stringContaining('agent') } },
      })
    },
  )

  it.each(withBody)('%s rejects a body that is not JSON, too large, of another type, or with unknown fields', async (_name, route) => {
    expect(await callFor(route)(route.method, path(route), '{"a":')).toMatchObject(refused(400, 'bad_request'))
    if (!route.bodyOptional) expect(await callFor(route)(route.method, path(route))).toMatchObject(refused(400, 'bad_request'))
    expect(await callFor(route)(route.method, path(route), JSON.stringify({ a: 'x'.repeat(1_100_000) }))).toMatchObject(
      refused(413, 'payload_too_large'),
    )
    expect(await callFor(route)(route.method, path(route), 'a=1', { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject(
      refused(415, 'unsupported_media_type'),
    )
    expect(await callFor(route)(route.method, path(route), { ...minimal[_name], notAField: 1 })).toMatchObject({
      ...refused(422, 'validation_error'),
      body: { error: { issues: expect.arrayContaining([expect.objectContaining({ field: 'notAField', code: 'unknown_field' })]) } },
    })
    for (const wrong of ['[]', '"text"', '1', 'null', 'true']) {
      expect(await callFor(route)(route.method, path(route), wrong)).toMatchObject(refused(422, 'validation_error'))
    }
  })

  it.each(withBody)('%s names a field of the wrong type', async (_name, route) => {
    const { properties = {} } = z.toJSONSchema(route.body ?? z.object({}), { io: 'input', unrepresentable: 'any' }) as {
      properties?: object
    }
    for (const field of Object.keys(properties)) {
      for (const wrong of [{ unexpected: [[]] }, [[{}]]]) {
        const answer = await callFor(route)(route.method, path(route), { [field]: wrong })
        expect([field, answer.status]).toEqual([field, 422])
        expect(answer.body.error.issues.some((issue: { field: string }) => issue.field.split('.')[0] === field)).toBe(true)
      }
    }
  })

  it.each(withQuery)('%s rejects unknown parameters and invalid limits and cursors', async (_name, route) => {
    for (const query of ['unknown=1', 'limit=0', 'limit=1e3', 'limit=ten', 'limit=1&limit=2', 'cursor=%00', 'cursor=nonsense', 'cursor=']) {
      expect([query, (await caller.call(route.method, `${path(route)}?${query}`)).status]).toEqual([
        query,
        route.params ? expect.any(Number) : 400,
      ])
      const answer = await caller.call(route.method, `${path(route)}?${query}`)
      expect(answer.status === 404 || answer.body.error.field === query.split('=')[0]).toBe(true)
    }
  })

  it.each(routes.filter(([, route]) => route.params !== undefined))('%s answers 404 for malformed ids', async (_name, route) => {
    for (const id of ['x', '0', '-1', 'null', '%00', '..%2f', "'", `ctc_${newId()}x`, `evt_${newId()}`, 'x'.repeat(400)]) {
      const url = route.path.replace(/\{\w+\}/g, id)
      expect([id, await caller.call(route.method, url, route.body && {})]).toEqual([id, expect.objectContaining({ status: 404 })])
    }
  })

  // The definitions of tools are in no table.
  it.each(guarded.filter(([name]) => name !== 'tools.list'))('%s answers 503 while the database is unavailable', async (_name, route) => {
    const reachable = { ...database }
    const lost = Object.assign(new Error('connection lost'), { code: '08006' })
    database.transaction = () => Promise.reject(lost)
    database.select = () => Promise.reject(lost)
    try {
      const body = route.body && minimal[_name]
      const answer = await caller.call(route.method, path(route), body)
      expect(answer).toMatchObject(refused(503, 'unavailable'))
      expect(answer.headers['retry-after']).toBe('1')
      expect(JSON.stringify(answer.body)).not.toContain('connection lost')
    } finally {
      Object.assign(database, reachable)
    }
  })

  it.each(guarded.filter(([, route]) => takesIdempotencyKey(route)))('%s supports Idempotency-Key', async (_name, route) => {
    const [{ call }, of] = [await organization(), path(route)]
    const send = (key: string, at: string) => call(route.method, at, route.body && minimal[_name], { 'idempotency-key': key })
    expect(await send('', of)).toMatchObject({
      ...refused(400, 'bad_request'),
      body: { error: { field: 'Idempotency-Key' } },
    })
    const first = await send('k', of)
    // Responses of requests refused before the handler are not stored.
    if ([403, 503].includes(first.status)) return
    expect(first.headers).not.toHaveProperty('idempotency-replayed')
    const again = await send('k', of)
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([first.status, 'true'])
    if (first.status < 300) expect(again.body).toEqual(first.body)
    if (route.params !== undefined) expect(await send('k', path(route))).toMatchObject(refused(422, 'idempotency_conflict'))
  })

  it.each(guarded.filter(([, route]) => changedRecord(api, route) !== undefined))('%s supports If-Match', async (_name, route) => {
    const answer = await caller.call(route.method, path(route), route.body && minimal[_name], { 'if-match': '"other"' })
    expect(answer).toMatchObject(refused(404, 'not_found'))
    expect(errorsOf(route, api)).toContain('precondition_failed')
  })

  it.each(routes)('%s documents a status for each of its errors', (_name, route) => {
    for (const code of errorsOf(route, api)) expect(errorStatus[code]).toBeGreaterThanOrEqual(400)
  })
})

/** The smallest valid body of each route. */
const minimal: Record<string, object> = {
  'contacts.create': { email: 'a@example.com' },
  'contacts.update': {},
  'contacts.verify': { fields: ['emails'] },
  'contacts.revert': { fields: ['emails'] },
  'contacts.upsert': { matchOn: 'email', email: 'a@example.com' },
  'contacts.batch': { matchOn: 'email', contacts: [{ email: 'a@example.com' }] },
  'contactSearch.identify': { email: 'a@example.com' },
  'contactSearch.search': {},
  'contactImports.create': { storageUrl: 'x' },
  'contactJobs.bulk': { contactIds: [newId()], addTags: ['a'] },
  'contactJobs.revert': { importId: newId() },
  'contactTags.rename': { tag: 'a', name: 'b' },
  'contactTags.merge': { tags: ['a'], into: 'b' },
  'contactTags.delete': { tags: ['a'] },
  'contactMerges.merge': { otherIds: [newId()] },
  'contactMerges.unmerge': { mergedId: newId() },
  'consent.record': { channel: 'email', state: 'granted' },
  'activities.create': { type: 'call' },
  'activities.update': {},
  'contactViews.create': { name: 'V', columns: ['name'] },
  'contactViews.update': {},
  'proposalListViews.create': { name: 'V' },
  'proposalListViews.update': {},
  'sourceViews.create': { name: 'V' },
  'sourceViews.update': {},
  'companyMerges.merge': { otherIds: [newId()] },
  'companyMerges.unmerge': { mergedId: newId() },
  'companies.create': { name: 'C' },
  'companies.update': {},
  'customFields.create': { entity: 'contact', name: 'F', type: 'text' },
  'customFields.update': {},
  'customFields.convert': { type: 'text' },
  'proposals.create': { title: 'T', contactId: newId(), totalAmount: '1' },
  'proposals.preview': { title: 'T', contactId: newId(), totalAmount: '1' },
  'proposals.previewPage': { contactId: newId() },
  'proposals.update': {},
  'proposals.void': { reason: 'x' },
  'proposalQuestions.answer': { answer: 'x' },
  'proposals.countersign': { name: 'Ada Lovelace' },
  'bases.create': { name: 'x' },
  'bases.update': {},
  'reindexes.start': {},
  'reindexes.switch': {},
  'sources.add': { name: 'x', type: 'url', url: 'https://example.com/' },
  'sources.upsert': { name: 'x', type: 'url', url: 'https://example.com/', externalId: 'x' },
  'sources.update': {},
  'sources.replace': { url: 'https://example.com/b' },
  'uploads.create': { fileName: 'x', sizeBytes: 1 },
  'previews.create': { text: 'x' },
  'answers.base': { query: 'x' },
  'search.base': { query: 'x' },
  'search.all': { baseIds: [newId()], query: 'x' },
  'questions.create': { question: 'x', expectedText: 'x' },
  'questions.createMany': { questions: [{ question: 'x', expectedText: 'x' }] },
  'questions.update': {},
  'evaluations.start': {},
  'tokens.create': { name: 'x', scopes: ['search:read'] },
  'tokens.update': {},
  'tokens.rotate': {},
  'organizations.update': {},
  'members.update': { role: 'member' },
  'invitations.create': { email: 'a@example.com', role: 'viewer' },
  'tools.identifyContact': { email: 'a@example.com' },
  'tools.findContact': { query: 'x' },
  'tools.getContact': { contactId: newId() },
  'tools.saveContact': { email: 'a@example.com' },
  'tools.logActivity': { contactId: newId(), type: 'call', text: 'x' },
  'tools.addTask': { contactId: newId(), text: 'x' },
  'webhooks.create': { url: 'https://example.com/hook' },
  'webhooks.update': {},
  'webhooks.rotateSecret': {},
  'webhooks.redeliver': { since: '2026-01-01T00:00:00Z' },
}
