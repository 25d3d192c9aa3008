import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import type { Handlers } from '../handlers.ts'
import type { GroundworkApi } from '@groundwork/api'
import { purgeAnswersWork } from '../idempotency/purge.ts'
import { newId } from '../lib/ids.ts'
import { moduleHandlers } from '../modules.ts'
import type { Platform } from '../platform.ts'
import { testApp, type Called, type Caller } from '../testing/app.ts'
import { createApp } from './app.ts'
import { jobName } from '../testing/delayed-jobs.ts'

let offsetMs = 0
const { organization, platform, database } = await testApp({ now: () => new Date(Date.now() + offsetMs) })

const keyed = (key: string) => ({ 'idempotency-key': key })
const contact = { email: 'a@example.com' }
const contacts = async ({ call }: Caller): Promise<number> => (await call('GET', '/v1/contacts')).body.length
const refusal = ({ status, body, headers }: Called) => [status, body.error.code, headers['idempotency-replayed']]

/** Starts the service with other handlers for contacts, and calls it as this caller. */
async function withContacts(caller: Caller, verbs: Partial<Handlers<GroundworkApi, Platform>['contacts']>) {
  const server = await createApp({
    platform,
    authenticate: async () => ({
      kind: 'token' as const,
      organizationId: caller.organizationId,
      tokenId: newId(),
      scopes: ['contacts:write'],
      baseIds: null,
    }),
    handlers: { ...moduleHandlers, contacts: { ...moduleHandlers.contacts, ...verbs } },
  })
  return (key: string) => server.inject({ method: 'POST', url: '/v1/contacts', headers: keyed(key), payload: contact })
}

describe('a repeated request with the same key', () => {
  it('is executed once and gets the same response', async () => {
    const caller = await organization()
    const first = await caller.call('POST', '/v1/contacts', contact, keyed('k'))
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined])
    const again = await caller.call('POST', '/v1/contacts', '{ "email" : "a@example.com" }', keyed('k'))
    expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([201, first.body, 'true'])
    expect(again.headers['etag']).toBe(first.headers['etag'])
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect(await contacts(caller)).toBe(1)
  })

  it('gets the original response after the record has changed', async () => {
    const { call } = await organization()
    const first = await call('POST', '/v1/contacts', contact, keyed('k'))
    await call('PATCH', `/v1/contacts/${first.body.id}`, { firstName: 'A' })
    expect((await call('POST', '/v1/contacts', contact, keyed('k'))).body).toEqual(first.body)
  })

  it('gets the same upload URL, which is stored encrypted', async () => {
    const { call, organizationId } = await organization()
    const file = { fileName: 'a.txt', sizeBytes: 1 }
    const [first, again] = [await call('POST', '/v1/uploads', file, keyed('k')), await call('POST', '/v1/uploads', file, keyed('k'))]
    expect(again.body).toEqual(first.body)
    const { rows } = await database.pool.query('select answer from idempotency_answer where organization_id = $1', [organizationId])
    expect(rows).toHaveLength(1)
    for (const part of [first.body.id, first.body.uploadUrl, 'uploadUrl']) expect(rows[0].answer.includes(part)).toBe(false)
  })

  it('sent 200 times concurrently creates one record and one response that is not a replay', async () => {
    const caller = await organization()
    const answers = await Promise.all(Array.from({ length: 200 }, () => caller.call('POST', '/v1/contacts', contact, keyed('k'))))
    const done = answers.filter(({ status }) => status === 201)
    const first = done.filter(({ headers }) => headers['idempotency-replayed'] === undefined)
    expect(first).toHaveLength(1)
    for (const { body } of done) expect(body).toEqual(first[0]?.body)
    for (const busy of answers.filter(({ status }) => status !== 201)) {
      expect([busy.status, busy.body.error.code, busy.headers['retry-after']]).toEqual([409, 'conflict', '1'])
    }
    expect(await contacts(caller)).toBe(1)
  })

  it('is executed each time without a key', async () => {
    const caller = await organization()
    for (let n = 0; n < 2; n += 1) expect((await caller.call('POST', '/v1/contacts', contact)).status).toBe(201)
    expect(await contacts(caller)).toBe(2)
  })
})

