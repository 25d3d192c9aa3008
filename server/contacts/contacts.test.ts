import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'

let time: Date | undefined
const { organization } = await testApp({ now: () => time ?? new Date() })

const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'Ada@Example.com', phone: '+44 (20) 7946-0018' }

describe('POST /v1/contacts', () => {
  it('creates a contact and returns its record', async () => {
    const { call } = await organization()
    const { status, body } = await call('POST', '/v1/contacts', {
      ...ada,
      tags: ['vip', 'vip', 'new'],
      externalId: 'crm-1',
      source: 'fair',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^ctc_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      externalId: 'crm-1',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      emails: [{ value: 'ada@example.com', asSent: 'Ada@Example.com', label: null }],
      phone: '+442079460018',
      phones: [{ value: '+442079460018', asSent: '+44 (20) 7946-0018', label: null, extension: null }],
      jobTitle: null,
      address: null,
      language: null,
      timeZone: null,
      ownerId: null,
      doNotContact: false,
      companyId: null,
      tags: ['vip', 'new'],
      customFields: {},
      source: 'fair',
      consent: { email: 'unknown', phone: 'unknown', sms: 'unknown', post: 'unknown' },
      lastInteractionAt: null,
      mergedIds: [],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.createdAt,
    })
    expect((await call('GET', `/v1/contacts/${body.id}`)).body).toEqual(body)
  })

  it.each([
    [{ email: 'a@example.com' }],
    [{ phone: '+4930123456' }],
    [{ firstName: 'A', lastName: 'B' }],
    [{ email: 'a@example.com', phone: null, tags: null }],
  ])('accepts %j', async (body) => {
    const { call } = await organization()
    expect((await call('POST', '/v1/contacts', body)).status).toBe(201)
  })

  it.each([
    ['email', {}],
    ['email', { firstName: 'Ada' }],
    ['email', { lastName: 'Lovelace', tags: ['x'] }],
    ['email', { email: 'not an address' }],
    ['email', { email: 7 }],
    ['phone', { phone: '030 123456' }],
    ['phone', { phone: '+0123456789' }],
    ['phone', { phone: '+9991234567' }],
    ['phone', { phone: '+155501001234' }],
    ['phone', { email: 'a@example.com', phone: '+49 30' }],
    ['firstName', { ...ada, firstName: 'x'.repeat(121) }],
    ['firstName', { ...ada, firstName: '   ' }],
    ['firstName', { ...ada, firstName: 'a\u0000b' }],
    ['firstName', { ...ada, firstName: '\ud800' }],
    ['tags.1', { ...ada, tags: ['a', 5] }],
    ['tags', { ...ada, tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }],
    ['fristName', { ...ada, fristName: 'typo' }],
    ['id', { ...ada, id: 'ctc_1' }],
  ])('refuses a wrong %s with 422', async (field, body) => {
    const { call } = await organization()
    const answer = await call('POST', '/v1/contacts', body)
    expect([answer.status, answer.body.error.code, answer.body.error.field]).toEqual([422, 'validation_error', field])
  })

  it('allows duplicates, except of an externalId: 409', async () => {
    const { call } = await organization()
    expect((await call('POST', '/v1/contacts', { ...ada, externalId: 'x' })).status).toBe(201)
    expect((await call('POST', '/v1/contacts', ada)).status).toBe(201)
    const taken = await call('POST', '/v1/contacts', { ...ada, externalId: ' x ' })
    expect([taken.status, taken.body.error.code, taken.body.error.field]).toEqual([409, 'conflict', 'externalId'])
    const other = await organization()
    expect((await other.call('POST', '/v1/contacts', { ...ada, externalId: 'x' })).status).toBe(201)
  })

  it('creates one contact for parallel calls with the same externalId', async () => {
    const { call } = await organization()
    const answers = await Promise.all(Array.from({ length: 12 }, () => call('POST', '/v1/contacts', { ...ada, externalId: 'one' })))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, ...Array.from({ length: 11 }, () => 409)])
  })
})

