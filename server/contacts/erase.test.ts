import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, it } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { unitEmbedder } from '../testing/fixtures.ts'
import { filesWith, tablesWith as searchTables } from '../testing/planted.ts'
import { pageClient, type Sent } from '../testing/proposal-page.ts'
import { pngImage } from '../testing/images.ts'
import { contactImports } from '../testing/contact-imports.ts'
import { upload } from '../testing/sources.ts'
import { createDispatcher } from '../webhooks/dispatcher.ts'
import { receiver } from '../testing/webhook-receiver.ts'

const outbound = createOutbound({ allowHosts: ['127.0.0.1'], userAgent: 'test' })
const { app, platform, database, mailFolder, organization } = await testApp({ embedder: unitEmbedder, worker: { outbound } })
const dispatcher = createDispatcher(platform, outbound)
const page = pageClient(app)
const imports = contactImports(app)
const webhooks = await receiver()
webhooks.answer = ({ body }) => ({ status: 200, body })

/** Each value occurs nowhere else. */
const zebulonia = {
  externalId: 'crm-zebulon-9',
  firstName: 'Zebulonia',
  lastName: 'Quarkworth',
  email: 'zebulonia.quarkworth@example.com',
  emails: [
    { value: 'zebulonia.quarkworth@example.com', asSent: 'zebulonia.quarkworth@example.com', label: null },
    { value: 'second@quarkworth.example', asSent: 'second@quarkworth.example', label: 'label-of-zebulonia' },
  ],
  phone: '+442079460018',
  phones: [
    { value: '+442079460018', asSent: '+442079460018', label: null, extension: null },
    { value: '+442079460999', asSent: '+442079460999', label: null, extension: '7' },
  ],
  jobTitle: 'Chair of Quarkworth',
  address: { street: '1 Quarkworth Road', city: 'Umbrellaton', postalCode: null, region: null, country: 'GB' },
  tags: ['tag-of-zebulonia'],
  source: 'fair-of-zebulonia',
}
const question = 'Can the helmet be collected at Umbrellaton?'
const message = 'The bikes are brought to Umbrellaton.'
const planted = ['zebulon', 'quarkworth', '2079460018', '2079460999', 'umbrellaton']

const tablesWith = (texts: readonly string[]): Promise<string[]> => searchTables(database, texts)
const mailsWith = (texts: readonly string[]): Promise<string[]> => filesWith(mailFolder, texts)

async function storedFiles({ organizationId }: Caller): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of platform.storage.files()) if (key.startsWith(`${organizationId}/files/`)) found.push(key)
  return found
}

let keys = 0

async function create<T = { id: string }>({ call }: Caller, path: string, body: object): Promise<T> {
  keys += 1
  const { status, body: created } = await call('POST', path, body, { 'idempotency-key': `key-${keys}` })
  expect([path, status < 300 ? null : created]).toEqual([path, null])
  return created
}

interface Planted {
  contactId: string
  accepted: Sent
  voided: Sent
}

