import { api, takesIdempotencyKey, type Route } from '@groundwork/api'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { purgeContactWork } from '../contacts/purge.ts'
import { integrationEndpoints } from '../integrations/integrations.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { endDelays } from '../testing/delayed-jobs.ts'
import { settled, upload } from '../testing/sources.ts'
import { address, bodyOf, paramsFrom, routes, unitEmbedder, type Fixtures } from '../testing/fixtures.ts'
import { receiver } from '../testing/webhook-receiver.ts'
import { createDispatcher } from '../webhooks/dispatcher.ts'

let aheadMs = 0
const outbound = createOutbound({ allowHosts: ['127.0.0.1'], userAgent: 'test' })
const { app, platform, database, organization } = await testApp({
  embedder: unitEmbedder,
  now: () => new Date(Date.now() + aheadMs),
  worker: { outbound: createOutbound({ allowHosts: ['127.0.0.1'], userAgent: 'test' }) },
})
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(async () => {
  app.server.closeAllConnections()
  await outbound.close()
})
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

/** Unique strings, each planted in every text field of its record. */
const planted = { contact: 'zqcontactzq', source: 'zqsourcezq', base: 'zqbasezq', draft: 'zqdraftzq' }
type Planted = keyof typeof planted

/** A request and its response as text. */
interface Read {
  readonly name: string
  readonly ask: () => Promise<string>
}

/** Excludes previews, which return their input; a preview of the upload is among the replays. */
const reading = routes.filter(
  ({ name, route }) =>
    name !== 'previews.create' && (route.method === 'GET' || route.reads) && route.scope !== 'session' && route.scope !== 'public',
)

/** Queries that filter lists by the planted strings. */
const queries: Record<string, string[]> = {
  'contacts.list': [
    `?q=${planted.contact}`,
    `?email=${planted.contact}@example.com`,
    `?tag=${planted.contact}`,
    `?externalId=${planted.contact}`,
    '?count=true',
  ],
  'sources.list': ['?status=completed', '?type=file', `?q=${planted.source}`],
}

async function textOf(caller: Caller, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<string> {
  const answer = await caller.call(method, path, body, headers)
  expect([method, path, answer.status]).not.toEqual([method, path, 500])
  return `${answer.status} ${JSON.stringify(answer.body)} ${JSON.stringify(answer.headers)}`
}

/** Requests to every reading route with each of these ids. */
function throughRoutes(caller: Caller, things: readonly Fixtures[]): Read[] {
  return reading.flatMap(({ name, route }) => {
    if (route.stream && route.method === 'GET') return [{ name, ask: () => streamed(caller) }]
    const paths = new Set(things.map((each) => address(route, paramsFrom(route, each))))
    const all = [...paths].flatMap((path) => ['', ...(queries[name] ?? [])].map((query) => path + query))
    return all.map((path) => ({ name, ask: () => textOf(caller, route.method, path, bodyOf({ name, route }, things[0] ?? {})) }))
  })
}

/** Returns all events from the stream. */
async function streamed({ token }: Caller): Promise<string> {
  const leaving = new AbortController()
  const unknown = 'evt_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'
  const headers = { authorization: `Bearer ${token}`, 'last-event-id': unknown }
  const response = await fetch(`${origin}/v1/events/stream`, { headers, signal: leaving.signal })
  const { rows } = await database.pool.query('select id from event order by position desc limit 1')
  let text = ''
  for await (const piece of (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream())) {
    text += piece
    if (text.includes(`id: evt_${rows[0].id}`) && text.endsWith('\n\n')) break
  }
  leaving.abort()
  return text
}

/** Requests to every integration endpoint and every MCP tool. */
function throughIntegrations(caller: Caller, { kb = '', src = '', chk = '', prp = '' }: Fixtures): Read[] {
  const query = 'When does the desk open?'
  const tool = (name: string, input: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })
  const bodies: Record<string, object[]> = {
    '/mcp': [
      tool('search_knowledge', { baseIds: [kb], query }),
      tool('get_chunk', { chunkId: chk }),
      tool('list_bases', {}),
      tool('find_contact', { query: planted.contact }),
      tool('get_proposal', { proposalId: prp }),
    ],
    '/openai/v1/vector_stores/{id}/search': [{ query }],
    '/dify/retrieval': [{ knowledge_id: kb, query, retrieval_setting: { top_k: 5, score_threshold: 0 } }],
    '/vapi/bases/{baseId}': [{ message: { type: 'knowledge-base-request', messages: [{ role: 'user', content: query }] } }],
  }
  return integrationEndpoints
    .filter(({ method, path }) => path !== '/mcp' || method === 'POST')
    .flatMap(({ method, path }) =>
      (bodies[path] ?? [undefined]).map((body) => ({
        name: `${method} ${path} ${JSON.stringify(body ?? null)}`,
        ask: () => textOf(caller, method, path.replace(/\{\w+\}/g, path.startsWith('/openai/v1/files/') ? src : kb), body),
      })),
    )
}

