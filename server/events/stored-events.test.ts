import { Event, eventTypes } from '@groundwork/api'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { allowedBodies } from '../testing/fuzz/allowed.ts'
import { resolve, type Document } from '../testing/fuzz/document.ts'
import { newPool } from '../testing/fuzz/pool.ts'
import { random } from '../testing/fuzz/random.ts'
import { receiver } from '../testing/webhook-receiver.ts'
import { createDispatcher } from '../webhooks/dispatcher.ts'
import { withMissingNulls, withoutContent } from './stored-data.ts'

const { app, organization, platform, database } = await testApp()
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.server.closeAllConnections())
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const outbound = createOutbound({ allowHosts: ['127.0.0.1'], userAgent: 'test' })

async function deliver(): Promise<void> {
  const dispatcher = createDispatcher(platform, outbound)
  await dispatcher.poll()
  await dispatcher.idle()
}

/** Returns the events after the first one from the stream. */
async function streamed({ token }: Caller, first: Event, count: number): Promise<Event[]> {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${token}`, 'last-event-id': first.id }
  const response = await fetch(`${origin}/v1/events/stream`, { headers, signal: leaving.signal })
  expect(response.status).toBe(200)
  let text = ''
  for await (const piece of (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream())) {
    text += piece
    if (text.split('\ndata: ').length > count && text.endsWith('\n\n')) break
  }
  leaving.abort()
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))
}

/** Returns the organization's events from every route that reads them, oldest first, without the first one. */
async function everywhere(caller: Caller, { webhook, contact }: { webhook: string; contact?: string }): Promise<Record<string, Event[]>> {
  const get = async (path: string) => {
    const { status, body } = await caller.call('GET', path)
    expect([path, status]).toEqual([path, 200])
    return body
  }
  const [first, ...rest]: Event[] = (await get('/v1/events?limit=100')).data.toReversed()
  if (first === undefined) throw new Error('there is no event')
  const deliveries: { id: string }[] = (await get(`/v1/webhooks/${webhook}/deliveries?limit=100`)).data
  const delivered: string[] = []
  for (const { id } of deliveries) delivered.unshift((await get(`/v1/webhooks/${webhook}/deliveries/${id}`)).body)
  return {
    list: rest,
    get: await Promise.all(rest.map(({ id }) => get(`/v1/events/${id}`))),
    stream: await streamed(caller, first, rest.length),
    deliveries: delivered.map((body) => JSON.parse(body)),
    ...(contact !== undefined && { timeline: (await get(`/v1/contacts/${contact}/timeline?limit=100`)).data.toReversed() }),
  }
}

const webhookTo = async ({ call }: Caller, url: string): Promise<string> => (await call('POST', '/v1/webhooks', { url })).body.id

describe('an event stored before a nullable field was added', () => {
  it('has null in the list, the record, the stream, the timeline and webhooks', async () => {
    const caller = await organization()
    await caller.call('POST', '/v1/bases', { name: 'first' })
    const there = await receiver()
    const webhook = await webhookTo(caller, there.url)
    const { body: contact } = await caller.call('POST', '/v1/contacts', { email: 'a@example.com', source: 'fair' })
    await database.pool.query(
      `update event set data = data - 'source' - 'companyId' - 'externalId' where organization_id = $1 and type = 'contact.created'`,
      [caller.organizationId],
    )
    await deliver()
    const expected = { type: 'contact.created', data: { ...contact, source: null } }
    for (const [where, events] of Object.entries(await everywhere(caller, { webhook, contact: contact.id }))) {
      expect([where, events]).toEqual([where, [expect.objectContaining(expected)]])
    }
    expect(there.received.map(({ event }) => event)).toEqual([expect.objectContaining(expected)])
  })

  it('has null in nested records and lists too, and no other additions', () => {
    const item = { description: 'x', quantity: '1', unitPrice: '2.00', amount: '2.00' }
    expect(withMissingNulls('proposal.created', { id: 'prp_1', items: [item] })).toMatchObject({
      id: 'prp_1',
      message: null,
      items: [item],
    })
    expect(withMissingNulls('base.created', { id: 'kb_1' })).toEqual({ id: 'kb_1' })
    expect(withMissingNulls('of.another.version', { id: 'x' })).toEqual({ id: 'x' })
  })
})

describe('an event about a deleted record', () => {
  const planted = 'planted-5b1f'
  const secretly = { firstName: planted, lastName: planted, email: `${planted}@example.com`, externalId: planted, source: planted }

  it('hides the content of a deleted contact until it is restored', async () => {
    const caller = await organization()
    await caller.call('POST', '/v1/bases', { name: 'first' })
    const there = await receiver()
    there.answer = ({ body }) => ({ status: 200, headers: { 'x-echo': planted }, body })
    const webhook = await webhookTo(caller, there.url)
    const { body: contact } = await caller.call('POST', '/v1/contacts', { ...secretly, tags: [planted] })
    await caller.call('PATCH', `/v1/contacts/${contact.id}`, { lastName: `${planted} too` })
    await deliver()
    const before = await everywhere(caller, { webhook, contact: contact.id })
    expect(JSON.stringify(before['list'])).toContain(planted)
    await caller.call('DELETE', `/v1/contacts/${contact.id}`)
    await deliver()
    const after = await everywhere(caller, { webhook })
    expect(JSON.stringify(after)).not.toContain(planted)
    for (const events of Object.values(after)) {
      expect(events.map(({ type, data }) => [type, data.id])).toEqual(
        ['contact.created', 'contact.updated', 'contact.deleted'].map((type) => [type, contact.id]),
      )
    }
    const { id } = (await caller.call('GET', `/v1/webhooks/${webhook}/deliveries`)).body.data[0]
    expect(JSON.stringify((await caller.call('GET', `/v1/webhooks/${webhook}/deliveries/${id}`)).body)).not.toContain(planted)
    await caller.call('POST', `/v1/contacts/${contact.id}/restore`)
    expect((await everywhere(caller, { webhook, contact: contact.id }))['timeline']?.slice(0, 2)).toEqual(before['timeline'])
  })

  it.each([
    ['base', '/v1/bases', { name: planted, description: planted, language: 'de' }],
    ['proposal', '/v1/proposals', { title: planted, message: planted, externalId: planted, totalAmount: '1', draft: true }],
  ])('hides the content of a deleted %s', async (_kind, path, body) => {
    const caller = await organization()
    await caller.call('POST', '/v1/bases', { name: 'first' })
    const { body: person } = await caller.call('POST', '/v1/contacts', { email: 'a@example.com' })
    const webhook = await webhookTo(caller, (await receiver()).url)
    const { body: record } = await caller.call('POST', path, { ...body, ...(path === '/v1/proposals' && { contactId: person.id }) })
    expect((await caller.call('DELETE', `${path}/${record.id}`)).status).toBe(204)
    const after = await everywhere(caller, { webhook })
    expect(JSON.stringify(after)).not.toContain(planted)
    expect(JSON.stringify(after)).toContain(record.id)
  })

  it('is delivered once with its last content to existing endpoints, and without content later', async () => {
    const caller = await organization()
    const [there, late] = [await receiver(), await receiver()]
    const webhook = await webhookTo(caller, there.url)
    const { body: contact } = await caller.call('POST', '/v1/contacts', secretly)
    await deliver()
    await caller.call('DELETE', `/v1/contacts/${contact.id}`)
    await deliver()
    expect(there.received.map(({ event }) => [event.type, event.data])).toEqual([
      ['contact.created', contact],
      ['contact.deleted', contact],
    ])
    there.received.length = 0
    const since = '2000-01-01T00:00:00Z'
    for (const id of [webhook, await webhookTo(caller, late.url)])
      await caller.call('POST', `/v1/webhooks/${id}/redeliver`, { since, only: 'all' })
    await deliver()
    for (const { received } of [there, late]) {
      expect(received.map(({ event }) => event.type).toSorted()).toEqual(['contact.created', 'contact.deleted'])
      expect(JSON.stringify(received)).not.toContain(planted)
    }
  })

  it('meets the schema, whatever its type', async () => {
    const document = (await app.inject('/v1/openapi.json')).json() as Document
    const context = { document, random: random(20_260_525), pool: newPool(new Set()) }
    const draw = allowedBodies(document)
    const schemas = (document.components.schemas['Event']?.oneOf ?? []).map((schema) => resolve(document, schema).properties ?? {})
    const types: unknown[] = []
    for (const { type = {}, data = {} } of schemas) {
      for (const each of type.enum ?? [type.const]) {
        const event = { id: 'evt_01972e8e-7f80-7000-8000-000000000000', type: each, createdAt: '2026-05-25T20:14:00.000Z' }
        for (let count = 0; count < 20; count += 1) {
          const shown: unknown = JSON.parse(JSON.stringify({ ...event, data: withoutContent(String(each), draw(data, context)) }))
          expect(Event.safeParse(shown).error).toBeUndefined()
        }
        types.push(each)
      }
    }
    expect(types).toEqual(eventTypes)
  })

  it('keeps ids, states, numbers and times', () => {
    const [createdAt, updatedAt] = ['2026-05-25T20:14:00.000Z', '2026-05-25T20:15:00.000Z']
    const source = { id: 'src_1', baseId: 'kb_1', name: planted, type: 'url', url: planted, status: 'failed', stage: 'failed' }
    const more = { chunksCount: 3, warnings: [planted], metadata: { [planted]: planted }, error: planted, enabled: true }
    expect(withoutContent('source.failed', { ...source, ...more, laterField: planted, createdAt, updatedAt })).toEqual({
      id: 'src_1',
      baseId: 'kb_1',
      name: '',
      type: 'url',
      status: 'failed',
      stage: 'failed',
      chunksCount: 3,
      warnings: [],
      metadata: {},
      enabled: true,
      error: null,
      embeddingModel: null,
      embeddingDimensions: null,
      errorCode: null,
      mediaType: null,
      contentHash: null,
      bytes: null,
      pages: null,
      language: null,
      lastSyncedAt: null,
      createdAt,
      updatedAt,
    })
  })
})