describe('the same key', () => {
  it('with a different request: 422', async () => {
    const { call } = await organization()
    const { body } = await call('POST', '/v1/contacts', contact, keyed('k'))
    for (const [path, other] of [
      ['/v1/contacts', { email: 'b@example.com' }],
      ['/v1/bases', { name: 'B' }],
      [`/v1/contacts/${body.id}/restore`, undefined],
    ] as const) {
      const answer = await call('POST', path, other, keyed('k'))
      expect(refusal(answer)).toEqual([422, 'idempotency_conflict', undefined])
      expect(answer.body.error.field).toBe('Idempotency-Key')
    }
  })

  it('with the members of objects in another order: the first answer', async () => {
    const { call } = await organization()
    const first = await call('POST', '/v1/contacts', { email: 'a@example.com', address: { city: 'Rome', country: 'IT' } }, keyed('k'))
    const again = await call('POST', '/v1/contacts', { address: { country: 'IT', city: 'Rome' }, email: 'a@example.com' }, keyed('k'))
    expect([again.status, again.headers['idempotency-replayed'], again.body]).toEqual([201, 'true', first.body])
    const lists = await call('POST', '/v1/contacts', { email: 'l@example.com', tags: ['a', 'b'] }, keyed('l'))
    expect(lists.status).toBe(201)
    expect(refusal(await call('POST', '/v1/contacts', { email: 'l@example.com', tags: ['b', 'a'] }, keyed('l')))).toEqual([
      422,
      'idempotency_conflict',
      undefined,
    ])
  })

  it('from a token with other permissions: 422', async () => {
    const caller = await organization()
    await caller.call('POST', '/v1/contacts', contact, keyed('k'))
    const call = await withContacts(caller, {})
    expect((await call('k')).json().error.code).toBe('idempotency_conflict')
  })

  it('of another organization is a different key', async () => {
    const [one, other] = [await organization(), await organization()]
    const [mine, theirs] = [
      await one.call('POST', '/v1/contacts', contact, keyed('k')),
      await other.call('POST', '/v1/contacts', contact, keyed('k')),
    ]
    expect([theirs.status, theirs.headers['idempotency-replayed']]).toEqual([201, undefined])
    expect(theirs.body.id).not.toBe(mine.body.id)
  })

  it.each(['', ' ', 'a b', 'ä', 'x'.repeat(256)])('%.10j is not valid: 400', async (key) => {
    const { call } = await organization()
    const { status, body } = await call('POST', '/v1/contacts', contact, keyed(key))
    expect([status, body.error.code, body.error.field]).toEqual([400, 'bad_request', 'Idempotency-Key'])
  })

  it('of 255 characters is valid', async () => {
    const { call } = await organization()
    expect((await call('POST', '/v1/contacts', contact, keyed('!'.repeat(255)))).status).toBe(201)
  })
})

describe('an error', () => {
  it('of the handler is stored', async () => {
    const { call } = await organization()
    const { body } = await call('POST', '/v1/contacts', { ...contact, externalId: 'x' })
    const again = () => call('POST', '/v1/contacts', { ...contact, externalId: 'x' }, keyed('k'))
    const first = await again()
    expect(refusal(first)).toEqual([409, 'conflict', undefined])
    await call('PATCH', `/v1/contacts/${body.id}`, { externalId: null })
    const replay = await again()
    expect(refusal(replay)).toEqual([409, 'conflict', 'true'])
    expect(replay.body.error).toEqual({ ...first.body.error, requestId: replay.headers['x-request-id'] })
  })

  it('before any transaction is stored', async () => {
    const { call } = await organization()
    const base = { name: 'x', ragSettings: { chunkSize: 100, chunkOverlap: 50 } }
    expect(refusal(await call('POST', '/v1/bases', base, keyed('k')))).toEqual([422, 'validation_error', undefined])
    expect(refusal(await call('POST', '/v1/bases', base, keyed('k')))).toEqual([422, 'validation_error', 'true'])
  })

  it('of the schema leaves the key free', async () => {
    const { call } = await organization()
    expect((await call('POST', '/v1/contacts', { email: 5 }, keyed('k'))).status).toBe(422)
    expect((await call('POST', '/v1/contacts', '{', keyed('k'))).status).toBe(400)
    expect((await call('POST', '/v1/contacts', contact, keyed('k'))).status).toBe(201)
  })
})