describe('PATCH /v1/contacts/{id}', () => {
  it('stores no address without parts', async () => {
    const { call } = await organization()
    expect((await call('POST', '/v1/contacts', { phone: '+442079460018', address: { city: null } })).body.address).toBeNull()
  })

  it('neither changes nor emits anything if the contact has all values already', async () => {
    const { call } = await organization()
    const contact = (await call('POST', '/v1/contacts', { email: 'ada@example.com', tags: ['a'], address: { city: 'Bath' } })).body
    const { email, emails, tags, address } = contact
    for (const body of [{ email }, { emails, tags, address, lastName: null, customFields: {} }, {}])
      expect((await call('PATCH', `/v1/contacts/${contact.id}`, body)).body).toEqual(contact)
    expect((await call('GET', '/v1/events')).body.data).toHaveLength(1)
  })

  it('leaves absent fields unchanged, clears null fields and replaces tags', async () => {
    const { call } = await organization()
    const before = (await call('POST', '/v1/contacts', { ...ada, tags: ['a', 'b'], source: 'fair' })).body
    time = new Date(Date.now() + 5000)
    const after = await call('PATCH', `/v1/contacts/${before.id}`, { phone: null, tags: ['c'], lastName: 'King' })
    time = undefined
    expect(after.status).toBe(200)
    expect(after.body).toEqual({ ...before, phone: null, phones: [], tags: ['c'], lastName: 'King', updatedAt: after.body.updatedAt })
    expect(after.body.updatedAt > before.updatedAt).toBe(true)
    expect((await call('PATCH', `/v1/contacts/${before.id}`, { tags: null })).body.tags).toEqual([])
    expect((await call('PATCH', `/v1/contacts/${before.id}`, {})).status).toBe(200)
  })

  it('stores phone numbers in E.164 form, and keeps an invalid number of an older record', async () => {
    const { call, ctx } = await organization()
    const { body } = await call('POST', '/v1/contacts', { phone: '+49 (0)30 123456' })
    expect(body.phone).toBe('+4930123456')
    const path = `/v1/contacts/${body.id}`
    expect((await call('PATCH', path, { phone: '+44 (0)20-7946 0018' })).body.phone).toBe('+442079460018')
    expect(await call('PATCH', path, { phone: '+999 123 4567' })).toMatchObject({ status: 422, body: { error: { field: 'phone' } } })
    await ctx.db.pool.query(`update contact set phone = '+49030123456' where id = $1`, [body.id.slice(4)])
    expect(await call('PATCH', path, { phone: '+49030123456', firstName: 'A' })).toMatchObject({
      status: 200,
      body: { phone: '+49030123456' },
    })
    for (const query of ['phone=%2B49030123456', 'q=%2B49030123456', 'q=%2B49 (0)30 123456', 'q=030 123456']) {
      expect([query, (await call('GET', `/v1/contacts?${query}`)).body.length]).toEqual([query, 1])
    }
  })

  it('validates the merged record like a new one', async () => {
    const { call } = await organization()
    const { id } = (await call('POST', '/v1/contacts', { email: 'a@example.com', firstName: 'Ada' })).body
    expect((await call('PATCH', `/v1/contacts/${id}`, { email: null })).status).toBe(422)
    expect((await call('PATCH', `/v1/contacts/${id}`, { email: null, lastName: 'Lovelace' })).status).toBe(200)
    const answer = await call('PATCH', `/v1/contacts/${id}`, { firstName: null })
    expect([answer.status, answer.body.error.field]).toEqual([422, 'email'])
    expect((await call('GET', `/v1/contacts/${id}`)).body.firstName).toBe('Ada')
  })

  it('applies only one of two parallel changes that together would remove email and phone', async () => {
    const { call } = await organization()
    const { id } = (await call('POST', '/v1/contacts', { email: 'a@example.com', phone: '+4930123456' })).body
    const answers = await Promise.all([
      call('PATCH', `/v1/contacts/${id}`, { email: null }),
      call('PATCH', `/v1/contacts/${id}`, { phone: null }),
    ])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 422])
  })

  it('refuses a taken externalId with 409 and an unknown field with 422', async () => {
    const { call } = await organization()
    await call('POST', '/v1/contacts', { ...ada, externalId: 'taken' })
    const { id } = (await call('POST', '/v1/contacts', ada)).body
    const conflict = await call('PATCH', `/v1/contacts/${id}`, { externalId: 'taken' })
    expect([conflict.status, conflict.body.error.field]).toEqual([409, 'externalId'])
    const unknown = await call('PATCH', `/v1/contacts/${id}`, { emial: 'a@example.com' })
    expect([unknown.status, unknown.body.error.field]).toEqual([422, 'emial'])
  })
})