/** Creates a contact with data in everything that can hold it. */
async function plant(caller: Caller, { accepts }: { accepts: boolean }): Promise<Planted> {
  await create(caller, '/v1/webhooks', { url: webhooks.url })
  const { id: contactId } = await create(caller, '/v1/contacts', zebulonia)
  const call = { type: 'call', text: 'Zebulonia asked for six bikes.', externalId: 'call-of-zebulonia' }
  await create(caller, `/v1/contacts/${contactId}/activities`, call)
  const consent = { channel: 'phone', state: 'granted', source: 'Call of Zebulonia', wording: 'Call Zebulonia.' }
  await create(caller, `/v1/contacts/${contactId}/consent`, consent)
  const offer = (more: object) =>
    create<Sent>(caller, '/v1/proposals', { title: 'Six bikes', contactId, totalAmount: '5', message, ...more })
  const pending = await offer({})
  await page.get(pending.url)
  await page.post(pending.url, 'ask', { question })
  await offer({ draft: true })
  const storageUrl = await upload(app, caller, pngImage())
  const voided = await offer({
    sections: [
      { type: 'text', text: 'For Zebulonia.' },
      { type: 'image', storageUrl, alt: 'Umbrellaton' },
    ],
  })
  expect(await storedFiles(caller)).toHaveLength(1)
  await create(caller, `/v1/proposals/${voided.id}/void`, { reason: 'Zebulonia called.' })
  const rejected = await offer({})
  expect((await page.decline(rejected, { reason: 'We live in Umbrellaton now.' })).status).toBeLessThan(400)
  const accepted = await offer({ message: 'Thank you.' })
  if (accepts) expect((await page.accept(accepted, { name: 'Z. Q.' })).status).toBeLessThan(400)
  const base = await create(caller, '/v1/bases', { name: 'Handbook' })
  for (const query of [
    'Did Quarkworth   Zebulonia call?',
    'Who has the number 020 7946 0018?',
    'Whose number is 020 7946 0999?',
    'Who is second@quarkworth.example?',
    'When do you open?',
  ])
    await create(caller, `/v1/bases/${base.id}/search`, { query })
  await expect.poll(async () => (await mailsWith(['zebulonia'])).length).toBeGreaterThan(2)
  const answers = `select 1 from webhook_attempt where response_body ilike '%zebulonia%'`
  await caller.ctx.retrievals.flush()
  await dispatcher.poll()
  await dispatcher.idle()
  expect((await database.pool.query(answers)).rows.length).toBeGreaterThan(2)
  return { contactId, accepted, voided }
}

/** Planted only in values that the contact had before, or that were suggested for it. */
const former = ['former@zanzibar.example', 'zanzibar-17', 'suggested@zanzibar.example', 'aaliyah xylander', 'merged@zanzibar.example']

interface PlantedElsewhere {
  contactId: string
  mergedId: string
  /** A proposal of somebody else, which had the contact as a recipient. */
  proposalId: string
  importId: string
  /** A contact that was merged with it and separated again. */
  separatedId: string
  /** Sends each request again with its key. */
  repeat: () => Promise<number[]>
  /** Texts about other people, which stay. */
  others: string[]
}

/** Creates a contact with data in records of others, and in logs. */
async function plantElsewhere(caller: Caller): Promise<PlantedElsewhere> {
  const { call } = caller
  await create(caller, '/v1/webhooks', { url: webhooks.url })
  const first = { firstName: 'Aaliyah', lastName: 'Quarkworth', email: 'former@zanzibar.example', externalId: 'zanzibar-17' }
  const { id: contactId } = await create(caller, '/v1/contacts', first)
  await create(caller, `/v1/contacts/${contactId}/verify`, { fields: ['emails'] })
  const agent = { name: 'Agent', scopes: ['contacts:read', 'contacts:write'], agent: true }
  const { token } = await create<{ token: string }>(caller, '/v1/tokens', agent)
  const suggestion = { emails: [{ value: 'suggested@zanzibar.example' }] }
  await call('PATCH', `/v1/contacts/${contactId}`, suggestion, { authorization: `Bearer ${token}` })
  expect((await call('PATCH', `/v1/contacts/${contactId}`, { ...zebulonia, externalId: 'zanzibar-18' })).status).toBe(200)
  const { id: mergedId } = await create(caller, '/v1/contacts', { lastName: 'Xylander', email: 'merged@zanzibar.example' })
  await create(caller, `/v1/contacts/${contactId}/merge`, { otherIds: [mergedId] })
  const { id: separatedId } = await create(caller, '/v1/contacts', { email: 'separated@example.com' })
  await create(caller, `/v1/contacts/${separatedId}/merge`, { otherIds: [contactId] })
  await create(caller, `/v1/contacts/${separatedId}/unmerge`, { mergedId: contactId })

  const { id: otherId } = await create(caller, '/v1/contacts', { email: 'other@example.com' })
  const offer = { title: 'Ten bikes', contactId: otherId, totalAmount: '9', draft: true, recipients: [{ role: 'copy', contactId }] }
  const { id: proposalId } = await create(caller, '/v1/proposals', offer)
  expect((await call('PATCH', `/v1/proposals/${proposalId}`, { recipients: [] })).status).toBe(200)

  const file = `Given name,Family name,Email\nAaliyah,Xylander,nothing\n,,former@zanzibar.example at home\nOlga,Stranger,none\n`
  const run = async (options: object) =>
    imports.ended(caller, await imports.started(caller, await imports.upload(caller, file, 'Zebulonia Quarkworth.csv'), options))
  await run({ dryRun: true })
  const { id: importId } = await run({})

  await create(caller, '/v1/contact-views', { name: 'Zebulonia Quarkworth', sort: '-createdAt', columns: ['email'] })
  await create(caller, '/v1/proposal-list-views', { name: 'Hers', filter: { contactId }, sort: '-createdAt' })
  await create(caller, '/v1/source-views', { name: 'Old ones', q: 'former@zanzibar.example', sort: '-createdAt' })
  const keyed = [
    ['/v1/contacts/batch', { matchOn: 'email', contacts: [{ email: 'second@quarkworth.example', jobTitle: 'Chair' }] }],
    ['/v1/tools/save_contact', { email: zebulonia.email, firstName: zebulonia.firstName }],
    ['/v1/contact-views', { name: 'suggested@zanzibar.example', sort: '-createdAt', columns: ['email'] }],
  ] as const
  const send = () => Promise.all(keyed.map(([path, body], at) => call('POST', path, body, { 'idempotency-key': `elsewhere-${at}` })))
  for (const { status, body } of await send()) expect([status < 300, body]).toEqual([true, body])

  const base = await create(caller, '/v1/bases', { name: 'Handbook' })
  const others = ['Who is olga@example.com?', 'Is it joaaliyah xylanders?', 'Who is aformer@zanzibar.example.com?']
  for (const query of [...former, contactId, mergedId, ...others]) await create(caller, `/v1/bases/${base.id}/search`, { query })
  await caller.ctx.retrievals.flush()
  await dispatcher.poll()
  await dispatcher.idle()
  return { contactId, mergedId, proposalId, importId, separatedId, repeat: async () => (await send()).map(({ status }) => status), others }
}