describe('a failed request', () => {
  it('with an internal error has no effect and leaves the key free', async () => {
    const caller = await organization()
    const broken = await withContacts(caller, {
      create: async (ctx, input) => {
        await moduleHandlers.contacts.create(ctx, input)
        throw new Error('the program ends here')
      },
    })
    const whole = await withContacts(caller, {})
    expect((await broken('k')).statusCode).toBe(500)
    expect(await contacts(caller)).toBe(0)
    const answer = await whole('k')
    expect([answer.statusCode, answer.headers['idempotency-replayed']]).toEqual([201, undefined])
    expect(await contacts(caller)).toBe(1)
  })

  it('with a reply that does not match its schema has no effect', async () => {
    const caller = await organization()
    const broken = await withContacts(caller, {
      create: async (ctx, input) => {
        await moduleHandlers.contacts.create(ctx, input)
        return {} as never
      },
    })
    expect((await broken('k')).statusCode).toBe(500)
    expect(await contacts(caller)).toBe(0)
  })

  it.skipIf(inject('serverUrl') === '')('with a lost database connection has no effect and leaves the key free', async () => {
    const caller = await organization()
    const broken = await withContacts(caller, {
      create: async (ctx, input) => {
        const contactMade = await moduleHandlers.contacts.create(ctx, input)
        await ctx.db.transaction(caller.organizationId, (trx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx))
        return contactMade
      },
    })
    const whole = await withContacts(caller, {})
    expect((await broken('k')).statusCode).toBeGreaterThanOrEqual(500)
    expect(await contacts(caller)).toBe(0)
    expect((await whole('k')).statusCode).toBe(201)
  })

  it.skipIf(inject('serverUrl') === '')('differs from a running one, which answers 409', async () => {
    const caller = await organization()
    let goOn: () => void = () => undefined
    const held = new Promise<void>((resolve) => (goOn = resolve))
    let begun: () => void = () => undefined
    const begins = new Promise<void>((resolve) => (begun = resolve))
    const slow = await withContacts(caller, {
      create: async (ctx, input) => {
        const created = await moduleHandlers.contacts.create(ctx, input)
        begun()
        await held
        return created
      },
    })
    const first = slow('k')
    const running = first.then((answer) => answer.statusCode)
    await begins
    const busy = await slow('k')
    expect([busy.statusCode, busy.json().error.code, busy.headers['retry-after']]).toEqual([409, 'conflict', '1'])
    goOn()
    expect(await running).toBe(201)
    expect((await slow('k')).headers['idempotency-replayed']).toBe('true')
  })
})

