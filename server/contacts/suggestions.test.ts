import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { person } from '../testing/people.ts'

const service = await testApp()
const { organization, database } = service

const refused = (status: number, field?: string) => ({ status, body: { error: field === undefined ? {} : { field } } })

/** Returns an organization with a person and an agent. */
async function withAgent() {
  const caller = await organization()
  const scopes = ['contacts:read', 'contacts:write', 'events:read', 'tokens:write']
  const { body: token } = await caller.call('POST', '/v1/tokens', { name: 'Voice agent', scopes, agent: true })
  expect(token.agent).toBe(true)
  const agent = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    caller.call(method, path, body, { authorization: `Bearer ${token.token}` })
  const owner = (await person(service, { [caller.organizationId]: 'owner' })).of(caller.organizationId)
  const typed = async (body: object) => (await owner('POST', '/v1/contacts', body)).body
  return { ...caller, agent, owner, typed, token }
}

describe("an agent's token", () => {
  it('fills empty fields, and suggests values in place of typed ones', async () => {
    const at = await withAgent()
    const contact = await at.typed({ email: 'ada@example.com', jobTitle: 'Cook' })
    const path = `/v1/contacts/${contact.id}`
    const provenance = { how: 'heard', reference: 'call-8' }
    const { status, body } = await at.agent('PATCH', path, { jobTitle: 'Buyer', firstName: 'Ada', provenance })
    expect([status, body.jobTitle, body.firstName]).toEqual([200, 'Cook', 'Ada'])
    const suggestion = { field: 'jobTitle', value: 'Buyer', present: 'Cook', status: 'pending', how: 'heard', reference: 'call-8' }
    expect(body.suggestions).toEqual([
      {
        ...suggestion,
        id: expect.stringMatching(/^sug_/),
        contactId: contact.id,
        createdBy: { type: 'token', id: at.token.id, name: 'Voice agent' },
        createdAt: expect.any(String),
        decidedAt: null,
      },
    ])
    expect((await at.owner('GET', `${path}/suggestions`)).body.data).toEqual(body.suggestions)
    expect((await at.agent('GET', '/v1/events?type=suggestion.created')).body.data.map(({ data }: { data: object }) => data)).toEqual(
      body.suggestions,
    )
    expect((await at.agent('GET', `${path}/timeline`)).body.data[0].type).toBe('suggestion.created')
    // An agent can replace its own values.
    expect((await at.agent('PATCH', path, { firstName: 'Adah' })).body).toMatchObject({ firstName: 'Adah' })
    // The same value is suggested once.
    const again = (await at.agent('PATCH', path, { jobTitle: 'Buyer' })).body
    expect(again.suggestions).toEqual(body.suggestions)
    expect((await at.agent('GET', '/v1/events?type=suggestion.created')).body.data).toHaveLength(1)
  })

  it('keeps values that were verified, or are older than the history', async () => {
    const at = await withAgent()
    const { id } = (await at.agent('POST', '/v1/contacts', { email: 'ada@example.com', jobTitle: 'Cook', source: 'fair' })).body
    await at.owner('POST', `/v1/contacts/${id}/verify`, { fields: ['jobTitle'] })
    const { body } = await at.agent('PATCH', `/v1/contacts/${id}`, { jobTitle: null, source: 'website' })
    expect(body).toMatchObject({ jobTitle: 'Cook', source: 'website', suggestions: [{ field: 'jobTitle', value: null }] })
    await database.pool.query('delete from contact_change where contact_id = $1', [id.slice(-36)])
    expect((await at.agent('PATCH', `/v1/contacts/${id}`, { source: 'fair' })).body).toMatchObject({
      source: 'website',
      suggestions: [{ field: 'source', value: 'fair' }],
    })
  })

  it('adds entries to lists of people, but does not remove or reorder them', async () => {
    const at = await withAgent()
    const contact = await at.typed({ email: 'a@example.com', phone: '+4930123456', tags: ['lead'] })
    const path = `/v1/contacts/${contact.id}`
    const added = (
      await at.agent('PATCH', path, { tags: ['vip', 'lead'], emails: [{ value: 'a@example.com' }, { value: 'b@example.com' }] })
    ).body
    expect(added).toMatchObject({ tags: ['lead', 'vip'], email: 'a@example.com', emails: [contact.emails[0], { value: 'b@example.com' }] })
    expect(added.suggestions).toBeUndefined()
    const replaced = (await at.agent('PATCH', path, { phone: '+4930999999' })).body
    expect(replaced).toMatchObject({ phone: '+4930123456', suggestions: [{ field: 'phones', value: [{ value: '+4930999999' }] }] })
  })

  it('suggests in upserts and batches, and for custom fields', async () => {
    const at = await withAgent()
    const field = (await at.call('POST', '/v1/custom-fields', { entity: 'contact', name: 'Size', type: 'text' })).body.id
    await at.typed({ email: 'a@example.com', lastName: 'King', customFields: { [field]: 'L' } })
    await at.typed({ email: 'b@example.com', lastName: 'Moss' })
    const fields = { lastName: 'Queen', customFields: { [field]: 'XL' } }
    const { body } = await at.agent('POST', '/v1/contacts/upsert', { matchOn: 'email', email: 'a@example.com', ...fields })
    expect(body).toMatchObject({ created: false, lastName: 'King', customFields: { [field]: 'L' } })
    expect(body.suggestions.map(({ field: name, value }: { field: string; value: string }) => [name, value])).toEqual([
      ['lastName', 'Queen'],
      [`customFields.${field}`, 'XL'],
    ])
    const contacts = [
      { email: 'b@example.com', lastName: 'Fern' },
      { email: 'c@example.com' },
      { email: 'a@example.com', lastName: 'Duke' },
    ]
    const { data } = (await at.agent('POST', '/v1/contacts/batch', { matchOn: 'email', contacts })).body
    expect(data).toMatchObject([
      { status: 200, contact: { lastName: 'Moss' }, suggestions: [{ field: 'lastName', value: 'Fern' }] },
      { status: 201, suggestions: [] },
      { status: 200, contact: { lastName: 'King' }, suggestions: [{ field: 'lastName', value: 'Duke' }] },
    ])
  })

  it('cannot act as a person', async () => {
    const at = await withAgent()
    const contact = await at.typed({ email: 'a@example.com', jobTitle: 'Cook' })
    const path = `/v1/contacts/${contact.id}`
    const [suggestion] = (await at.agent('PATCH', path, { jobTitle: 'Buyer' })).body.suggestions
    for (const [action, body] of [
      ['verify', { fields: ['jobTitle'] }],
      ['revert', { fields: ['jobTitle'] }],
      [`suggestions/${suggestion.id}/accept`, undefined],
      [`suggestions/${suggestion.id}/dismiss`, undefined],
    ] as const) {
      expect(await at.agent('POST', `${path}/${action}`, body)).toMatchObject({ status: 403 })
    }
    const { body: company } = await at.call('POST', '/v1/companies', { name: 'Example Ltd' })
    for (const [method, url, body] of [
      ['DELETE', path, undefined],
      ['POST', `${path}/erase`, { dryRun: true }],
      ['DELETE', `/v1/companies/${company.id}`, undefined],
      ['POST', '/v1/contacts/tags/delete', { tags: ['a'] }],
    ] as const) {
      const message = expect.stringContaining('The token of an agent cannot do this')
      expect(await at.agent(method, url, body)).toMatchObject({ status: 403, body: { error: { message } } })
    }
    expect(await at.agent('PATCH', path, { lastName: 'X', provenance: { how: 'typed' } })).toMatchObject(refused(422, 'provenance.how'))
    const token = { name: 'T', scopes: ['contacts:write'] }
    expect(await at.agent('POST', '/v1/tokens', token)).toMatchObject(refused(403, 'agent'))
    expect(await at.agent('POST', '/v1/tokens', { ...token, agent: true })).toMatchObject({ status: 201 })
  })
})

