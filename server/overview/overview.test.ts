import { scopes } from '@groundwork/api'
import { sql, type Expression } from 'kysely'
import { describe, expect, it } from 'vitest'
import { withTransaction } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { firstRows, pending } from '../proposals/open.ts'
import { pipelineRows } from '../proposals/pipeline.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { addPassages } from '../testing/passages.ts'
import { person } from '../testing/people.ts'
import { newMember, createFixtures, unitEmbedder } from '../testing/fixtures.ts'

const dayMs = 86_400_000
/** Noon, so that adding hours stays within the day. */
const start = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2
let clockMs = 0

const service = await testApp({
  embedder: unitEmbedder,
  now: () => new Date(start + clockMs),
  backupWarning: { problem: 'late', newestAt: new Date(start - 3 * dayMs) },
})
const { organization, database, platform } = service

async function overviewOf({ call }: Pick<Caller, 'call'>) {
  const { status, body } = await call('GET', '/v1/overview')
  expect(status).toBe(200)
  return body
}

const make = async ({ call }: Caller, path: string, body: object) => (await call('POST', path, body)).body
const newBase = async (caller: Caller, more: object = {}): Promise<string> => (await make(caller, '/v1/bases', { name: 'B', ...more })).id

/** Creates a source whose last attempt has just failed; with `serves`, it has earlier content. */
async function failedSource(caller: Caller, baseId: string, { name = 'S', serves = false } = {}): Promise<string> {
  const { id } = await make(caller, `/v1/bases/${baseId}/sources`, { name, type: 'url', url: 'https://example.com/' })
  await database.pool.query(
    `update source set status = $2, error_code = 'not_found', error = 'there is no such page', updated_at = $3 where id = $1`,
    [id.slice(-36), serves ? 'completed' : 'failed', platform.now()],
  )
  return id
}

async function search(caller: Caller, baseId: string, query: string): Promise<void> {
  expect((await caller.call('POST', `/v1/bases/${baseId}/search`, { query })).status).toBe(200)
  await platform.retrievals.flush()
}

/** Creates a token of the same organization. */
async function tokenOf(caller: Caller, body: object): Promise<Pick<Caller, 'call'>> {
  const { token } = await make(caller, '/v1/tokens', { name: 'T', ...body })
  return { call: (method, path) => caller.call(method, path, undefined, { authorization: `Bearer ${token}` }) }
}

const none = { count: 0, data: [] }

