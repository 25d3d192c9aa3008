import type { Contact, ContactJob } from '@groundwork/api'
import { describe, expect, it, vi } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp } from '../testing/app.ts'
import { person } from '../testing/people.ts'
import { upload } from '../testing/sources.ts'

const service = await testApp({ worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) } })
const { app, organization, database } = service

/** Returns an organization with an owner and the token of an agent. */
async function withAgent() {
  const caller = await organization()
  const scopes = ['contacts:read', 'contacts:write', 'events:read', 'tokens:write']
  const { body: token } = await caller.call('POST', '/v1/tokens', { name: 'Voice agent', scopes, agent: true })
  const agent = (method: string, path: string, body?: object) => caller.call(method, path, body, { authorization: `Bearer ${token.token}` })
  const owner = (await person(service, { [caller.organizationId]: 'owner' })).of(caller.organizationId)
  const create = async (body: object): Promise<Contact> => (await owner('POST', '/v1/contacts', body)).body
  const read = async (id: string): Promise<Contact> => (await owner('GET', `/v1/contacts/${id}`)).body
  const history = async (id: string) => (await owner('GET', `/v1/contacts/${id}/history`)).body.data
  const start = async (body: object, path = '/v1/contacts/revert'): Promise<ContactJob> => {
    const answer = await owner('POST', path, body)
    expect([answer.status, answer.body]).toEqual([201, expect.anything()])
    return answer.body
  }
  const ended = async ({ id }: ContactJob): Promise<ContactJob> => {
    const job = async (): Promise<ContactJob> => (await owner('GET', `/v1/contact-jobs/${id}`)).body
    await vi.waitUntil(async () => !['queued', 'running'].includes((await job()).status), { timeout: 120_000 })
    return job()
  }
  const revert = async (body: object = { actorId: token.id }): Promise<ContactJob> => ended(await start(body))
  const bulk = async (body: object): Promise<ContactJob> => ended(await start(body, '/v1/contacts/bulk'))
  const kept = async ({ id }: ContactJob) => (await owner('GET', `/v1/contact-jobs/${id}/kept`)).body.data
  return { ...caller, agent, owner, token, create, read, history, start, ended, revert, bulk, kept }
}

const nothing = {
  changed: 0,
  deleted: 0,
  restored: 0,
  unchanged: 0,
  valuesReverted: 0,
  valuesKept: 0,
  contactsKept: 0,
  suggestionsDismissed: 0,
}

/** Contacts without the time of their last change. */
const values = (contacts: Contact[]) => contacts.map((contact) => ({ ...contact, updatedAt: '' }))