describe('values of people', () => {
  const entry = (value: string) => ({ value })

  it('stay in a list that others have changed since', async () => {
    const at = await withAgent()
    const contact = await at.typed({ email: 'a@example.com', tags: ['Lead'] })
    const path = `/v1/contacts/${contact.id}`
    await at.agent('PATCH', path, { emails: [entry('a@example.com'), entry('b@example.com')], tags: ['Lead', 'new'] })
    const { body } = await at.agent('PATCH', path, { emails: [entry('c@example.com')], tags: ['other'] })
    expect(body).toMatchObject({ email: 'a@example.com', tags: ['Lead', 'new'], suggestions: [{ field: 'emails' }, { field: 'tags' }] })
    // The agent can take back what it added itself.
    const { body: less } = await at.agent('PATCH', path, { emails: [entry('a@example.com'), entry('c@example.com')], tags: ['lead'] })
    expect([less.emails.map(({ value }: { value: string }) => value), less.tags]).toEqual([['a@example.com', 'c@example.com'], ['Lead']])
    expect(less.suggestions).toBeUndefined()
  })

  it('stay in a verified list that other tokens and upserts have changed since', async () => {
    const at = await withAgent()
    const { id } = (await at.call('POST', '/v1/contacts', { phone: '+4930123456' })).body
    const path = `/v1/contacts/${id}`
    await at.owner('POST', `${path}/verify`, { fields: ['phones'] })
    await at.call('PATCH', path, { phones: [{ value: '+49 (0)30 123456' }, entry('+442079460018')] })
    const upsert = { matchOn: 'phone', phone: '+4930123456', phones: [entry('+4930123456'), entry('+4930999999')] }
    await at.agent('POST', '/v1/contacts/upsert', upsert)
    const { body } = await at.agent('PATCH', path, { phones: [entry('+4930999999')] })
    expect(body).toMatchObject({ phone: '+4930123456', suggestions: [{ field: 'phones', value: [{ value: '+4930999999' }] }] })
  })

  it('have their origin again after a revert and after a merge by a token', async () => {
    const at = await withAgent()
    const contact = await at.typed({ email: 'a@example.com', jobTitle: 'Cook' })
    const path = `/v1/contacts/${contact.id}`
    await at.call('PATCH', path, { jobTitle: 'Chef' })
    await at.call('POST', `${path}/revert`, { fields: ['jobTitle'] })
    expect((await at.agent('PATCH', path, { jobTitle: 'Buyer' })).body).toMatchObject({
      jobTitle: 'Cook',
      suggestions: [{ value: 'Buyer' }],
    })
    const other = await at.typed({ email: 'b@example.com', language: 'de' })
    await at.call('POST', `${path}/merge`, { otherIds: [other.id] })
    const { body } = await at.agent('PATCH', path, { language: 'fr', emails: [entry('a@example.com')] })
    expect(body).toMatchObject({ language: 'de', suggestions: [{ field: 'emails' }, { field: 'language' }] })
  })

  it('are not suggested again in another format or with another label', async () => {
    const at = await withAgent()
    const [email, phone] = ['Ada@example.com', '+49 (0)30 8811839 ext. 5']
    const contact = await at.typed({ email, phone, tags: ['Lead'] })
    const path = `/v1/contacts/${contact.id}`
    for (const body of [
      { phone: '+49 30 8811839', tags: ['LEAD'] },
      { email: 'ADA@example.com', phones: [{ value: '+49 30 8811839' }] },
    ])
      expect((await at.agent('PATCH', path, body)).body).toEqual(contact)
    for (const body of [
      { matchOn: 'phone', phone: '+49 30 8811839', email: 'ada@EXAMPLE.com', tags: ['lead'] },
      { matchOn: 'email', email: 'ada@example.com', phones: [{ value: '+49308811839' }] },
    ])
      expect((await at.agent('POST', '/v1/contacts/upsert', body)).body).toEqual({ ...contact, created: false })
    expect((await at.agent('GET', '/v1/events')).body.data).toHaveLength(1)
    // A suggestion alone does not change the contact.
    const { body } = await at.agent('PATCH', path, { email: 'b@example.com' })
    expect([body.updatedAt, body.suggestions.length]).toEqual([contact.updatedAt, 1])
    const types = (await at.agent('GET', '/v1/events')).body.data.map(({ type }: { type: string }) => type)
    expect(types).toEqual(['suggestion.created', 'contact.created'])
  })

  it('of a boolean custom field can be false', async () => {
    const at = await withAgent()
    const field = (await at.call('POST', '/v1/custom-fields', { entity: 'contact', name: 'Smoker', type: 'boolean' })).body.id
    const contact = await at.typed({ email: 'a@example.com', customFields: { [field]: false } })
    const path = `/v1/contacts/${contact.id}`
    const { body } = await at.agent('PATCH', path, { customFields: { [field]: true }, doNotContact: true })
    expect(body).toMatchObject({ customFields: { [field]: false }, doNotContact: true })
    expect(body.suggestions).toMatchObject([{ field: `customFields.${field}`, value: true, present: false }])
  })
})

