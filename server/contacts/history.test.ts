import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { person } from '../testing/people.ts'

const service = await testApp()
const { organization, database } = service

const refused = (status: number, field: string) => ({ status, body: { error: { field } } })

async function withContact(body: object = {}) {
  const caller = await organization()
  const contact = (await caller.call('POST', '/v1/contacts', { email: 'ada@example.com', ...body })).body
  const path = `/v1/contacts/${contact.id}`
  const patch = (changes: object) => caller.call('PATCH', path, changes)
  const history = async (query = '') => (await caller.call('GET', `${path}/history${query}`)).body.data
  return { ...caller, contact, path, patch, history }
}

describe('the history of a contact', () => {
  it('has each change with its author, origin, and former and new values', async () => {
    const at = await withContact({ firstName: 'Ada', tags: ['a'], provenance: { how: 'imported', reference: 'list-1' } })
    const user = await person(service, { [at.organizationId]: 'member' })
    await at.patch({ firstName: 'Adah', tags: ['a'], provenance: { how: 'heard', reference: 'call-8f2c' } })
    await user.of(at.organizationId)('PATCH', at.path, { email: 'new@example.com', jobTitle: 'Buyer' })
    const [typed, heard, imported, ...others] = await at.history()
    expect(others).toEqual([])
    expect(typed).toEqual({
      id: expect.stringMatching(/^chg_/),
      contactId: at.contact.id,
      how: 'typed',
      reference: null,
      changes: [
        {
          field: 'emails',
          from: [{ value: 'ada@example.com', asSent: 'ada@example.com', label: null }],
          to: [{ value: 'new@example.com', asSent: 'new@example.com', label: null }],
        },
        { field: 'jobTitle', from: null, to: 'Buyer' },
      ],
      verified: [],
      createdBy: { type: 'user', id: expect.stringMatching(/^usr_/), name: expect.any(String) },
      createdAt: expect.any(String),
    })
    expect(heard).toMatchObject({
      how: 'heard',
      reference: 'call-8f2c',
      changes: [{ field: 'firstName', from: 'Ada', to: 'Adah' }],
      createdBy: { type: 'token' },
    })
    expect(imported).toMatchObject({ how: 'imported', reference: 'list-1' })
    expect(imported.changes.map(({ field, from }: { field: string; from: unknown }) => [field, from]).toSorted()).toEqual([
      ['emails', null],
      ['firstName', null],
      ['tags', null],
    ])
  })

  it('is filtered by field and read in pages', async () => {
    const at = await withContact()
    for (const jobTitle of ['A', 'B', 'C']) await at.patch({ jobTitle, source: jobTitle })
    const titles = await at.history('?field=jobTitle')
    expect(titles.map(({ changes }: { changes: object[] }) => changes)).toEqual([
      [{ field: 'jobTitle', from: 'B', to: 'C' }],
      [{ field: 'jobTitle', from: 'A', to: 'B' }],
      [{ field: 'jobTitle', from: null, to: 'A' }],
    ])
    const first = (await at.call('GET', `${at.path}/history?limit=2`)).body
    const second = (await at.call('GET', `${at.path}/history?limit=2&cursor=${first.nextCursor}`)).body
    expect([...first.data, ...second.data]).toEqual(await at.history())
    expect(second.nextCursor).toBeNull()
    expect((await at.call('GET', `${at.path}/history?field=name`)).status).toBe(400)
  })

  it('has the changes of upserts and batches, and none of a request that changes nothing', async () => {
    const at = await withContact()
    await at.call('POST', '/v1/contacts/upsert', {
      matchOn: 'email',
      email: 'ada@example.com',
      lastName: 'King',
      provenance: { reference: 'r' },
    })
    await at.call('POST', '/v1/contacts/batch', { matchOn: 'email', contacts: [{ email: 'ada@example.com', lastName: 'King' }] })
    await at.patch({ lastName: 'King' })
    expect(await at.history('?field=lastName')).toMatchObject([{ how: 'api', reference: 'r' }])
  })

  it('has changes of tags and of companies', async () => {
    const at = await withContact({ tags: ['lead'] })
    await at.call('POST', '/v1/contacts/tags/rename', { tag: 'lead', name: 'customer' })
    expect(await at.history('?field=tags')).toMatchObject([{ changes: [{ from: ['lead'], to: ['customer'] }] }, {}])
  })

  it('is gone with the contact', async () => {
    const at = await withContact({ firstName: 'Zebulonia' })
    await at.patch({ firstName: 'Quarkworth' })
    expect((await at.call('POST', `${at.path}/erase`)).status).toBe(200)
    expect((await at.call('GET', `${at.path}/history`)).status).toBe(404)
    expect((await at.call('POST', `${at.path}/erase`)).status).toBe(404)
    const { rows } = await database.pool.query('select from contact_change where organization_id = $1', [at.organizationId])
    expect(rows).toEqual([])
  })
})