describe('the revert of what an author wrote', () => {
  it('gives values their former ones, deletes created contacts, and keeps what others changed since', async () => {
    const at = await withAgent()
    const plain = await at.create({ email: 'a@example.com' })
    const changed = await at.create({ email: 'b@example.com', source: 'fair' })
    const verified = await at.create({ email: 'c@example.com' })
    await at.agent('PATCH', `/v1/contacts/${plain.id}`, {
      jobTitle: 'Cook',
      tags: ['x'],
      emails: [{ value: 'a@example.com' }, { value: 'a2@example.com' }],
    })
    await at.agent('PATCH', `/v1/contacts/${plain.id}`, { jobTitle: 'Chef' })
    await at.agent('PATCH', `/v1/contacts/${changed.id}`, { jobTitle: 'Cook', language: 'de' })
    await at.owner('PATCH', `/v1/contacts/${changed.id}`, { jobTitle: 'Buyer' })
    await at.agent('PATCH', `/v1/contacts/${verified.id}`, { jobTitle: 'Cook' })
    await at.owner('POST', `/v1/contacts/${verified.id}/verify`, { fields: ['jobTitle'] })
    const created = (await at.agent('POST', '/v1/contacts', { email: 'new@example.com' })).body
    const used = (await at.agent('POST', '/v1/contacts', { email: 'used@example.com', jobTitle: 'Cook', language: 'de' })).body
    await at.owner('POST', `/v1/contacts/${used.id}/activities`, { type: 'note', text: 'Called.' })
    await at.owner('PATCH', `/v1/contacts/${used.id}`, { language: 'en' })
    const events = async () => (await at.owner('GET', '/v1/events?limit=100')).body.data.length
    const before = await events()

    const dryRun = await at.revert({ actorId: at.token.id, dryRun: true })
    expect(dryRun).toMatchObject({ status: 'completed', dryRun: true, progress: { done: 5, total: 5 } })
    expect([await events(), (await at.read(plain.id)).jobTitle]).toEqual([before, 'Chef'])
    const job = await at.revert()
    expect(job).toEqual({
      ...dryRun,
      id: job.id,
      dryRun: false,
      counts: { ...nothing, changed: 3, deleted: 1, unchanged: 1, valuesReverted: 5, valuesKept: 4, contactsKept: 1 },
      createdAt: expect.any(String),
      endedAt: expect.any(String),
      createdBy: { type: 'user', id: expect.stringMatching(/^usr_/), name: expect.any(String) },
    })
    expect(dryRun.counts).toEqual(job.counts)
    expect(values([await at.read(plain.id)])).toEqual(values([plain]))
    expect(await at.read(changed.id)).toMatchObject({ jobTitle: 'Buyer', language: null, source: 'fair' })
    expect(await at.read(verified.id)).toMatchObject({ jobTitle: 'Cook' })
    expect((await at.owner('GET', `/v1/contacts/${created.id}`)).status).toBe(404)
    expect(await at.read(used.id)).toMatchObject({ email: 'used@example.com', jobTitle: null, language: 'en' })
    const changeOf = async (id: string) => (await at.history(id)).find(({ how }: { how: string }) => how !== 'reverted')?.id
    const list = await at.kept(job)
    expect(list).toEqual(
      expect.arrayContaining([
        {
          contactId: changed.id,
          field: 'jobTitle',
          reason: 'changed',
          changeId: await changeOf(changed.id),
          createdAt: expect.any(String),
        },
        {
          contactId: verified.id,
          field: 'jobTitle',
          reason: 'verified',
          changeId: await changeOf(verified.id),
          createdAt: expect.any(String),
        },
        { contactId: used.id, field: null, reason: 'used', changeId: null, createdAt: expect.any(String) },
        expect.objectContaining({ contactId: used.id, field: 'language', reason: 'changed' }),
        expect.objectContaining({ contactId: used.id, field: 'emails', reason: 'required' }),
      ]),
    )
    expect([list.length, (await at.kept(dryRun)).length]).toEqual([5, 5])
    expect((await at.history(plain.id))[0]).toMatchObject({ how: 'reverted', reference: job.id, createdBy: job.createdBy })
    expect(
      (await at.owner('GET', '/v1/events?limit=100')).body.data
        .slice(0, 5)
        .map(({ type }: { type: string }) => type)
        .toSorted(),
    ).toEqual(['contact.deleted', 'contact.updated', 'contact.updated', 'contact.updated', 'contact_job.completed'])
    expect(await events()).toBe(before + 5)
    // Everything is undone already.
    expect((await at.revert()).counts).toMatchObject({ changed: 0, deleted: 0, valuesReverted: 0, valuesKept: 4, contactsKept: 1 })
    expect((await at.owner('GET', '/v1/contact-jobs')).body.data).toHaveLength(3)
  })

  it('leaves 1,000 contacts as they were, of which 300 have verified values that the agent could not replace', async () => {
    const at = await withAgent()
    const batches = (contacts: object[]) => Array.from({ length: 10 }, (_, index) => contacts.slice(index * 100, index * 100 + 100))
    const emails = Array.from({ length: 1000 }, (_, index) => `${index}@example.com`)
    const given = emails.map((email, index) => ({
      email,
      ...(index < 300 && { jobTitle: 'Cook' }),
      ...(index > 800 && { source: 'fair' }),
    }))
    for (const contacts of batches(given)) await at.call('POST', '/v1/contacts/batch', { matchOn: 'email', contacts })
    const rowsOf = async (query: string) => (await database.pool.query(query, [at.organizationId])).rows
    for (const { id } of await rowsOf(`select id from contact where organization_id = $1 and job_title is not null`))
      expect((await at.owner('POST', `/v1/contacts/${id}/verify`, { fields: ['jobTitle'] })).status).toBe(200)
    const shown = async (): Promise<Contact[]> => {
      const contacts: Contact[] = []
      for (let cursor: string | null | undefined; cursor !== null;) {
        const { body } = await at.owner('POST', '/v1/contacts/search', { limit: 100, ...(cursor !== undefined && { cursor }) })
        contacts.push(...body.data.map(({ contact }: { contact: Contact }) => contact))
        cursor = body.nextCursor
      }
      return values(contacts)
    }
    const statuses = () =>
      rowsOf(`select status, count(*)::integer as n from contact_suggestion where organization_id = $1 group by status`)
    const before = await shown()
    expect(before).toHaveLength(1000)
    const written = emails.map((email) => ({ email, jobTitle: 'Buyer' }))
    for (const contacts of batches(written))
      expect((await at.agent('POST', '/v1/contacts/batch', { matchOn: 'email', contacts })).status).toBe(200)
    expect(await statuses()).toEqual([{ status: 'pending', n: 300 }])
    const dryRun = await at.revert({ actorId: at.token.id, dryRun: true })
    expect(await statuses()).toEqual([{ status: 'pending', n: 300 }])
    const job = await at.revert()
    expect(job.counts).toEqual({ ...nothing, changed: 700, unchanged: 300, valuesReverted: 700, suggestionsDismissed: 300 })
    expect(dryRun.counts).toEqual(job.counts)
    expect(await statuses()).toEqual([{ status: 'dismissed', n: 300 }])
    expect(await shown()).toEqual(before)
    expect(await at.kept(job)).toEqual([])
  })

  it('gives values their origin again', async () => {
    const at = await withAgent()
    const { id } = (await at.call('POST', '/v1/contacts', { email: 'a@example.com', jobTitle: 'Cook', source: 'fair' })).body
    await at.owner('PATCH', `/v1/contacts/${id}`, { jobTitle: 'Chef' })
    const other = (await at.call('POST', '/v1/tokens', { name: 'Sync', scopes: ['contacts:write'] })).body
    const sync = (body: object) => at.call('PATCH', `/v1/contacts/${id}`, body, { authorization: `Bearer ${other.token}` })
    await sync({ jobTitle: 'X', source: 'x' })
    await sync({ jobTitle: 'Y', source: 'y' })
    expect((await at.revert({ actorId: other.id })).counts).toMatchObject({ changed: 1, valuesReverted: 2 })
    // The agent can replace the value of a program, and not the one that a person typed.
    const { body } = await at.agent('PATCH', `/v1/contacts/${id}`, { jobTitle: 'Agent', source: 'agent' })
    expect(body).toMatchObject({ jobTitle: 'Chef', source: 'agent', suggestions: [{ field: 'jobTitle' }] })
  })

  it('gives consents their former state by new entries, except for those that others recorded since', async () => {
    const at = await withAgent()
    const [a, b, c] = [
      await at.create({ email: 'a@example.com' }),
      await at.create({ email: 'b@example.com' }),
      await at.create({ phone: '+442079460018' }),
    ]
    const record = (call: typeof at.agent, { id }: Contact, state: string) =>
      call('POST', `/v1/contacts/${id}/consent`, { channel: 'sms', state, source: 'call' })
    await record(at.owner, a, 'granted')
    for (const each of [a, b, c]) expect((await record(at.agent, each, 'denied')).status).toBe(200)
    await record(at.owner, c, 'granted')
    const created = (await at.agent('POST', '/v1/contacts', { email: 'new@example.com' })).body
    await record(at.agent, created, 'granted')
    const job = await at.revert()
    expect(job.counts).toEqual({ ...nothing, changed: 2, deleted: 1, unchanged: 1, valuesReverted: 2, valuesKept: 1 })
    expect(await at.kept(job)).toMatchObject([{ contactId: c.id, field: 'consent.sms', reason: 'changed' }])
    const states = () => Promise.all([a, b, c].map(async ({ id }) => (await at.read(id)).consent?.sms))
    expect(await states()).toEqual(['granted', 'unknown', 'granted'])
    expect((await at.revert()).counts).toMatchObject({ changed: 0, valuesReverted: 0 })

    // A person can revert their own consents: the new entries have the same author.
    const { createdBy } = job
    await at.revert({ actorId: createdBy?.id })
    expect((await at.revert({ actorId: createdBy?.id })).counts).toMatchObject({ changed: 0, valuesReverted: 0 })
  })

  it('reverts only changes since a time, and an import', async () => {
    const at = await withAgent()
    const known = await at.create({ email: 'a@example.com', tags: ['lead'] })
    const storageUrl = await upload(app, at, Buffer.from('email,Job Title,Tags\na@example.com,Cook,vip\nb@example.com,Chef,\n'))
    const { body: run } = await at.owner('POST', '/v1/contact-imports', { storageUrl })
    await vi.waitUntil(async () => (await at.owner('GET', `/v1/contact-imports/${run.id}`)).body.status === 'completed', {
      timeout: 120_000,
    })
    // A client can name an import as the origin of its own values.
    await at.agent('PATCH', `/v1/contacts/${known.id}`, { language: 'de', provenance: { how: 'imported', reference: run.id } })
    const later = new Date(Date.now() + 1000).toISOString()
    expect((await at.revert({ importId: run.id, since: later })).counts).toEqual(nothing)
    for (const since of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-10:00'])
      expect((await at.revert({ importId: run.id, since, dryRun: true })).status).toBe('completed')
    expect((await at.revert({ importId: run.id })).counts).toMatchObject({ changed: 1, deleted: 1, valuesReverted: 2 })
    expect(await at.read(known.id)).toMatchObject({ tags: ['lead'], jobTitle: null, language: 'de' })
    expect((await at.owner('GET', '/v1/contacts')).body).toHaveLength(1)
  })

  it('deletes an imported contact again after others took their changes back', async () => {
    const at = await withAgent()
    const storageUrl = await upload(app, at, Buffer.from('email,Tags\na@example.com,vip\nb@example.com,vip\nc@example.com,vip\n'))
    const { body: run } = await at.owner('POST', '/v1/contact-imports', { storageUrl })
    await vi.waitUntil(async () => (await at.owner('GET', `/v1/contact-imports/${run.id}`)).body.status === 'completed', {
      timeout: 120_000,
    })
    const imported: Contact[] = (await at.owner('GET', '/v1/contacts')).body
    const change = { contactIds: imported.map(({ id }) => id), addTags: ['fair'], set: { source: 'fair' } }
    const consent = { contactIds: change.contactIds, recordConsent: { channel: 'email', state: 'granted' } }
    for (const body of [change, consent]) await at.revert({ jobId: (await at.bulk(body)).id })
    const [changed, denied] = imported
    await at.owner('PATCH', `/v1/contacts/${changed?.id}`, { tags: ['vip', 'new'] })
    await at.owner('POST', `/v1/contacts/${denied?.id}/consent`, { channel: 'email', state: 'denied' })
    const job = await at.revert({ importId: run.id })
    expect(job.counts).toMatchObject({ deleted: 1, contactsKept: 2 })
    type Kept = { contactId: string; field: string | null; reason: string }
    const kept = (await at.kept(job)).map(({ contactId, field, reason }: Kept) => [contactId, field, reason].join(' '))
    const expected = [
      ...[changed, denied].flatMap((each) => [`${each?.id}  used`, `${each?.id} emails required`]),
      `${changed?.id} tags changed`,
    ]
    expect(kept.toSorted()).toEqual(expected.toSorted())
    expect((await at.read(denied?.id ?? '')).tags).toEqual([])
  })

  it('converts former values to the present type of their custom field', async () => {
    const at = await withAgent()
    const { body: field } = await at.owner('POST', '/v1/custom-fields', { entity: 'contact', name: 'Size', type: 'text' })
    const [a, b] = [
      await at.create({ email: 'a@example.com', customFields: { [field.id]: '12' } }),
      await at.create({ email: 'b@example.com', customFields: { [field.id]: 'large' } }),
    ]
    const job = await at.bulk({ contactIds: [a.id, b.id], set: { customFields: { [field.id]: '50' } } })
    expect((await at.owner('POST', `/v1/custom-fields/${field.id}/convert`, { type: 'number' })).status).toBe(200)
    const name = `customFields.${field.id}`
    const refused = await at.owner('POST', `/v1/contacts/${b.id}/revert`, { fields: [name] })
    expect(refused).toMatchObject({ status: 422, body: { error: { field: name, message: expect.stringContaining('"large"') } } })
    const ended = await at.revert({ jobId: job.id })
    expect(ended.counts).toMatchObject({ changed: 1, valuesReverted: 1, valuesKept: 1 })
    expect(await at.kept(ended)).toMatchObject([{ contactId: b.id, field: name, reason: 'invalid' }])
    expect((await at.read(a.id)).customFields).toEqual({ [field.id]: 12 })
    expect((await at.owner('POST', `/v1/contacts/${a.id}/revert`, { fields: [name] })).body.customFields).toEqual({ [field.id]: 50 })
  })

  it('keeps values that are not possible any more', async () => {
    const at = await withAgent()
    const company = (await at.owner('POST', '/v1/companies', { name: 'C' })).body
    const sync = (await at.call('POST', '/v1/tokens', { name: 'Sync', scopes: ['contacts:write'] })).body
    const write = (contact: Contact, body: object) =>
      at.call('PATCH', `/v1/contacts/${contact.id}`, body, { authorization: `Bearer ${sync.token}` })
    const a = await at.create({ email: 'a@example.com', externalId: '1', companyId: company.id, firstName: 'A', lastName: 'B' })
    const b = await at.create({ email: 'b@example.com', externalId: '2' })
    const c = await at.create({ email: 'c@example.com', externalId: '3', firstName: 'C', lastName: 'D' })
    await write(a, { externalId: 'x', companyId: null })
    await write(b, { externalId: '1' })
    await write(a, { externalId: '2' })
    await write(c, { externalId: null, email: 'c2@example.com', phone: '+4930123456' })
    await write(c, { email: null })
    await at.create({ email: 'd@example.com', externalId: '3' })
    await at.owner('DELETE', `/v1/companies/${company.id}`)
    const job = await at.revert({ actorId: sync.id })
    // Two contacts exchange their externalId.
    expect([(await at.read(a.id)).externalId, (await at.read(b.id)).externalId]).toEqual(['1', '2'])
    expect(await at.read(c.id)).toMatchObject({ externalId: null, email: 'c@example.com', phone: null })
    expect((await at.kept(job)).map(({ field, reason }: { field: string; reason: string }) => [field, reason]).toSorted()).toEqual([
      ['companyId', 'missing'],
      ['externalId', 'taken'],
    ])
  })

  it('continues after an interruption, changes each contact once, and can be cancelled', async () => {
    const at = await withAgent()
    const given = Array.from({ length: 1200 }, (_, index) => ({ email: `${index}@example.com` }))
    for (let from = 0; from < given.length; from += 100)
      await at.agent('POST', '/v1/contacts/batch', { matchOn: 'email', contacts: given.slice(from, from + 100) })
    // Every third batch fails, as if its worker had been killed.
    await database.pool.query(`
      create sequence failing_job_batches;
      create function fail_job_batch() returns trigger language plpgsql security definer as $$ begin
        if nextval('failing_job_batches') % 3 = 0 then raise exception 'killed'; end if;
        return new;
      end $$;
      create trigger fail_job_batch before update of done_contacts on contact_job for each row execute function fail_job_batch();
      grant usage on sequence failing_job_batches to groundwork_app`)
    const job = await at.revert()
    expect(job).toMatchObject({ status: 'completed', progress: { done: 1200, total: 1200 }, counts: { ...nothing, deleted: 1200 } })
    const { rows } = await database.pool.query(
      `select (select count(*)::integer from contact where organization_id = $1 and deleted_at is not null) as deleted,
        (select count(*)::integer from event where type = 'contact.deleted' and organization_id = $1) as events,
        (select count(*)::integer from audit_entry where action = 'contact.deleted' and organization_id = $1) as audited,
        (select count(*)::integer from contact_job_contact where organization_id = $1) as remaining`,
      [at.organizationId],
    )
    expect(rows).toEqual([{ deleted: 1200, events: 1200, audited: 1200, remaining: 0 }])
    await database.pool.query(
      `create or replace function fail_job_batch() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
    )
    await at.agent('POST', '/v1/contacts', { email: 'again@example.com' })
    const other = await at.start({ actorId: at.token.id })
    expect((await at.owner('POST', `/v1/contact-jobs/${other.id}/cancel`)).body).toMatchObject({
      status: 'cancelled',
      progress: { done: 0 },
    })
    await database.pool.query('drop trigger fail_job_batch on contact_job')
    expect(await at.ended(other)).toMatchObject({ status: 'cancelled', counts: nothing })
    expect((await at.owner('POST', `/v1/contact-jobs/${job.id}/cancel`)).status).toBe(409)
  })

  it('is possible for members about their own changes, imports and bulk changes only', async () => {
    const at = await withAgent()
    const [member, other] = [
      await person(service, { [at.organizationId]: 'member' }),
      await person(service, { [at.organizationId]: 'member' }),
    ]
    const [callMember, callOther] = [member.of(at.organizationId), other.of(at.organizationId)]
    const contact = await at.create({ email: 'a@example.com', source: 'web' })
    const change = { contactIds: [contact.id], set: { source: 'fair' } }
    const { body: job } = await callMember('POST', '/v1/contacts/bulk', change)
    await at.ended(job)
    expect(await at.read(contact.id)).toMatchObject({ source: 'fair' })
    const ofOther = (await callOther('POST', '/v1/contacts/revert', { jobId: job.id })).body.error
    expect(ofOther).toMatchObject({ code: 'forbidden' })
    const reverted = await callMember('POST', '/v1/contacts/revert', { jobId: job.id })
    expect(reverted.status).toBe(201)
    await at.ended(reverted.body)
    expect(await at.read(contact.id)).toMatchObject({ source: 'web' })
    const { body: again } = await callMember('POST', '/v1/contacts/bulk', change)
    await at.ended(again)
    const [latest] = await at.history(contact.id)
    const own = { actorId: latest.createdBy.id }
    expect((await callOther('POST', '/v1/contacts/revert', own)).status).toBe(403)
    expect((await callMember('POST', '/v1/contacts/revert', { ...own, dryRun: true })).status).toBe(201)

    const storageUrl = await upload(app, at, Buffer.from('email,Job Title\na@example.com,Cook\n'))
    const { body: run } = await callMember('POST', '/v1/contact-imports', { storageUrl })
    await vi.waitUntil(async () => (await at.owner('GET', `/v1/contact-imports/${run.id}`)).body.status === 'completed', {
      timeout: 120_000,
    })
    expect(await at.read(contact.id)).toMatchObject({ jobTitle: 'Cook' })
    expect((await callOther('POST', '/v1/contacts/revert', { importId: run.id })).status).toBe(403)
    const ofImport = await callMember('POST', '/v1/contacts/revert', { importId: run.id })
    expect(ofImport.status).toBe(201)
    expect((await at.ended(ofImport.body)).counts).toMatchObject({ changed: 1, valuesReverted: 1 })
    expect(await at.read(contact.id)).toMatchObject({ jobTitle: null })
    // An import of a former version names nobody.
    await database.pool.query('update contact_import set actor_type = null, actor_id = null where id = $1', [run.id.slice(4)])
    expect((await callMember('POST', '/v1/contacts/revert', { importId: run.id })).status).toBe(403)
  })

  it('is refused to agents and members, and for unknown authors and imports', async () => {
    const at = await withAgent()
    const member = (await person(service, { [at.organizationId]: 'member' })).of(at.organizationId)
    const body = { actorId: at.token.id }
    expect((await at.agent('POST', '/v1/contacts/revert', body)).status).toBe(403)
    expect((await member('POST', '/v1/contacts/revert', body)).status).toBe(403)
    const stranger = await withAgent()
    for (const [field, wrong] of [
      ['actorId', {}],
      ['importId', { ...body, importId: 'imp_00000000-0000-7000-8000-000000000000' }],
      ['importId', { importId: 'imp_00000000-0000-7000-8000-000000000000' }],
      ['actorId', { actorId: stranger.token.id }],
      ['since', { ...body, since: 'yesterday' }],
    ] as const) {
      const answer = await at.owner('POST', '/v1/contacts/revert', wrong)
      expect([answer.status, answer.body.error.field]).toEqual([422, field])
    }
    const job = await at.start(body)
    for (const path of ['', '/kept']) expect((await stranger.owner('GET', `/v1/contact-jobs/${job.id}${path}`)).status).toBe(404)
    expect((await stranger.owner('POST', `/v1/contact-jobs/${job.id}/cancel`)).status).toBe(404)
  })
})

describe('a bulk change', () => {
  it('changes the contacts that meet a filter, and is reverted exactly, except for later changes', async () => {
    const at = await withAgent()
    const { id: field } = (await at.owner('POST', '/v1/custom-fields', { entity: 'contact', name: 'Size', type: 'text' })).body
    const company = (await at.owner('POST', '/v1/companies', { name: 'C' })).body
    const contacts = [
      await at.create({ email: 'a@example.com', tags: ['fair', 'Old'], customFields: { [field]: 'S' } }),
      await at.create({ email: 'b@example.com', tags: ['fair', 'lead'], source: 'web' }),
      await at.create({ email: 'c@example.com', tags: ['fair', ...Array.from({ length: 49 }, (_, index) => `t${index}`)] }),
      await at.create({ email: 'd@example.com', tags: ['other'] }),
    ]
    const [a, b, c, d] = contacts as [Contact, Contact, Contact, Contact]
    const change = {
      filter: { key: 'tags', eq: 'fair' },
      set: { source: 'fair', companyId: company.id, customFields: { [field]: 'M' } },
      addTags: ['Lead'],
      removeTags: ['old'],
    }
    const dryRun = await at.bulk({ ...change, dryRun: true })
    expect(values([await at.read(a.id)])).toEqual(values([a]))
    const job = await at.bulk(change)
    expect(job).toMatchObject({
      type: 'bulk',
      status: 'completed',
      revert: null,
      change: { action: 'update', fields: ['source', 'customFields', 'companyId'], addTags: ['Lead'], removeTags: ['old'] },
      progress: { done: 3, total: 3 },
      counts: { ...nothing, changed: 3, valuesKept: 1 },
    })
    expect(dryRun.counts).toEqual(job.counts)
    expect(await at.read(a.id)).toMatchObject({
      tags: ['fair', 'Lead'],
      source: 'fair',
      companyId: company.id,
      customFields: { [field]: 'M' },
    })
    expect(await at.read(b.id)).toMatchObject({ tags: ['fair', 'lead'], source: 'fair' })
    expect(await at.read(c.id)).toMatchObject({ tags: c.tags, source: 'fair' })
    expect(values([await at.read(d.id)])).toEqual(values([d]))
    expect(await at.kept(job)).toMatchObject([{ contactId: c.id, field: 'tags', reason: 'invalid' }])
    expect((await at.history(a.id))[0]).toMatchObject({ how: 'typed', reference: job.id, createdBy: job.createdBy })
    expect((await at.bulk(change)).counts).toMatchObject({ changed: 0, unchanged: 3 })
    const { rows } = await database.pool.query(`select settings from contact_job where id = $1`, [job.id.slice(4)])
    expect(Object.keys(rows[0].settings).toSorted()).toEqual(['action', 'addTags', 'fields', 'removeTags'])

    await at.owner('PATCH', `/v1/contacts/${b.id}`, { source: 'friend' })
    const reverted = await at.revert({ jobId: job.id })
    expect(reverted).toMatchObject({ revert: { jobId: job.id }, counts: { changed: 3, valuesKept: 1 } })
    const ends = (await at.owner('GET', '/v1/events?type=contact_job.completed')).body.data
    expect(ends.map(({ data }: { data: ContactJob }) => data.id)).toEqual([reverted.id, expect.any(String), job.id])
    expect(ends[2].data).toEqual({ ...job, change: { ...job.change, addTags: [], removeTags: [] } })
    expect(values([await at.read(a.id), await at.read(c.id)])).toEqual(values([a, c]))
    expect(values([await at.read(b.id)])).toEqual(values([{ ...b, source: 'friend' }]))
    expect((await at.owner('POST', '/v1/contacts/revert', { jobId: reverted.id })).status).toBe(422)
  })

  it('handles its contacts although they change meanwhile, and takes ids', async () => {
    const at = await withAgent()
    const a = await at.create({ email: 'a@example.com', tags: ['x'] })
    const b = await at.create({ email: 'b@example.com', tags: ['x'] })
    // The change itself ends the match.
    expect((await at.bulk({ filter: { key: 'tags', eq: 'x' }, removeTags: ['x'] })).counts).toMatchObject({ changed: 2 })
    const job = await at.bulk({ contactIds: [a.id, b.id, a.id], set: { ownerId: null, doNotContact: true } })
    expect(job).toMatchObject({ progress: { done: 2, total: 2 }, counts: { changed: 2 } })
    expect(await at.read(b.id)).toMatchObject({ doNotContact: true })
  })

  it('deletes and restores, and is reverted, except for contacts that others deleted or changed since', async () => {
    const at = await withAgent()
    const a = await at.create({ email: 'a@example.com', tags: ['x'], externalId: '1' })
    const b = await at.create({ email: 'b@example.com', tags: ['x'] })
    const c = await at.create({ email: 'c@example.com', tags: ['x'], externalId: '3' })
    const filter = { key: 'tags', eq: 'x' }
    const states = async () => {
      const { rows } = await database.pool.query('select email from contact where organization_id = $1 and deleted_at is null order by 1', [
        at.organizationId,
      ])
      return rows.map(({ email }) => email)
    }
    const pending = (await at.owner('POST', '/v1/proposals', { title: 'T', contactId: b.id, totalAmount: '5' })).body
    expect((await at.bulk({ filter, delete: true, dryRun: true })).counts).toEqual({ ...nothing, deleted: 3 })
    expect(await states()).toHaveLength(3)
    const deletion = await at.bulk({ filter, delete: true })
    expect(deletion).toMatchObject({ change: { action: 'delete' }, counts: { ...nothing, deleted: 3 } })
    expect(await states()).toEqual([])
    await vi.waitUntil(async () => (await at.owner('GET', `/v1/proposals/${pending.id}`)).body.status === 'voided', { timeout: 120_000 })
    await at.create({ email: 'd@example.com', externalId: '3' })
    const dryRun = await at.revert({ jobId: deletion.id, dryRun: true })
    const reverted = await at.revert({ jobId: deletion.id })
    expect(reverted.counts).toEqual({ ...nothing, restored: 2, unchanged: 1, valuesKept: 1 })
    expect(dryRun.counts).toEqual(reverted.counts)
    expect(await at.kept(reverted)).toMatchObject([{ contactId: c.id, field: 'externalId', reason: 'taken' }])
    expect(await at.read(a.id)).toEqual(a)
    expect(await states()).toEqual(['a@example.com', 'b@example.com', 'd@example.com'])

    await at.owner('DELETE', `/v1/contacts/${a.id}`)
    await at.owner('DELETE', `/v1/contacts/${b.id}`)
    expect((await at.owner('POST', '/v1/contacts/bulk', { contactIds: [a.id], addTags: ['y'] })).status).toBe(422)
    const restoration = await at.bulk({ contactIds: [a.id, b.id], restore: true })
    expect(restoration.counts).toEqual({ ...nothing, restored: 2 })
    const restored = (await at.owner('GET', '/v1/events?type=contact.restored')).body.data.slice(0, 2)
    expect(restored.map(({ data }: { data: { id: string } }) => data.id).toSorted()).toEqual([a.id, b.id].toSorted())
    await at.owner('PATCH', `/v1/contacts/${b.id}`, { jobTitle: 'Cook' })
    const again = await at.revert({ jobId: restoration.id })
    expect(again.counts).toEqual({ ...nothing, deleted: 1, unchanged: 1, contactsKept: 1 })
    expect(await at.kept(again)).toMatchObject([{ contactId: b.id, field: null, reason: 'used' }])
    expect(await states()).toEqual(['b@example.com', 'd@example.com'])
    const events = (await at.owner('GET', '/v1/events?type=contact.deleted')).body.data
    expect(events).toHaveLength(6)
  })

  it('records consent, once for each contact, and is reverted by new entries', async () => {
    const at = await withAgent()
    const a = await at.create({ email: 'a@example.com', tags: ['x'] })
    const b = await at.create({ email: 'b@example.com', tags: ['x'] })
    const c = await at.create({ email: 'c@example.com', tags: ['x'] })
    const record = (contact: Contact, body: object) => at.owner('POST', `/v1/contacts/${contact.id}/consent`, body)
    const present = async (contact: Contact) => (await at.owner('GET', `/v1/contacts/${contact.id}/consent`)).body.email
    const given = { channel: 'email', state: 'granted', source: 'website form', wording: 'Yes.' }
    await record(a, given)
    await record(b, { channel: 'email', state: 'denied', source: 'call' })
    const pending = (await at.owner('POST', '/v1/proposals', { title: 'T', contactId: c.id, totalAmount: '5' })).body
    const change = {
      filter: { key: 'tags', eq: 'x' },
      recordConsent: { channel: 'email', state: 'denied', source: 'unsubscribe list', wording: 'No.' },
    }
    const dryRun = await at.bulk({ ...change, dryRun: true })
    expect(dryRun.counts).toEqual({ ...nothing, changed: 3 })
    expect((await present(a)).state).toBe('granted')
    const job = await at.bulk(change)
    expect(job).toMatchObject({
      counts: dryRun.counts,
      change: { action: 'record_consent', fields: [], consent: { channel: 'email', state: 'denied' } },
    })
    expect(await present(a)).toMatchObject({
      state: 'denied',
      source: 'unsubscribe list',
      wording: 'No.',
      reference: job.id,
      at: job.createdAt,
      createdBy: job.createdBy,
    })
    expect((await at.read(c.id)).consent).toMatchObject({ email: 'denied', phone: 'unknown' })
    expect((await at.owner('GET', `/v1/proposals/${pending.id}`)).body.delivery).toMatchObject({ state: 'withheld' })
    const counted = async (action: string) =>
      (await at.owner('GET', '/v1/audit?limit=100')).body.data.filter((entry: { action: string }) => entry.action === action).length
    expect(await counted('contact.consent_recorded')).toBe(5)
    expect((await at.owner('GET', '/v1/events?type=contact.updated')).body.data).toHaveLength(5)
    expect((await at.bulk(change)).counts).toEqual({ ...nothing, unchanged: 3 })
    const { rows } = await database.pool.query(`select settings -> 'recordConsent' as consent from contact_job where id = $1`, [
      job.id.slice(4),
    ])
    expect(rows).toEqual([{ consent: { channel: 'email', state: 'denied' } }])

    await record(b, { channel: 'email', state: 'granted' })
    const planned = await at.revert({ jobId: job.id, dryRun: true })
    const reverted = await at.revert({ jobId: job.id })
    expect(reverted.counts).toEqual({ ...nothing, changed: 2, unchanged: 1, valuesReverted: 2, valuesKept: 1 })
    expect(planned.counts).toEqual(reverted.counts)
    expect(await at.kept(reverted)).toMatchObject([{ contactId: b.id, field: 'consent.email', reason: 'changed' }])
    expect(await present(a)).toMatchObject({ state: 'granted', source: 'website form', wording: 'Yes.', reference: reverted.id })
    expect([(await at.read(b.id)).consent?.email, (await at.read(c.id)).consent?.email]).toEqual(['granted', 'unknown'])
    expect((await at.owner('GET', `/v1/contacts/${a.id}/consent/history`)).body.data).toHaveLength(3)
    expect((await at.revert({ jobId: job.id })).counts).toMatchObject({ changed: 0, valuesReverted: 0 })
  })

  it('records consent at the present for a time up to five minutes ahead', async () => {
    const at = await withAgent()
    const { id } = await at.create({ email: 'a@example.com' })
    const granted = { channel: 'email', state: 'granted', at: new Date(Date.now() + 4 * 60_000).toISOString() }
    await at.bulk({ contactIds: [id], recordConsent: granted })
    await at.owner('POST', `/v1/contacts/${id}/consent`, { channel: 'email', state: 'denied' })
    expect((await at.read(id)).consent?.email).toBe('denied')
  })

  it.each<[string | undefined, object]>([
    ['recordConsent', { filter: { key: 'tags', eq: 'a' }, delete: true, recordConsent: { channel: 'email', state: 'granted' } }],
    ['addTags', { filter: { key: 'tags', eq: 'a' }, addTags: ['b'], recordConsent: { channel: 'email', state: 'granted' } }],
    ['recordConsent.channel', { filter: { key: 'tags', eq: 'a' }, recordConsent: { channel: 'fax', state: 'granted' } }],
    [
      'recordConsent.at',
      { filter: { key: 'tags', eq: 'a' }, recordConsent: { channel: 'sms', state: 'granted', at: '2999-01-01T00:00:00Z' } },
    ],
    ['set', { filter: { key: 'tags', eq: 'a' }, delete: true, set: { jobTitle: 'Cook' } }],
    ['restore', { filter: { key: 'tags', eq: 'a' }, delete: true, restore: true }],
    ['filter', { addTags: ['a'] }],
    ['set', { contactIds: ['ctc_00000000-0000-7000-8000-000000000000'] }],
    ['contactIds.0', { contactIds: ['ctc_00000000-0000-7000-8000-000000000000'], addTags: ['a'] }],
    ['filter.key', { filter: { key: 'nickname', eq: 'a' }, addTags: ['a'] }],
    ['set.jobTitle', { filter: { key: 'tags', eq: 'a' }, set: { jobTitle: 1 } }],
    ['set.companyId', { filter: { key: 'tags', eq: 'a' }, set: { companyId: 'co_00000000-0000-7000-8000-000000000000' } }],
  ])('is refused with an invalid %s', async (field, body) => {
    const at = await withAgent()
    const { status, body: answer } = await at.owner('POST', '/v1/contacts/bulk', body)
    expect([status, answer.error.field]).toEqual([422, field])
    expect((await at.agent('POST', '/v1/contacts/bulk', { filter: { key: 'tags', eq: 'a' }, addTags: ['a'] })).status).toBe(403)
  })
})
