import { contactFilterKeys } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { person } from '../testing/people.ts'

const service = await testApp()
const caller = await service.organization()
const memberId = `usr_${(await person(service, { [caller.organizationId]: 'owner' })).userId}`
const post = async (path: string, body: object) => {
  const answer = await caller.call('POST', path, body)
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body])
  return answer.body
}

const size = (await post('/v1/custom-fields', { entity: 'company', name: 'Size', type: 'number' })).id
const company = await post('/v1/companies', {
  name: 'Moss Ltd',
  externalId: 'm-1',
  vatId: 'DE123456789',
  phone: '+49301234567',
  domains: ['moss.example'],
  tags: ['Supplier'],
  address: { city: 'Bath', postalCode: 'BA1', region: 'Somerset', country: 'GB' },
  customFields: { [size]: 42 },
})
const ada = await post('/v1/contacts', {
  firstName: 'Ada',
  lastName: 'King',
  emails: [{ value: 'ada@moss.example' }, { value: 'ada@home.example' }],
  phones: [{ value: '+442079460018' }, { value: '+442079460019' }],
  externalId: 'a-1',
  source: 'fair',
  jobTitle: 'Cook',
  language: 'en',
  timeZone: 'Europe/London',
  address: { street: '1 High Street', city: 'York', postalCode: 'YO1', region: 'Yorkshire', country: 'GB' },
  doNotContact: true,
  tags: ['vip'],
  companyId: company.id,
  ownerId: memberId,
})
const proposal = await post('/v1/proposals', {
  title: 'Six bikes',
  contactId: ada.id,
  totalAmount: '120',
  externalId: 'p-1',
  expiresAt: '2099-01-01T00:00:00Z',
})
const at = '2020-01-02T00:00:00Z'
for (const [channel, state] of Object.entries({ email: 'denied', phone: 'granted', sms: 'denied', post: 'granted' }))
  await post(`/v1/contacts/${ada.id}/consent`, { channel, state, at })
await post(`/v1/contacts/${ada.id}/activities`, { type: 'call', direction: 'inbound', externalId: 'call-1', occurredAt: at })
const task = await post(`/v1/contacts/${ada.id}/activities`, {
  type: 'task',
  text: 'Call.',
  dueAt: '2030-05-01T09:00:00Z',
  assigneeId: memberId,
})
await caller.call('PATCH', `/v1/contacts/${ada.id}/activities/${task.id}`, { done: true })
const bob = await post('/v1/contacts', { firstName: 'Bob', email: 'bob@else.example' })

const found = async (filter: object): Promise<string[]> => {
  const { status, body } = await caller.call('POST', '/v1/contacts/search', { filter })
  expect([body, status]).toEqual([body, 200])
  return body.data.map((hit: { contact: { id: string } }) => hit.contact.id)
}

describe('a filter finds a contact by', () => {
  /** Comparisons that hold for Ada alone. */
  const comparisons: Record<string, object> = {
    firstName: { eq: 'Ada' },
    lastName: { in: ['King', 5] },
    email: { eq: 'Ada@Moss.example' },
    emails: { in: ['x@else.example', 'ADA@home.example'] },
    phone: { eq: '+44 20 7946 0018' },
    phones: { eq: '0044 (0)20 7946 0019' },
    externalId: { eq: 'a-1' },
    source: { eq: 'fair' },
    jobTitle: { eq: 'Cook' },
    language: { eq: 'en' },
    timeZone: { eq: 'Europe/London' },
    'address.street': { eq: '1 High Street' },
    'address.city': { exists: true },
    'address.postalCode': { eq: 'YO1' },
    'address.region': { eq: 'Yorkshire' },
    'address.country': { in: ['GB', 'FR'] },
    doNotContact: { eq: true },
    id: { eq: ada.id },
    ownerId: { eq: memberId },
    tags: { eq: 'VIP' },
    createdAt: { lt: bob.createdAt },
    updatedAt: { lt: bob.updatedAt },
    lastInteractionAt: { eq: at },
    company: { eq: 'Moss Ltd' },
    companyId: { eq: company.id },
    'company.externalId': { eq: 'm-1' },
    'company.vatId': { eq: 'DE123456789' },
    'company.phone': { eq: '0049 30 1234567' },
    'company.tags': { eq: 'supplier' },
    'company.domains': { eq: 'Moss.example' },
    'company.address.city': { eq: 'Bath' },
    'company.address.postalCode': { exists: true },
    'company.address.region': { eq: 'Somerset' },
    'company.address.country': { eq: 'GB' },
    [`company.customFields.${size}`]: { gte: 42 },
    'consent.email': { eq: 'denied' },
    'consent.phone': { eq: 'granted' },
    'consent.sms': { in: ['denied'] },
    'consent.post': { eq: 'granted' },
    'consent.email.at': { lt: '2020-02-01' },
    'consent.phone.at': { eq: at },
    'consent.sms.at': { exists: true },
    'consent.post.at': { gte: at },
    'activities.type': { eq: 'call' },
    'activities.direction': { eq: 'inbound' },
    'activities.externalId': { eq: 'call-1' },
    'activities.occurredAt': { eq: at },
    'activities.assigneeId': { eq: memberId },
    'activities.dueAt': { gt: '2030-05-01' },
    'activities.doneAt': { exists: true },
    'proposals.title': { eq: 'Six bikes' },
    'proposals.externalId': { eq: 'p-1' },
    'proposals.number': { eq: proposal.number },
    'proposals.status': { eq: 'pending' },
    'proposals.currency': { eq: proposal.currency },
    'proposals.totalAmount': { gt: 119 },
    'proposals.sentAt': { exists: true },
    'proposals.expiresAt': { gte: '2099-01-01' },
  }

  it.each(Object.entries(comparisons))('%s', async (key, comparison) => {
    expect(await found({ key, ...comparison })).toEqual([ada.id])
    expect(await found({ not: { key, ...comparison } })).toEqual([bob.id])
  })

  it('each key that the API names', () => {
    const untested = Object.values(contactFilterKeys)
      .flat()
      .filter((key) => !Object.hasOwn(comparisons, key))
    expect(untested).toEqual(['proposals.completedAt'])
  })
})