describe('records of people', () => {
  it('are not changed by an agent, which can change its own', async () => {
    const at = await withAgent()
    const contact = await at.typed({ email: 'a@example.com' })
    const activities = `/v1/contacts/${contact.id}/activities`
    const call = { type: 'call', text: 'Called.' }
    const ofPerson = (await at.owner('POST', activities, call)).body
    const own = (await at.agent('POST', activities, call)).body
    expect(await at.agent('PATCH', `${activities}/${ofPerson.id}`, { text: 'X' })).toMatchObject(refused(403))
    expect(await at.agent('DELETE', `${activities}/${ofPerson.id}`)).toMatchObject(refused(403))
    expect((await at.agent('PATCH', `${activities}/${own.id}`, { text: 'X' })).body.text).toBe('X')
    expect((await at.agent('DELETE', `${activities}/${own.id}`)).status).toBe(204)
    expect((await at.owner('GET', activities)).body.data).toEqual([ofPerson])
  })

  it('of a company are filled only', async () => {
    const at = await withAgent()
    const company = (await at.owner('POST', '/v1/companies', { name: 'Moss', domains: ['moss.example'], address: { city: 'Bath' } })).body
    const path = `/v1/companies/${company.id}`
    for (const [field, body] of [
      ['name', { name: 'Fern' }],
      ['domains', { domains: ['fern.example'] }],
      ['address', { address: { city: 'York' } }],
    ] as const)
      expect(await at.agent('PATCH', path, { vatId: 'DE123456789', ...body })).toMatchObject(refused(403, field))
    const added = {
      vatId: 'DE123456789',
      domains: ['moss.example', 'fern.example'],
      address: { city: 'Bath', country: 'GB' },
      name: 'Moss',
    }
    expect((await at.agent('PATCH', path, added)).body).toMatchObject(added)
  })

  it('of consent keep a denial, and get one from an agent', async () => {
    const at = await withAgent()
    const contact = await at.typed({ email: 'a@example.com' })
    const path = `/v1/contacts/${contact.id}/consent`
    const state = async () => (await at.owner('GET', `/v1/contacts/${contact.id}`)).body.consent.email
    const granted = { channel: 'email', state: 'granted' }
    const denied = { channel: 'email', state: 'denied' }
    await at.owner('POST', path, granted)
    expect((await at.agent('POST', path, denied)).status).toBe(200)
    expect((await at.agent('POST', path, granted)).status).toBe(200)
    await at.owner('POST', path, denied)
    const replaced = async (body: object) => expect(await at.agent('POST', path, body)).toMatchObject(refused(403))
    await replaced(granted)
    await replaced({ ...granted, state: 'unknown' })
    // Its own denial does not hide that of the person.
    expect((await at.agent('POST', path, { ...denied, source: 'call' })).status).toBe(200)
    await replaced(granted)
    expect(await state()).toBe('denied')
    expect((await at.agent('POST', path, { channel: 'sms', state: 'granted' })).status).toBe(200)
  })
})