/** Returns the names of the requests whose responses contain each planted string. */
async function showing(reads: readonly Read[]): Promise<Record<Planted, Set<string>>> {
  const found = { contact: new Set<string>(), source: new Set<string>(), base: new Set<string>(), draft: new Set<string>() }
  for (const { name, ask } of reads) {
    const answer = await ask()
    for (const [record, names] of Object.entries(found)) if (answer.includes(planted[record as Planted])) names.add(name)
  }
  return found
}

it('deleted content is not returned by any reading route, integration or replay', { timeout: 900_000 }, async () => {
  const caller = await organization()
  const replays: Read[] = []
  /** Creates a record with an Idempotency-Key and stores the request for a replay. */
  const create = async (path: string, body: object) => {
    const headers = { 'idempotency-key': `k${replays.length}` }
    const answer = await caller.call('POST', path, body, headers)
    expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body])
    replays.push({ name: `replay of ${path}`, ask: () => textOf(caller, 'POST', path, body, headers) })
    return answer.body
  }
  const there = await receiver()
  there.answer = ({ body }) => ({ status: 200, body })
  const webhook = await create('/v1/webhooks', { url: there.url })
  const { contact, source, base, draft } = planted
  const company = await create('/v1/companies', { name: 'C' })
  const person = await create('/v1/contacts', {
    companyId: company.id,
    firstName: contact,
    lastName: contact,
    email: `${contact}@example.com`,
    externalId: contact,
    tags: [contact],
    source: contact,
  })
  const activity = await create(`/v1/contacts/${person.id}/activities`, { type: 'note', text: contact })
  const proposal = await create('/v1/proposals', { title: 'T', contactId: person.id, totalAmount: '1' })
  const client = (await caller.call('POST', '/v1/contacts', { firstName: 'Grace', email: 'grace@example.com' })).body
  const unsent = await create('/v1/proposals', {
    draft: true,
    title: draft,
    message: draft,
    contactId: client.id,
    externalId: draft,
    items: [{ description: draft, unitPrice: '1', taxes: [{ name: draft, rate: '19' }] }],
    sections: [
      { type: 'text', text: draft },
      { type: 'terms', text: draft },
    ],
    recipients: [{ role: 'copy', name: draft, email: `${draft}@example.com` }],
  })
  const knowledge = await create('/v1/bases', { name: base, description: base })
  const at = `/v1/bases/${knowledge.id}`
  const storageUrl = await upload(app, caller, Buffer.from(`# ${source}\n\nThe desk opens at nine, says ${source}.`), `${source}.md`)
  const file = { name: source, type: 'file', storageUrl, externalId: source, metadata: { [source]: source } }
  const text = await create(`${at}/sources/upsert`, file)
  await settled(caller, text)
  const question = await create(`${at}/questions`, { question: 'When does the desk open?', expectedSourceIds: [text.id] })
  const evaluation = await create(`${at}/evaluations`, {})
  const reindex = await create(`${at}/reindexes`, {})
  await create(`${at}/search`, { query: 'When does the desk open?' })
  await create('/v1/search', { baseIds: [knowledge.id], query: 'When does the desk open?' })
  const ofUpload = { name: 'preview of the upload', ask: () => textOf(caller, 'POST', `${at}/preview`, { storageUrl }) }
  await platform.retrievals.flush()
  const token = (await caller.call('GET', '/v1/tokens')).body.data[0]
  const chunk = (await caller.call('GET', `${at}/sources/${text.id}/chunks`)).body.data[0]

  const deliver = async (): Promise<void> => {
    const dispatcher = createDispatcher(platform, outbound)
    await dispatcher.poll()
    await dispatcher.idle()
  }
  /** All reading requests, for all events and deliveries. */
  const reads = async (): Promise<Read[]> => {
    await deliver()
    const nothing = '0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'
    const known = {
      co: company.id,
      ctc: person.id,
      act: activity.id,
      prp: proposal.id,
      kb: knowledge.id,
      src: text.id,
      tok: token.id,
      whk: webhook.id,
      qst: question.id,
    }
    const others = Object.fromEntries(
      ['view', 'plv', 'srv', 'fld', 'imp', 'job', 'pag', 'pqs', 'upl', 'usr', 'inv', 'msg', 'dlv', 'evt', 'req'].map((prefix) => [
        prefix,
        `${prefix}_${nothing}`,
      ]),
    )
    const of = { ...others, ...known, eva: evaluation.id, rix: reindex.id, chk: chunk.id }
    const events: { id: string }[] = (await caller.call('GET', '/v1/events?limit=100')).body.data
    const deliveries: { id: string }[] = (await caller.call('GET', `/v1/webhooks/${webhook.id}/deliveries?limit=100`)).body.data
    const each = [
      { ...of, prp: unsent.id },
      ...events.map(({ id }) => ({ ...of, evt: id })),
      ...deliveries.map(({ id }) => ({ ...of, dlv: id })),
    ]
    return [...throughRoutes(caller, [of, ...each]), ...throughIntegrations(caller, { ...of, prp: unsent.id }), ...replays, ofUpload]
  }
  const found = async () => showing(await reads())
  const none = new Set()

  // Each reading request must show the string before the deletion; otherwise the test proves nothing.
  const before = await found()
  const ofEvents = ['events.get', 'events.list', 'events.stream', 'webhookDeliveries.get']
  const ofSearches = ['search.base', 'search.all', `replay of ${at}/search`, 'replay of /v1/search']
  const ofSources = [
    'sources.get',
    'sources.list',
    'sources.chunks',
    'sources.content',
    'sources.original',
    `replay of ${at}/sources/upsert`,
  ]
  const ofContact = ['contacts.get', 'contacts.list', 'contacts.history', 'activities.list', 'events.ofContact', 'replay of /v1/contacts']
  expect([...before.contact]).toEqual(expect.arrayContaining([...ofEvents, ...ofContact]))
  expect([...before.source]).toEqual(expect.arrayContaining([...ofEvents, ...ofSearches, ...ofSources]))
  const throughOthers = (names: Set<string>) => [...names].filter((name) => /^(GET|POST) \/(mcp|openai|dify|vapi)/.test(name))
  expect(throughOthers(before.contact)).toEqual([expect.stringContaining('find_contact')])
  expect(throughOthers(before.source)).toHaveLength(8)
  expect(throughOthers(before.base)).toHaveLength(3)
  expect(throughOthers(before.draft)).toEqual([expect.stringContaining('get_proposal')])
  expect([...before.base]).toEqual(expect.arrayContaining([...ofEvents, 'bases.get', 'bases.list', 'replay of /v1/bases']))
  const ofDraft = ['proposals.get', 'proposals.list', 'proposals.export', 'replay of /v1/proposals']
  expect([...before.draft]).toEqual(expect.arrayContaining([...ofEvents, ...ofDraft]))

  const remove = async (path: string): Promise<void> => {
    expect((await caller.call('DELETE', path)).status).toBe(204)
  }
  await remove(`/v1/contacts/${person.id}`)
  // Listed for 30 days, so that it can be restored.
  const restorable = new Set(['contacts.deleted'])
  expect((await found()).contact).toEqual(restorable)
  await remove(`${at}/sources/${text.id}`)
  expect((await found()).source).toEqual(none)
  await remove(at)
  await remove(`/v1/proposals/${unsent.id}`)
  expect(await found()).toEqual({ contact: restorable, source: none, base: none, draft: none })

  // Redelivered events must not contain the content either. Notifications of the deletion were sent before.
  there.received.length = 0
  await caller.call('POST', `/v1/webhooks/${webhook.id}/redeliver`, { since: '2000-01-01T00:00:00Z', only: 'all' })
  await deliver()
  expect(there.received.length).toBeGreaterThan(5)
  for (const string of Object.values(planted)) expect(JSON.stringify(there.received)).not.toContain(string)

  aheadMs = 31 * 86_400_000
  await endDelays(database, purgeContactWork.name)
  // Replays would now create new records, since their keys are free.
  replays.length = 0
  expect(await found()).toEqual({ contact: none, source: none, base: none, draft: none })
  expect((await caller.call('POST', `/v1/contacts/${person.id}/restore`)).status).toBe(404)
})

it('every POST either changes data and supports Idempotency-Key, or only reads and stores no response', () => {
  const posts = routes.filter(
    ({ route }: { route: Route }) => route.method === 'POST' && route.scope !== 'session' && route.scope !== 'public',
  )
  const reads = posts.filter(({ route }) => !takesIdempotencyKey(route)).map(({ name }) => name)
  expect(reads).toEqual([
    'contactSearch.identify',
    'contactSearch.search',
    'contactExports.create',
    'proposals.preview',
    'proposals.previewPage',
    'previews.create',
    'search.base',
    'search.all',
    'answers.base',
    'tools.identifyContact',
    'tools.findContact',
    'tools.getContact',
  ])
  expect(api.search.base.reads).toBe(true)
})