describe('a stored response', () => {
  it('is replayed for 24 hours', async () => {
    const caller = await organization()
    const first = await caller.call('POST', '/v1/contacts', contact, keyed('k'))
    try {
      offsetMs = 24 * 3_600_000 - 60_000
      expect((await caller.call('POST', '/v1/contacts', contact, keyed('k'))).body).toEqual(first.body)
      offsetMs = 24 * 3_600_000 + 1000
      const later = await caller.call('POST', '/v1/contacts', contact, keyed('k'))
      expect([later.status, later.headers['idempotency-replayed']]).toEqual([201, undefined])
      expect(later.body.id).not.toBe(first.body.id)
      expect((await caller.call('POST', '/v1/contacts', contact, keyed('k'))).body).toEqual(later.body)
    } finally {
      offsetMs = 0
    }
  })

  it('is deleted after that, by one job per hour', async () => {
    const { call, ctx, organizationId } = await organization()
    const own = `data ->> 'organizationId' = '${organizationId}'`
    const jobs = async (): Promise<{ data: { createdBefore: string }; delay: number }[]> => {
      const statement = `select data, extract(epoch from start_after - now())::float8 as delay from pgboss.job where ${jobName} = $1 and ${own} order by id`
      return (await database.pool.query(statement, [purgeAnswersWork.name])).rows
    }
    const kept = async (): Promise<number> =>
      (await database.pool.query('select from idempotency_answer where organization_id = $1', [organizationId])).rows.length
    offsetMs = 3_600_000 - (Date.now() % 3_600_000)
    try {
      for (const key of ['a', 'b', 'c']) await call('POST', '/v1/contacts', contact, keyed(key))
      const [job, second] = await jobs()
      expect(second).toBeUndefined()
      expect(job?.delay).toBeGreaterThan(24.9 * 3600 - 5)
      expect(job?.delay).toBeLessThan(25 * 3600 + 5)
      if (job === undefined) throw new Error('there is no job')
      await purgeAnswersWork.run(ctx, job.data)
      expect([await kept(), (await jobs()).length]).toEqual([3, 2])
      offsetMs += 25 * 3_600_000
      await purgeAnswersWork.run(ctx, job.data)
      await purgeAnswersWork.run(ctx, job.data)
      expect(await kept()).toBe(0)
    } finally {
      offsetMs = 0
    }
  })

  it('of another secret key cannot be read, and the request is not repeated', async () => {
    const { call, organizationId } = await organization()
    await call('POST', '/v1/contacts', contact, keyed('k'))
    await database.pool.query(`update idempotency_answer set answer = '\\x00' where organization_id = $1`, [organizationId])
    expect(refusal(await call('POST', '/v1/contacts', contact, keyed('k')))).toEqual([409, 'conflict', undefined])
  })
})