describe('POST /v1/contacts/{id}/erase', () => {
  it('removes a contact from records of others, with values that it had before', async () => {
    const caller = await organization()
    const { contactId, mergedId, proposalId, importId, separatedId, repeat, others } = await plantElsewhere(caller)
    const texts = [...planted, 'zanzibar', 'xylander', contactId.slice(4), mergedId.slice(4)]
    const { rows: views } = await database.pool.query(
      `select id from contact_view where organization_id = $1 union all select id from proposal_list_view where organization_id = $1
       union all select id from source_view where organization_id = $1`,
      [caller.organizationId],
    )
    expect(views).toHaveLength(4)
    const before = await tablesWith(texts)
    const places = [
      'contact_change',
      'contact_import',
      'contact_import_error',
      'event',
      'proposal_list_view',
      'retrieval',
      'source_view',
      'upload',
    ]
    expect(before).toEqual(expect.arrayContaining(places.map((table) => `public.${table}`)))

    const { body: exported } = await caller.call('GET', `/v1/contacts/${contactId}/export`)
    const { imports: itsImports, failedRows, savedViews, searches: itsSearches } = exported
    expect([itsImports, failedRows, savedViews, itsSearches].map(({ length }) => length)).toEqual([2, 4, 4, 7])
    expect(exported.mergedContacts).toMatchObject([{ id: mergedId, email: 'merged@zanzibar.example' }])
    expect(exported.duplicates).toContainEqual(expect.objectContaining({ contactId: separatedId, status: 'dismissed' }))
    expect(exported.events.map(({ data }: { data: { id: string } }) => data.id)).toContain(proposalId)
    const histories = new Set(exported.history.map((change: { contactId: string }) => change.contactId))
    expect(histories).toEqual(new Set([contactId, mergedId, separatedId]))

    // The job that deletes the files can be late.
    await database.pool.query(`update upload set expires_at = now() - interval '2 hours' where organization_id = $1`, [
      caller.organizationId,
    ])
    const { body: receipt } = await caller.call('POST', `/v1/contacts/${contactId}/erase`)
    expect(Object.fromEntries(receipt.erased.map(({ kind, count }: { kind: string; count: number }) => [kind, count]))).toMatchObject({
      merged_contacts: 1,
      imports: 6,
      saved_views: 4,
      searches: 7,
    })
    expect(await repeat()).toEqual([409, 409, 409])
    expect(await tablesWith([...planted, ...former, 'zanzibar-18'])).toEqual(['public.retrieval'])
    const { data: entries } = (await caller.call('GET', `/v1/audit?limit=100`)).body
    const deleted = entries.filter(({ action }: { action: string }) => action.endsWith('_view.deleted'))
    expect(deleted.map(({ action }: { action: string }) => action).toSorted()).toEqual([
      'contact_view.deleted',
      'contact_view.deleted',
      'proposal_list_view.deleted',
      'source_view.deleted',
    ])
    const { data: bases } = (await caller.call('GET', '/v1/bases')).body
    const { data: searches } = (await caller.call('GET', `/v1/bases/${bases[0].id}/retrievals`)).body
    expect(searches.map(({ query }: { query: string }) => query).toSorted()).toEqual(others.toSorted())
    const errors = await imports.errorsOf(caller, (await caller.call('GET', `/v1/contact-imports/${importId}`)).body)
    expect(errors).toContain('Stranger')
    expect(receipt.kept).toContainEqual(expect.objectContaining({ kind: 'import_files', count: 2 }))
    const { data: events } = (await caller.call('GET', '/v1/events?limit=100')).body
    expect(events.find(({ data }: { data: { id: string } }) => data.id === proposalId)).toMatchObject({
      data: { title: '', recipients: [] },
    })
    expect((await caller.call('GET', `/v1/contacts/${separatedId}`)).body).toMatchObject({ email: 'separated@example.com' })
  })

  it('removes every trace of a contact without accepted proposals, as the dry run says', async () => {
    const caller = await organization()
    const { contactId, voided } = await plant(caller, { accepts: false })
    const erase = `/v1/contacts/${contactId}/erase`
    const before = await tablesWith(planted)
    // The responses to dry runs are erased too.
    await caller.call('POST', erase, { dryRun: true }, { 'idempotency-key': 'dry-run-1' })
    const dry = (await caller.call('POST', erase, { dryRun: true }, { 'idempotency-key': 'dry-run-2' })).body
    expect(dry).toMatchObject({ contactId, dryRun: true, erasedAt: null })
    expect(await tablesWith(planted)).toEqual(before)
    expect((await caller.call('GET', `/v1/contacts/${contactId}`)).body).toMatchObject(zebulonia)

    const { status, body: receipt } = await caller.call('POST', erase)
    expect(status).toBe(200)
    const withoutTimes = ({ kept, erased }: { kept: object[]; erased: object[] }) => ({
      erased,
      kept: kept.map((each) => ({ ...each, until: null })),
    })
    expect(receipt).toMatchObject({ contactId, dryRun: false, erasedAt: expect.any(String) })
    expect(withoutTimes(receipt)).toEqual(withoutTimes(dry))
    expect(Object.fromEntries(receipt.erased.map(({ kind, count }: { kind: string; count: number }) => [kind, count]))).toMatchObject({
      contact: 1,
      activities: 1,
      consents: 1,
      changes: 1,
      draft_proposals: 1,
      voided_proposals: 2,
      recipients: 4,
      questions: 1,
      proposal_texts: 4,
      searches: 4,
    })
    expect(await tablesWith(planted)).toEqual([])
    await expect.poll(() => mailsWith(planted)).toEqual([])
    await expect.poll(() => storedFiles(caller)).toEqual([])
    const { data: searches } = (await caller.call('GET', '/v1/bases')).body
    expect((await caller.call('GET', `/v1/bases/${searches[0].id}/retrievals`)).body.data).toHaveLength(1)
    expect((await caller.call('GET', `/v1/proposals/${voided.id}`)).body).toMatchObject({ title: 'Six bikes', message: null, sections: [] })
    expect((await caller.call('GET', `/v1/proposals/${voided.id}/pdf`)).status).toBe(200)
    expect(receipt.kept.map(({ kind }: { kind: string }) => kind)).toEqual([
      'other_proposals',
      'audit_entries',
      'database_files',
      'backups',
    ])
  })

  it('keeps what proves an acceptance', async () => {
    const caller = await organization()
    const { contactId, accepted } = await plant(caller, { accepts: true })
    const { body: receipt } = await caller.call('POST', `/v1/contacts/${contactId}/erase`)
    expect(receipt.kept).toContainEqual({ kind: 'accepted_proposals', count: 1, reason: 'They are contracts.', until: null })
    const tables = await tablesWith(planted)
    expect(tables).toContain('public.proposal_recipient')
    const proof = ['certificate', 'proposal', 'proposal_acceptance', 'proposal_recipient', 'proposal_signature']
    expect(tables.filter((table) => !proof.includes(table.replace('public.', '')))).toEqual([])
    expect((await caller.call('GET', `/v1/proposals/${accepted.id}`)).body).toMatchObject({
      status: 'completed',
      recipients: [{ name: 'Zebulonia Quarkworth', email: zebulonia.email }],
    })
    const { body: events } = await caller.call('GET', '/v1/events?limit=100')
    expect(events.data[0]).toMatchObject({ type: 'contact.erased', data: { id: contactId, email: null } })
    expect(JSON.stringify(events).toLowerCase()).not.toMatch(/zebulonia|quarkworth/)
    // The number of the next test must not be found in this organization.
    await database.pool.query('update proposal_recipient set name = null, email = null')
  })

  it('is final, and stays within the organization', async () => {
    const [caller, stranger] = [await organization(), await organization()]
    const contact = { ...zebulonia, externalId: null }
    const { id } = await create(caller, '/v1/contacts', contact)
    const key = `key-${keys}`
    const other = await create(caller, '/v1/contacts', { email: 'other@example.com' })
    const namesake = await create(stranger, '/v1/contacts', zebulonia)
    expect((await stranger.call('POST', `/v1/contacts/${id}/erase`)).status).toBe(404)
    expect((await caller.call('DELETE', `/v1/contacts/${id}`)).status).toBe(204)
    const { id: baseId } = await create(caller, '/v1/bases', { name: 'B' })
    const limited = await create<{ token: string }>(caller, '/v1/tokens', { name: 'L', scopes: ['contacts:write'], baseIds: [baseId] })
    const refused = await caller.call('POST', `/v1/contacts/${id}/erase`, {}, { authorization: `Bearer ${limited.token}` })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
    expect((await caller.call('POST', `/v1/contacts/${id}/erase`)).body.erased).toContainEqual({ kind: 'contact', count: 1 })
    expect((await caller.call('POST', '/v1/contacts', contact, { 'idempotency-key': key })).status).toBe(409)
    for (const path of ['/erase', '/restore']) expect((await caller.call('POST', `/v1/contacts/${id}${path}`)).status).toBe(404)
    expect((await caller.call('GET', `/v1/contacts/${other.id}`)).status).toBe(200)
    expect((await stranger.call('GET', `/v1/contacts/${namesake.id}`)).body).toMatchObject(zebulonia)
  })

  it('is final if a proposal keeps the row of the contact', async () => {
    const caller = await organization()
    const { id } = await create(caller, '/v1/contacts', { email: 'left@example.com', jobTitle: 'Cook' })
    const agent = { name: 'Agent', scopes: ['contacts:read', 'contacts:write'], agent: true }
    const { token } = await create<{ token: string }>(caller, '/v1/tokens', agent)
    await database.pool.query(`update contact_change set actor_type = 'user', how = 'typed' where contact_id = $1`, [id.slice(4)])
    const write = await caller.call('PATCH', `/v1/contacts/${id}`, { jobTitle: 'Chef' }, { authorization: `Bearer ${token}` })
    expect(write.body.suggestions).toHaveLength(1)
    await create(caller, '/v1/proposals', { title: 'T', contactId: id, totalAmount: '1' })
    await create(caller, `/v1/contacts/${id}/erase`, {})

    expect((await caller.call('POST', `/v1/contacts/${id}/restore`)).status).toBe(404)
    expect((await caller.call('GET', '/v1/contacts/deleted')).body.data).toEqual([])
    const bulk = await caller.call('POST', '/v1/contacts/bulk', { contactIds: [id], restore: true, dryRun: true })
    expect([bulk.status, bulk.body.error?.field]).toEqual([422, 'contactIds.0'])
    const { id: jobId } = await create(caller, '/v1/contacts/bulk', { filter: { key: 'id', eq: id }, restore: true })
    const job = async () => (await caller.call('GET', `/v1/contact-jobs/${jobId}`)).body
    await expect.poll(async () => (await job()).status, { timeout: 60_000 }).toBe('completed')
    expect(await job()).toMatchObject({ progress: { total: 0 }, counts: { restored: 0 } })
    const events = await caller.call('GET', '/v1/events?type=suggestion.created')
    expect([events.status, events.body.data]).toMatchObject([200, [{ data: { contactId: id, value: null, present: null } }]])
  })

  it('works with If-Match, and reaches searches that are not written yet', async () => {
    const caller = await organization()
    const { id } = await create(caller, '/v1/contacts', { email: 'hasty@example.com' })
    const base = await create(caller, '/v1/bases', { name: 'B' })
    await create(caller, `/v1/bases/${base.id}/search`, { query: 'Who is hasty@example.com?' })
    const { headers } = await caller.call('GET', `/v1/contacts/${id}`)
    const { status } = await caller.call('POST', `/v1/contacts/${id}/erase`, {}, { 'if-match': String(headers['etag']) })
    expect(status).toBe(200)
    await caller.ctx.retrievals.flush()
    await expect.poll(() => tablesWith(['hasty@example.com'])).toEqual([])
  })

  // The embedded engine runs one transaction at a time.
  it.skipIf(inject('serverUrl') === '')('reaches a proposal that is created while it waits for the contact', async () => {
    const caller = await organization()
    const { id } = await create(caller, '/v1/contacts', { email: 'late@example.com' })
    const holder = await database.pool.connect()
    await holder.query('begin')
    await holder.query('select from contact where id = $1 for share', [id.slice(4)])
    const erasure = caller.call('POST', `/v1/contacts/${id}/erase`)
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%from "contact"%for update%'`
    await expect.poll(async () => (await database.pool.query(waiting)).rows.length).toBe(1)
    const proposal = await create(caller, '/v1/proposals', { title: 'T', contactId: id, totalAmount: '1' })
    await holder.query('commit')
    holder.release()
    expect((await erasure).body.erased).toContainEqual({ kind: 'voided_proposals', count: 1 })
    expect((await caller.call('GET', `/v1/proposals/${proposal.id}`)).body).toMatchObject({ status: 'voided' })
  })
})