it.each([
  ['doNotContact', { eq: false }],
  ['doNotContact', { in: [false, 'no'] }],
  ['address.city', { exists: false }],
  ['company.tags', { exists: false }],
  ['consent.email.at', { exists: false }],
  ['phones', { exists: false }],
  [`company.customFields.${size}`, { exists: false }],
])('%s %j holds for a contact without it', async (key, comparison) => {
  expect(await found({ key, ...comparison })).toEqual([bob.id])
})

it.each([
  ['doNotContact', { eq: 'true' }],
  ['emails', { gt: '2020-01-01' }],
  ['phones', { eq: 442079460018 }],
  [`company.customFields.${size}`, { eq: 42, exists: false }],
])('%s %j holds for no contact', async (key, comparison) => {
  expect(await found({ key, ...comparison })).toEqual([])
})

describe('a filter by a custom field', async () => {
  const birthday = (await post('/v1/custom-fields', { entity: 'contact', name: 'Birthday', type: 'text' })).id
  await caller.call('PATCH', `/v1/contacts/${bob.id}`, { customFields: { [birthday]: 'May' } })
  await caller.call('DELETE', `/v1/custom-fields/${birthday}`)

  it('takes its id with and without the prefix, in any case, also of an archived field', async () => {
    for (const id of [birthday, birthday.slice(4), birthday.slice(4).toUpperCase()]) {
      const key = `customFields.${id}`
      expect(await found({ key, eq: 'May' })).toEqual([bob.id])
      expect(await found({ and: [{ or: [{ not: { key, exists: true } }] }] })).toEqual([ada.id])
    }
    expect(await found({ key: `company.customFields.${size.slice(4)}`, exists: true })).toEqual([ada.id])
    const view = await post('/v1/contact-views', {
      name: 'V',
      columns: ['name'],
      filter: { key: `customFields.${birthday.slice(4)}`, eq: 'May' },
    })
    expect(view.filter).toEqual({ key: `customFields.${birthday}`, eq: 'May' })
  })

  it('refuses one that the organization does not have', async () => {
    const other = await service.organization()
    const foreign = (await other.call('POST', '/v1/custom-fields', { entity: 'contact', name: 'F', type: 'text' })).body.id
    const view = await post('/v1/contact-views', { name: 'V', columns: ['name'] })
    for (const key of [
      'customFields.Birthday',
      `customFields.${size}`,
      `customFields.FLD_${birthday.slice(4)}`,
      `customFields.${foreign}`,
      `company.customFields.${birthday}`,
      'company.customFields.size',
    ]) {
      const filter = { or: [{ key: 'tags', eq: 'vip' }, { not: { key, exists: true } }] }
      for (const [method, path, body] of [
        ['POST', '/v1/contacts/search', { filter }],
        ['POST', '/v1/contacts/search', { filter, q: 'ada' }],
        ['POST', '/v1/contacts/bulk', { filter, addTags: ['a'], dryRun: true }],
        ['POST', '/v1/contact-exports', { filter }],
        ['POST', '/v1/contact-views', { name: 'W', columns: ['name'], filter }],
        ['PATCH', `/v1/contact-views/${view.id}`, { filter }],
      ] as const) {
        const { status, body: answer } = await caller.call(method, path, body)
        expect([path, key, status, answer.error?.code, answer.error?.field]).toEqual([
          path,
          key,
          422,
          'validation_error',
          'filter.or.1.not.key',
        ])
        expect(answer.error.message).toContain(key)
      }
    }
  })

  it('can be stored in a view whose field is gone', async () => {
    const { call, ctx, organizationId } = await service.organization()
    const { id } = (await call('POST', '/v1/contact-views', { name: 'V', columns: ['name'], filter: { key: 'tags', eq: 'vip' } })).body
    const filter = { key: 'customFields.Birthday', exists: true }
    await ctx.db.pool.query('update contact_view set filter = $2 where organization_id = $1', [organizationId, filter])
    expect((await call('GET', '/v1/contact-views')).body.data).toMatchObject([{ id, filter }])
    expect((await call('PATCH', `/v1/contact-views/${id}`, { name: 'W' })).body).toMatchObject({ name: 'W', filter })
  })
})