describe('POST /v1/contacts/{id}/verify', () => {
  it('records who confirmed which fields, and changes nothing else', async () => {
    const at = await withContact({ jobTitle: 'Buyer' })
    const { status, body } = await at.call('POST', `${at.path}/verify`, { fields: ['jobTitle', 'emails', 'jobTitle'] })
    expect([status, body]).toEqual([200, at.contact])
    expect(await at.history('?field=jobTitle')).toMatchObject([
      { how: 'verified', changes: [], verified: ['jobTitle'], createdBy: { type: 'token' } },
      { how: 'api' },
    ])
    expect(await at.call('POST', `${at.path}/verify`, { fields: [] })).toMatchObject(refused(422, 'fields'))
    expect(await at.call('POST', `${at.path}/verify`, { fields: ['id'] })).toMatchObject(refused(422, 'fields.0'))
  })
})

describe('POST /v1/contacts/{id}/revert', () => {
  it('gives the fields their former values, and keeps the others', async () => {
    const at = await withContact({ firstName: 'Ada', address: { city: 'Bath' }, emails: [{ value: 'ada@example.com', label: 'work' }] })
    await at.patch({ firstName: 'Adah', address: null, email: 'b@example.com', jobTitle: 'Buyer' })
    const revert = async (fields: string[]) => (await at.call('POST', `${at.path}/revert`, { fields })).body
    expect(await revert(['firstName', 'address', 'emails'])).toEqual({ ...at.contact, jobTitle: 'Buyer', updatedAt: expect.any(String) })
    expect(await at.history('?field=firstName')).toMatchObject([{ how: 'reverted', changes: [{ from: 'Adah', to: 'Ada' }] }, {}, {}])
    expect((await revert(['jobTitle'])).jobTitle).toBeNull()
    expect((await revert(['firstName'])).firstName).toBe('Adah')
  })

  it('gives addresses and numbers back as they were sent', async () => {
    const at = await withContact({
      emails: [{ value: 'Ada@Example.com', label: 'work' }, { value: 'x@example.com' }],
      phones: [{ value: '+49 (0)30 123456 ext. 7', label: 'desk' }],
    })
    expect(at.contact.emails[0].asSent).toBe('Ada@Example.com')
    await at.patch({ emails: [{ value: 'b@example.com' }], phones: null })
    const { status, body } = await at.call('POST', `${at.path}/revert`, { fields: ['emails', 'phones'] })
    expect([status, body]).toEqual([200, { ...at.contact, updatedAt: expect.any(String) }])
  })

  it('reverts one custom field, and keeps the others', async () => {
    const at = await withContact()
    const custom = async (name: string): Promise<string> =>
      (await at.call('POST', '/v1/custom-fields', { entity: 'contact', name, type: 'text' })).body.id
    const [size, colour] = [await custom('Size'), await custom('Colour')]
    await at.patch({ customFields: { [size]: 'L', [colour]: 'red' } })
    await at.patch({ customFields: { [size]: 'XL' } })
    await at.patch({ customFields: { [colour]: null } })
    expect(await at.history(`?field=customFields.${size}`)).toMatchObject([
      { changes: [{ field: `customFields.${size}`, from: 'L', to: 'XL' }] },
      { changes: [{ field: `customFields.${size}`, from: null, to: 'L' }] },
    ])
    const revert = async (field: string) => (await at.call('POST', `${at.path}/revert`, { fields: [`customFields.${field}`] })).body
    expect((await revert(size)).customFields).toEqual({ [size]: 'L' })
    expect((await revert(colour)).customFields).toEqual({ [size]: 'L', [colour]: 'red' })
    await at.call('DELETE', `/v1/custom-fields/${size}`)
    expect(await revert(size)).toMatchObject({ error: { field: `customFields.${size}` } })
  })

  it('of parallel requests takes back one change after the other', async () => {
    const at = await withContact({ jobTitle: 'A' })
    await at.patch({ jobTitle: 'B' })
    const answers = await Promise.all(
      ['B', 'C', 'D', 'E'].flatMap((jobTitle) => [at.patch({ jobTitle }), at.call('POST', `${at.path}/revert`, { fields: ['jobTitle'] })]),
    )
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const { rows } = await database.pool.query(
      'select former, changed, position from contact_change where organization_id = $1 order by position',
      [at.organizationId],
    )
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1))
    const values = rows.map(({ changed }) => changed.jobTitle)
    expect(rows.slice(1).map(({ former }) => former.jobTitle)).toEqual(values.slice(0, -1))
    expect((await at.call('GET', at.path)).body.jobTitle).toBe(values.at(-1))
  })

  it('is refused for fields without a change, and if the contact would be nobody', async () => {
    const at = await withContact()
    const revert = (fields: string[]) => at.call('POST', `${at.path}/revert`, { fields })
    expect(await revert(['jobTitle'])).toMatchObject(refused(409, 'jobTitle'))
    expect(await revert(['emails'])).toMatchObject(refused(422, 'email'))
    expect(await revert(['name'])).toMatchObject(refused(422, 'fields.0'))
  })
})