describe('an erasure that deadlocks with another transaction', () => {
  // The embedded engine has one session, so transactions never wait for each other's locks.
  it.skipIf(inject('serverUrl') === '').each([
    ['without a key', {}],
    ['with a key', { 'idempotency-key': 'deadlock' }],
  ])('is repeated, %s', async (_, headers) => {
    const caller = await organization()
    const { id } = await create(caller, '/v1/contacts', { email: 'deadlock@example.com' })
    await create(caller, `/v1/contacts/${id}/activities`, { type: 'note', text: 'Asked for six bikes.' })
    await create(caller, `/v1/contacts/${id}/consent`, { channel: 'phone', state: 'granted', source: 'Call' })
    const contactId = id.slice(4)
    const lock = async (table: 'activity' | 'consent_change') => {
      const client = await database.pool.connect()
      await client.query('begin')
      await client.query(`select from ${table} where contact_id = $1 for update`, [contactId])
      return client
    }
    const waiting = async (): Promise<number> => {
      const sql =
        'select count(distinct pid)::int as count from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()'
      return (await database.pool.query<{ count: number }>(sql)).rows[0]?.count ?? 0
    }
    const [first, second] = [await lock('activity'), await lock('consent_change')]
    const erasure = caller.call('POST', `/v1/contacts/${id}/erase`, {}, headers)
    await expect.poll(waiting).toBe(1)
    // Waits for the erasure, which then waits for it.
    const locked = second.query('select from contact where id = $1 for update', [contactId])
    await expect.poll(waiting).toBe(2)
    // PostgreSQL looks for a deadlock once, a second after a wait began: after this, only the erasure can find it, unless the machine is
    // so busy that the other one has not looked yet. It ends its transaction then.
    await delay(3000)
    await first.query('commit')
    await locked.then(
      () => second.query('commit'),
      () => second.query('rollback'),
    )
    for (const client of [first, second]) client.release()
    expect((await erasure).status).toBe(200)
    expect((await caller.call('GET', `/v1/contacts/${id}`)).status).toBe(404)
  })
})