describe('DELETE /v1/contacts/{id} and restore', () => {
  it('hides the contact from every route until it is restored', async () => {
    const { call } = await organization()
    const contact = (await call('POST', '/v1/contacts', { ...ada, externalId: 'e' })).body
    expect(await call('DELETE', `/v1/contacts/${contact.id}`)).toMatchObject({ status: 204, body: undefined })
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { lastName: 'X' }],
      ['DELETE', '', undefined],
    ] as const) {
      expect((await call(method, `/v1/contacts/${contact.id}${path}`, body)).status).toBe(404)
    }
    for (const query of ['', '?q=lovelace', '?q=lovelase', '?email=ada@example.com', '?externalId=e', '?count=true']) {
      expect((await call('GET', `/v1/contacts${query}`)).body).toEqual([])
    }
    expect(await call('POST', `/v1/contacts/${contact.id}/restore`)).toMatchObject({ status: 200, body: contact })
    expect(await call('POST', `/v1/contacts/${contact.id}/restore`)).toMatchObject({ status: 200, body: contact })
    expect((await call('GET', '/v1/contacts')).body).toEqual([contact])
  })

  it('cannot be restored after 30 days', async () => {
    const { call } = await organization()
    const { id } = (await call('POST', '/v1/contacts', ada)).body
    await call('DELETE', `/v1/contacts/${id}`)
    time = new Date(Date.now() + 30 * 86_400_000 + 1000)
    expect((await call('POST', `/v1/contacts/${id}/restore`)).status).toBe(404)
    time = undefined
    expect((await call('POST', `/v1/contacts/${id}/restore`)).status).toBe(200)
  })

  it('releases the externalId; restoring answers 409 if another contact has it', async () => {
    const { call } = await organization()
    const { id } = (await call('POST', '/v1/contacts', { ...ada, externalId: 'e' })).body
    await call('DELETE', `/v1/contacts/${id}`)
    expect((await call('POST', '/v1/contacts', { ...ada, externalId: 'e' })).status).toBe(201)
    const answer = await call('POST', `/v1/contacts/${id}/restore`)
    expect([answer.status, answer.body.error.field]).toEqual([409, 'externalId'])
  })
})

describe('ids', () => {
  it('are accepted with and without prefix, in upper and lower case', async () => {
    const { call } = await organization()
    const { id } = (await call('POST', '/v1/contacts', ada)).body as { id: string }
    const bare = id.slice(4)
    for (const form of [id, bare, bare.toUpperCase(), `ctc_${bare.toUpperCase()}`]) {
      expect((await call('GET', `/v1/contacts/${form}`)).body.id).toBe(id)
    }
    for (const wrong of [
      `prp_${bare}`,
      `CTC_${bare}`,
      `ctc_${bare}0`,
      `ctc_${bare.replaceAll('-', '')}`,
      `ctc__${bare}`,
      'ctc_',
      'x',
      '%00',
      '%F0%9F%98%80',
    ]) {
      for (const [method, suffix, body] of [
        ['GET', '', undefined],
        ['PATCH', '', {}],
        ['DELETE', '', undefined],
        ['POST', '/restore', undefined],
      ] as const) {
        const answer = await call(method, `/v1/contacts/${wrong}${suffix}`, body)
        expect([wrong, answer.status, answer.body.error.code]).toEqual([wrong, 404, 'not_found'])
      }
    }
  })
})