describe('a stored response with a record', () => {
  /** Sends a request with the key, deletes or replaces its record, and repeats it. */
  async function afterwards(caller: Caller, [path, body]: [string, object | undefined], end: (answer: Called) => Promise<Called>) {
    const send = () => caller.call('POST', path, body, keyed('k'))
    const first = await send()
    expect(first.status).toBeLessThan(300)
    expect((await end(first)).status).toBeLessThan(300)
    return send()
  }
  const erased = [409, 'conflict', undefined]

  it('is erased when the record is deleted, and the request is not repeated', async () => {
    const caller = await organization()
    const replay = await afterwards(caller, ['/v1/contacts', contact], ({ body }) => caller.call('DELETE', `/v1/contacts/${body.id}`))
    expect(refusal(replay)).toEqual(erased)
    expect(replay.body.error.message).toContain('has been deleted')
    expect(await contacts(caller)).toBe(0)
    const { rows } = await database.pool.query('select length(answer) as length from idempotency_answer where organization_id = $1', [
      caller.organizationId,
    ])
    expect(rows).toEqual([{ length: 0 }])
  })

  it('is erased with every kind of record', async () => {
    const caller = await organization()
    const { body: base } = await caller.call('POST', '/v1/bases', { name: 'B' })
    const { body: person } = await caller.call('POST', '/v1/contacts', contact)
    const sources = `/v1/bases/${base.id}/sources`
    const page = { name: 'S', type: 'url', url: 'https://example.com/' }
    const question = { question: 'When?', expectedText: 'nine' }
    const cases: [string, object | undefined, (answer: Called) => [string, string, object?]][] = [
      [sources, page, ({ body }) => ['DELETE', `${sources}/${body.id}`]],
      [`${sources}/upsert`, { ...page, externalId: 'x' }, ({ body }) => ['DELETE', `${sources}/${body.id}`]],
      [
        `/v1/bases/${base.id}/questions/bulk`,
        { questions: [question, question] },
        ({ body }) => ['DELETE', `/v1/bases/${base.id}/questions/${body.data[1].id}`],
      ],
      [
        '/v1/proposals',
        { title: 'T', contactId: person.id, totalAmount: '1', draft: true },
        ({ body }) => ['DELETE', `/v1/proposals/${body.id}`],
      ],
      ['/v1/tokens', { name: 'T', scopes: ['search:read'] }, ({ body }) => ['DELETE', `/v1/tokens/${body.id}`]],
      ['/v1/tokens', { name: 'T', scopes: ['search:read'] }, ({ body }) => ['POST', `/v1/tokens/${body.id}/rotate`, {}]],
      ['/v1/invitations', { email: 'b@example.com', role: 'viewer' }, ({ body }) => ['DELETE', `/v1/invitations/${body.id}`]],
      ['/v1/webhooks', { url: 'https://example.com/' }, ({ body }) => ['POST', `/v1/webhooks/${body.id}/rotate-secret`, {}]],
      ['/v1/webhooks', { url: 'https://example.com/' }, ({ body }) => ['DELETE', `/v1/webhooks/${body.id}`]],
    ]
    for (const [index, [path, body, end]] of cases.entries()) {
      const send = () => caller.call('POST', path, body, keyed(`k${index}`))
      const first = await send()
      expect([path, first.status < 300]).toEqual([path, true])
      const [method, at, change] = end(first)
      expect([at, (await caller.call(method, at, change)).status < 300]).toEqual([at, true])
      expect([path, ...refusal(await send())]).toEqual([path, ...erased])
    }
  })

  it('is erased with the knowledge base of the record', async () => {
    const caller = await organization()
    const { body: base } = await caller.call('POST', '/v1/bases', { name: 'B' })
    const source = { name: 'S', type: 'url', url: 'https://example.com/' }
    const replay = await afterwards(caller, [`/v1/bases/${base.id}/sources`, source], () => caller.call('DELETE', `/v1/bases/${base.id}`))
    expect(refusal(replay)).toEqual(erased)
  })

  it('is erased with the contact of a proposal, whose name and address it contains', async () => {
    const caller = await organization()
    const { body: person } = await caller.call('POST', '/v1/contacts', contact)
    const offer = { title: 'T', contactId: person.id, totalAmount: '1' }
    const replay = await afterwards(caller, ['/v1/proposals', offer], () => caller.call('DELETE', `/v1/contacts/${person.id}`))
    expect(refusal(replay)).toEqual(erased)
  })

  it('stays if another record that it refers to is deleted', async () => {
    const caller = await organization()
    const { body: base } = await caller.call('POST', '/v1/bases', { name: 'B' })
    const token = { name: 'T', scopes: ['search:read'], baseIds: [base.id] }
    const replay = await afterwards(caller, ['/v1/tokens', token], () => caller.call('DELETE', `/v1/bases/${base.id}`))
    expect([replay.status, replay.headers['idempotency-replayed']]).toEqual([201, 'true'])
  })

  it('stays if it belongs to another organization', async () => {
    const [one, other] = [await organization(), await organization()]
    const first = await one.call('POST', '/v1/contacts', contact, keyed('k'))
    await database.pool.query(
      `insert into audit_entry (organization_id, created_at, id, action, actor_type, target_kind, target_id)
       values ($1, now(), gen_random_uuid(), 'contact.deleted', 'system', 'ctc', $2)`,
      [other.organizationId, first.body.id.slice(4)],
    )
    expect((await one.call('POST', '/v1/contacts', contact, keyed('k'))).body).toEqual(first.body)
  })
})

describe('a key on a POST that only reads', () => {
  it.each(['search', 'preview'])('is ignored by %s', async (verb) => {
    const caller = await organization()
    const { body: base } = await caller.call('POST', '/v1/bases', { name: 'B' })
    const path = `/v1/bases/${base.id}/${verb}`
    const body = verb === 'search' ? { query: 'x' } : { text: 'x' }
    const before = await caller.call('POST', path, body, keyed('k'))
    expect(before.status).toBe(200)
    const again = await caller.call('POST', path, { ...body, ...(verb === 'search' ? { query: 'y' } : { text: 'y' }) }, keyed('k'))
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, undefined])
    await caller.call('DELETE', `/v1/bases/${base.id}`)
    expect((await caller.call('POST', path, body, keyed('k'))).status).toBe(404)
    const { rows } = await database.pool.query('select from idempotency_answer where organization_id = $1', [caller.organizationId])
    expect(rows).toEqual([])
  })
})

describe('a key on other methods than POST', () => {
  it('has no effect', async () => {
    const { call } = await organization()
    const { body } = await call('POST', '/v1/contacts', contact)
    for (const firstName of ['A', 'B']) {
      expect((await call('PATCH', `/v1/contacts/${body.id}`, { firstName }, keyed('k'))).body.firstName).toBe(firstName)
    }
  })
})