describe('the overview', () => {
  it('of a new organization has no issues', async () => {
    expect(await overviewOf(await organization())).toEqual({
      attention: {
        sources: none,
        webhooks: none,
        expiring: none,
        waiting: none,
        undelivered: none,
        withheld: none,
        countersign: none,
        tasks: none,
        questions: none,
        quotas: [],
        backup: null,
      },
      searches: { days: [], lastAt: null },
      pipeline: [],
      pipelineSince: new Date(start - 30 * dayMs).toISOString(),
      totals: {
        contacts: 0,
        proposals: { draft: 0, pending: 0, completed: 0, rejected: 0, expired: 0, voided: 0 },
        bases: 0,
        sources: { count: 0, processing: 0, chunks: 0 },
        tokens: 1,
        members: { count: 0, invitations: 0 },
      },
    })
  })

  it('shows a problem of the backups to owners and admins only', async () => {
    const { organizationId } = await organization()
    const backup = { problem: 'late', newestAt: new Date(start - 3 * dayMs).toISOString() }
    for (const [role, expected] of [
      ['owner', backup],
      ['admin', backup],
      ['member', null],
      ['viewer', null],
    ] as const) {
      const { body } = await (await person(service, { [organizationId]: role })).of(organizationId)('GET', '/v1/overview')
      expect([role, body.attention.backup]).toEqual([role, expected])
    }
  })

  it('lists failed sources, including those with earlier content, until they are retried', async () => {
    const caller = await organization()
    const [first, second] = [await newBase(caller, { name: 'First' }), await newBase(caller, { name: 'Second' })]
    const created: string[] = []
    for (let n = 0; n < 6; n += 1) {
      clockMs += 1000
      created.unshift(await failedSource(caller, n % 2 === 0 ? first : second, { name: `${n}`, serves: n === 5 }))
    }
    await make(caller, `/v1/bases/${first}/sources`, { name: 'under way', type: 'url', url: 'https://example.com/' })
    const before = await overviewOf(caller)
    expect(before.attention.sources).toMatchObject({ count: 6 })
    expect(before.attention.sources.data.map(({ id }: { id: string }) => id)).toEqual(created.slice(0, 5))
    expect(before.attention.sources.data[0]).toEqual({
      id: created[0],
      baseId: second,
      baseName: 'Second',
      name: '5',
      type: 'url',
      status: 'completed',
      errorCode: 'not_found',
      error: 'there is no such page',
      updatedAt: platform.now().toISOString(),
    })
    expect(before.totals).toMatchObject({ bases: 2, sources: { count: 7, processing: 1, chunks: 0 } })
    expect((await caller.call('POST', `/v1/bases/${second}/sources/${created[0]}/retry`)).status).toBe(200)
    expect(await overviewOf(caller)).toMatchObject({ attention: { sources: { count: 5 } }, totals: { sources: { processing: 2 } } })
  })

  it('lists endpoints that fail or were disabled automatically, not those disabled by a user', async () => {
    const caller = await organization()
    const endpoint = async (columns: string): Promise<string> => {
      const { id } = await make(caller, '/v1/webhooks', { url: 'https://example.com/hook' })
      await database.pool.query(`update webhook_endpoint set ${columns} where id = $1`, [id.slice(-36)])
      return id
    }
    const disabled = 'enabled = false, disabled_at = now(), failing_since = now(), disabled_reason'
    const ailing = [
      await endpoint('failing_since = now()'),
      await endpoint(`${disabled} = 'failing'`),
      await endpoint(`${disabled} = 'gone'`),
    ]
    await endpoint(`${disabled} = 'manual'`)
    await endpoint('description = $$well$$')
    const { webhooks } = (await overviewOf(caller)).attention
    expect(webhooks.count).toBe(3)
    expect(webhooks.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(ailing.toSorted())
    expect(webhooks.data[0]).not.toHaveProperty('secret')
  })

  it('lists proposals that expire soon or wait long, and counts each state', async () => {
    const caller = await organization()
    const { id: contactId } = await make(caller, '/v1/contacts', { email: 'a@example.com' })
    const propose = async (title: string, more: object = {}): Promise<string> =>
      (await make(caller, '/v1/proposals', { title, contactId, totalAmount: '12.5', currency: 'EUR', ...more })).id
    const inDays = (days: number): string => new Date(platform.now().getTime() + days * dayMs).toISOString()
    const old = await propose('old')
    clockMs += 4 * dayMs
    const [later, soon] = [await propose('later', { expiresAt: inDays(6) }), await propose('soon', { expiresAt: inDays(1) })]
    await propose('far', { expiresAt: inDays(8) })
    await propose('draft', { expiresAt: inDays(1), draft: true })
    const voided = await propose('voided', { expiresAt: inDays(1) })
    await caller.call('POST', `/v1/proposals/${voided}/void`, { reason: 'x' })
    const { attention, totals } = await overviewOf(caller)
    expect(attention.expiring).toMatchObject({
      count: 2,
      data: [{ id: soon, totalAmount: '12.50', currency: 'EUR', contactId }, { id: later }],
    })
    expect(attention.waiting).toMatchObject({ count: 1, data: [{ id: old, title: 'old' }] })
    expect(totals.contacts).toBe(1)
    expect(totals.proposals).toEqual({ draft: 1, pending: 4, completed: 0, rejected: 0, expired: 0, voided: 1 })
  })

  it('sums drafts, pending and recently accepted proposals by currency', async () => {
    const caller = await organization()
    const { id: contactId } = await make(caller, '/v1/contacts', { email: 'a@example.com' })
    const propose = async (totalAmount: string, currency: string, more: object = {}): Promise<string> =>
      (await make(caller, '/v1/proposals', { title: 'P', contactId, totalAmount, currency, ...more })).id
    const accepted = async (totalAmount: string, daysAgo: number): Promise<void> => {
      const id = await propose(totalAmount, 'EUR')
      const at = new Date(platform.now().getTime() - daysAgo * dayMs)
      await database.pool.query(`update proposal set status = 'completed', completed_at = $2 where id = $1`, [id.slice(-36), at])
    }
    await propose('0.1', 'EUR', { draft: true })
    await propose('0.2', 'EUR', { draft: true })
    await propose('100', 'JPY', { draft: true })
    // More than a number of JavaScript holds exactly.
    for (let n = 0; n < 3; n += 1) await propose('999999999999.99', 'USD')
    await propose('7.5', 'EUR')
    await accepted('250', 30)
    await accepted('10', 1)
    await accepted('4000', 31)
    const voided = await propose('60', 'EUR')
    await caller.call('POST', `/v1/proposals/${voided}/void`, { reason: 'x' })
    const { pipeline, pipelineSince } = await overviewOf(caller)
    expect(pipeline).toEqual([
      { status: 'draft', currency: 'EUR', count: 2, totalAmount: '0.30' },
      { status: 'draft', currency: 'JPY', count: 1, totalAmount: '100.00' },
      { status: 'pending', currency: 'EUR', count: 1, totalAmount: '7.50' },
      { status: 'pending', currency: 'USD', count: 3, totalAmount: '2999999999999.97' },
      { status: 'completed', currency: 'EUR', count: 2, totalAmount: '260.00' },
    ])
    // These are the totals of the list.
    for (const [status, more] of [
      ['draft', ''],
      ['pending', ''],
      ['completed', `&completedAfter=${pipelineSince}`],
    ]) {
      const { body } = await caller.call('GET', `/v1/proposals/totals?status=${status}${more}`)
      expect(body.data).toEqual(pipeline.filter((entry: { status: string }) => entry.status === status))
    }
  })

  it('reads neither the rows of proposals nor the entries of older ones for their sums', async () => {
    const caller = await organization()
    const { id: contactId } = await make(caller, '/v1/contacts', { email: 'a@example.com' })
    await database.pool.query(
      `insert into proposal (organization_id, id, number, title, contact_id, total_amount, currency, status, completed_at, created_at, updated_at, content_version, totals)
       select $1, gen_random_uuid(), n, 'P', $2, 1, 'EUR', 'completed', $3::timestamptz - n * interval '1 day', $3, $3, 2, '{}' from generate_series(1, 3000) n`,
      [caller.organizationId, contactId.slice(-36), platform.now()],
    )
    await database.pool.query('vacuum analyze proposal')
    expect((await overviewOf(caller)).pipeline).toEqual([{ status: 'completed', currency: 'EUR', count: 30, totalAmount: '30.00' }])
    const since = new Date(platform.now().getTime() - 30 * dayMs)
    const plan = await planOf(caller, (trx) => pipelineRows(trx, since))
    expect(plan.match(/Index Only Scan using proposal_pipeline/g), plan).toHaveLength(2)
    expect(plan, plan).not.toMatch(/Seq Scan|Index Scan|Rows Removed/)
  })

  it('reads the rows of the listed proposals alone', async () => {
    const caller = await organization()
    const { id: contactId } = await make(caller, '/v1/contacts', { email: 'a@example.com' })
    await database.pool.query(
      `insert into proposal (organization_id, id, number, title, contact_id, total_amount, currency, status, sent_at, expires_at, counter_signature, created_at, updated_at, content_version, totals)
       select $1, gen_random_uuid(), n, 'P', $2, 1, 'EUR', 'pending', $3::timestamptz - n * interval '1 hour', $3::timestamptz + n * interval '1 hour', n % 100 = 0, $3, $3, 2, '{}' from generate_series(1, 3000) n`,
      [caller.organizationId, contactId.slice(-36), platform.now()],
    )
    await database.pool.query('vacuum analyze proposal')
    const { expiring, waiting } = (await overviewOf(caller)).attention
    expect([expiring.count, waiting.count]).toEqual([167, 2929])
    const at = platform.now()
    for (const build of [
      (trx: Transaction) => firstRows(trx, (db) => pending(db).where('expires_at', '<', at), 'expires_at'),
      (trx: Transaction) => firstRows(trx, (db) => pending(db).where('sent_at', '<=', at), 'sent_at'),
      (trx: Transaction) => firstRows(trx, (db) => pending(db).where('counter_signature', '=', true), 'sent_at'),
    ]) {
      const plan = await planOf(caller, build)
      expect(plan).toContain('Index Only Scan using proposal_pending')
      expect(plan).not.toContain('Seq Scan on proposal ')
    }
  })

  it('reports searches and unanswered questions of all knowledge bases with a log', async () => {
    const caller = await organization()
    const [known, empty, silent] = [
      await newBase(caller, { name: 'Known' }),
      await newBase(caller, { name: 'Empty' }),
      await newBase(caller, { retrievalLog: { enabled: false } }),
    ]
    await addPassages(caller, known, ['a plum'])
    await search(caller, empty, 'Long ago?')
    clockMs += 20 * dayMs
    await search(caller, empty, 'Eight days ago?')
    clockMs += 8 * dayMs
    await search(caller, known, 'When is a plum ripe?')
    await search(caller, silent, 'Is this kept?')
    for (const question of ['Who?', 'where?', 'Where']) {
      clockMs += 1000
      await search(caller, empty, question)
    }
    const { attention, searches } = await overviewOf(caller)
    const day = (daysAgo: number): string => new Date(platform.now().getTime() - daysAgo * dayMs).toISOString().slice(0, 10)
    expect(searches).toEqual({
      days: [
        { day: day(0), searches: 4, unanswered: 3, p50Ms: expect.any(Number), p95Ms: expect.any(Number) },
        { day: day(8), searches: 1, unanswered: 1, p50Ms: expect.any(Number), p95Ms: expect.any(Number) },
      ],
      lastAt: platform.now().toISOString(),
    })
    expect(searches.days[0].p95Ms).toBeGreaterThanOrEqual(searches.days[0].p50Ms)
    expect(attention.questions).toEqual({
      count: 2,
      data: [
        { baseId: empty, baseName: 'Empty', question: 'Where', times: 2, lastAt: platform.now().toISOString(), bestScore: null },
        { baseId: empty, baseName: 'Empty', question: 'Who?', times: 1, lastAt: expect.any(String), bestScore: null },
      ],
    })
  })

  it('counts active tokens, members and open invitations', async () => {
    const caller = await organization()
    const { id } = await make(caller, '/v1/tokens', { name: 'revoked', scopes: ['search:read'] })
    await caller.call('DELETE', `/v1/tokens/${id}`)
    await make(caller, '/v1/tokens', {
      name: 'short',
      scopes: ['search:read'],
      expiresAt: new Date(platform.now().getTime() + dayMs).toISOString(),
    })
    await newMember(caller.ctx)
    await make(caller, '/v1/invitations', { email: 'robin@example.com', role: 'viewer' })
    expect((await overviewOf(caller)).totals).toMatchObject({ tokens: 2, members: { count: 1, invitations: 1 } })
    clockMs += 8 * dayMs
    expect((await overviewOf(caller)).totals).toMatchObject({ tokens: 1, members: { count: 1, invitations: 0 } })
  })

  it('omits parts that the scopes do not allow', async () => {
    const caller = await organization()
    await createFixtures(caller)
    const bare = await overviewOf(await tokenOf(caller, { scopes: ['organization:read'] }))
    const { quotas, ...attention } = bare.attention
    expect(quotas).toEqual([])
    for (const part of [...Object.values(attention), bare.searches, bare.pipeline, ...Object.values(bare.totals)]) expect(part).toBeNull()
    const parts: Record<string, string[]> = {
      'sources:read': ['attention.sources', 'totals.sources'],
      'webhooks:read': ['attention.webhooks'],
      'proposals:read': [
        'attention.expiring',
        'attention.waiting',
        'attention.undelivered',
        'attention.withheld',
        'attention.countersign',
        'pipeline',
        'totals.proposals',
      ],
      'retrievals:read': ['attention.questions', 'searches'],
      'contacts:read': ['attention.tasks', 'totals.contacts'],
      'bases:read': ['totals.bases'],
      'tokens:read': ['totals.tokens'],
      'members:read': ['totals.members'],
    }
    for (const scope of scopes) {
      const {
        attention: visibleAttention,
        searches,
        pipeline,
        totals,
      } = await overviewOf(await tokenOf(caller, { scopes: [...new Set(['organization:read', scope])] }))
      const { quotas: _quotas, ...attentionOf } = visibleAttention
      const flat = { ...prefixed('attention', attentionOf), searches, pipeline, ...prefixed('totals', totals) }
      const visible = Object.entries(flat).flatMap(([name, part]) => (part === null ? [] : [name]))
      expect([scope, visible.toSorted()]).toEqual([scope, (parts[scope] ?? []).toSorted()])
    }
  })

  it('covers only the knowledge bases that the token can access', async () => {
    const caller = await organization()
    const [own, other] = [await newBase(caller), await newBase(caller, { name: 'Other' })]
    const seen = await failedSource(caller, own)
    await failedSource(caller, other, { name: 'hidden' })
    await search(caller, own, 'Seen?')
    clockMs += 1000
    await search(caller, other, 'Hidden?')
    const all = await overviewOf(caller)
    expect([all.attention.sources.count, all.attention.questions.count, all.searches.days[0].searches, all.totals.bases]).toEqual([
      2, 2, 2, 2,
    ])
    const { attention, searches, totals } = await overviewOf(await tokenOf(caller, { scopes, baseIds: [own] }))
    expect(attention.sources).toMatchObject({ count: 1, data: [{ id: seen }] })
    expect(attention.questions).toMatchObject({ count: 1, data: [{ question: 'Seen?' }] })
    expect(attention.webhooks).toBeNull()
    expect(searches.days).toMatchObject([{ searches: 1 }])
    expect(searches.lastAt).not.toBe(all.searches.lastAt)
    expect(totals).toMatchObject({ bases: 1, sources: { count: 1 } })
  })

  it('contains no data of another organization', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    await createFixtures(owner)
    await failedSource(owner, await newBase(owner))
    expect(await overviewOf(stranger)).toEqual(await overviewOf(await organization()))
  })

  it('requires organization:read', async () => {
    const { call } = await organization({ scopes: ['sources:read'] })
    expect(await call('GET', '/v1/overview')).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
  })
})

/** Returns the plan of a statement and how it ran. */
const planOf = (caller: Caller, build: (trx: Transaction) => Expression<unknown>): Promise<string> =>
  withTransaction(caller.ctx, async (trx) => {
    const { rows } = await sql<object>`explain (analyze, costs off, timing off) ${build(trx)}`.execute(trx)
    return rows.flatMap((row) => Object.values(row)).join('\n')
  })

const prefixed = (prefix: string, parts: object): object =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [`${prefix}.${name}`, part]))