describe('a suggestion', () => {
  it('is accepted: the contact has the value, which is verified', async () => {
    const at = await withAgent()
    const contact = await at.typed({ email: 'a@example.com', jobTitle: 'Cook' })
    const path = `/v1/contacts/${contact.id}`
    const [{ id }] = (await at.agent('PATCH', path, { jobTitle: 'Buyer', provenance: { how: 'heard' } })).body.suggestions
    const accept = () => at.owner('POST', `${path}/suggestions/${id}/accept`)
    const answers = await Promise.all([accept(), accept(), accept()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect((await at.owner('GET', path)).body.jobTitle).toBe('Buyer')
    expect((await at.owner('GET', `${path}/history?field=jobTitle`)).body.data[0]).toMatchObject({
      how: 'heard',
      verified: ['jobTitle'],
      changes: [{ from: 'Cook', to: 'Buyer' }],
      createdBy: { type: 'user' },
    })
    expect((await at.owner('GET', `${path}/suggestions?status=pending`)).body.data).toEqual([])
    expect((await at.agent('PATCH', path, { jobTitle: 'Baker' })).body).toMatchObject({
      jobTitle: 'Buyer',
      suggestions: [{ value: 'Baker' }],
    })
    expect(await at.owner('POST', `${path}/suggestions/${id}/dismiss`)).toMatchObject({ status: 409 })
  })

  it('of a list keeps what was added since, and removes what it replaces', async () => {
    const at = await withAgent()
    const contact = await at.typed({ emails: [{ value: 'old@example.com' }, { value: 'b@example.com', label: 'home' }] })
    const path = `/v1/contacts/${contact.id}`
    const [{ id }] = (await at.agent('PATCH', path, { email: 'new@example.com' })).body.suggestions
    const second = (await at.agent('PATCH', path, { email: 'NEW@example.com' })).body.suggestions
    expect(second).toMatchObject([{ id }])
    await at.owner('PATCH', path, { emails: ['old', 'third'].map((name) => ({ value: `${name}@example.com` })) })
    const { body } = await at.owner('POST', `${path}/suggestions/${id}/accept`)
    expect(body.emails).toMatchObject([{ value: 'new@example.com' }, { value: 'third@example.com' }])
  })

  it('is dismissed, and not made again', async () => {
    const at = await withAgent()
    const contact = await at.typed({ email: 'a@example.com', jobTitle: 'Cook' })
    const path = `/v1/contacts/${contact.id}`
    const [{ id }] = (await at.agent('PATCH', path, { jobTitle: 'Buyer' })).body.suggestions
    for (let times = 0; times < 2; times += 1)
      expect((await at.owner('POST', `${path}/suggestions/${id}/dismiss`)).body).toMatchObject({
        id,
        status: 'dismissed',
        decidedAt: expect.any(String),
      })
    expect((await at.agent('PATCH', path, { jobTitle: 'Buyer' })).body.suggestions).toMatchObject([{ id, status: 'dismissed' }])
    expect(await at.owner('POST', `${path}/suggestions/${id}/accept`)).toMatchObject({ status: 409 })
  })

  it('is erased with the contact', async () => {
    const at = await withAgent()
    const contact = await at.typed({ email: 'a@example.com', jobTitle: 'Cook' })
    const path = `/v1/contacts/${contact.id}`
    const [{ id }] = (await at.agent('PATCH', path, { jobTitle: 'Quarkworth' })).body.suggestions
    expect((await at.call('GET', `${path}/export`)).body.suggestions).toMatchObject([{ id, value: 'Quarkworth' }])
    const { erased } = (await at.call('POST', `${path}/erase`)).body
    expect(erased).toContainEqual({ kind: 'suggestions', count: 1 })
    const { rows } = await database.pool.query('select from contact_suggestion where organization_id = $1', [at.organizationId])
    expect(rows).toEqual([])
    const { data } = (await at.call('GET', '/v1/events?type=suggestion.created')).body
    expect(JSON.stringify(data)).not.toContain('Quarkworth')
  })
})
