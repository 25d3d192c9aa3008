import type { Contact, CustomFieldType } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp, type Caller } from '../testing/app.ts'

const { organization } = await testApp()

const options = [{ value: 's', label: 'Small' }, { value: 'l' }]

async function newField({ call }: Caller, type: CustomFieldType, more: object = {}): Promise<string> {
  const isSelect = type === 'select' || type === 'multiselect'
  const answer = await call('POST', '/v1/custom-fields', { entity: 'contact', name: newId(), type, ...(isSelect && { options }), ...more })
  expect([answer.status, answer.body]).toEqual([201, expect.anything()])
  return answer.body.id
}

async function newContact({ call }: Caller, customFields: object): Promise<Contact> {
  const answer = await call('POST', '/v1/contacts', { email: 'a@example.com', customFields })
  expect([answer.status, answer.body]).toEqual([201, expect.anything()])
  return answer.body
}

describe('custom fields', () => {
  it('are created, listed, changed, archived and restored', async () => {
    const { call } = await organization()
    const { body: field } = await call('POST', '/v1/custom-fields', { entity: 'contact', name: 'Size', type: 'select', options })
    expect(field).toMatchObject({
      options: [
        { value: 's', label: 'Small' },
        { value: 'l', label: 'l' },
      ],
      archivedAt: null,
    })
    const path = `/v1/custom-fields/${field.id}`
    const taken = { entity: 'contact', name: 'SIZE', type: 'text' }
    expect(await call('POST', '/v1/custom-fields', taken)).toMatchObject({ status: 409, body: { error: { field: 'name' } } })
    expect((await call('POST', '/v1/custom-fields', { ...taken, entity: 'company' })).status).toBe(201)
    expect((await call('GET', '/v1/custom-fields?entity=contact')).body.data).toEqual([field])
    expect((await call('PATCH', path, { name: 'Sizes', options: [{ value: 'l', label: 'Large' }] })).body).toMatchObject({
      name: 'Sizes',
      options: [{ value: 'l', label: 'Large' }],
    })
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('DELETE', path)).status).toBe(404)
    expect((await call('GET', '/v1/custom-fields?entity=contact')).body.data).toEqual([])
    expect((await call('GET', '/v1/custom-fields?archived=true')).body.data).toMatchObject([{ id: field.id }])
    const { body: other } = await call('POST', '/v1/custom-fields', { ...taken, name: 'sizes' })
    expect(await call('POST', `${path}/restore`)).toMatchObject({ status: 409, body: { error: { field: 'name' } } })
    await call('DELETE', `/v1/custom-fields/${other.id}`)
    expect(await call('POST', `${path}/restore`)).toMatchObject({ status: 200, body: { archivedAt: null } })
  })

  it.each([
    ['type', { type: 'color' }],
    ['options', { type: 'select' }],
    ['options', { type: 'text', options }],
    ['options.1.value', { type: 'select', options: [{ value: 's' }, { value: 's' }] }],
    ['options', { type: 'select', options: [] }],
    ['name', { type: 'text', name: '' }],
  ])('refuse an invalid %s', async (field, body) => {
    const { call } = await organization()
    const answer = await call('POST', '/v1/custom-fields', { entity: 'contact', name: 'F', ...body })
    expect([answer.status, answer.body.error.field]).toEqual([422, field])
  })

  it('are at most 200', async () => {
    const caller = await organization()
    await caller.ctx.db.pool.query(
      `insert into custom_field (organization_id, id, entity, name, type, created_at, updated_at)
       select $1, gen_random_uuid(), 'company', 'f' || n, 'text', now(), now() from generate_series(1, 199) n`,
      [caller.organizationId],
    )
    await newField(caller, 'text')
    expect((await caller.call('POST', '/v1/custom-fields', { entity: 'contact', name: 'F', type: 'text' })).status).toBe(409)
  })
})

describe('values of custom fields', () => {
  it.each([
    ['text', 'some text', 5],
    ['number', -1.5, '1'],
    ['boolean', false, 'false'],
    ['date', '2024-02-29', '2023-02-29'],
    ['select', 's', 'm'],
    ['multiselect', ['l', 's'], ['s', 'm']],
  ] as const)('of type %s are validated, merged and cleared', async (type, valid, invalid) => {
    const caller = await organization()
    const { call } = caller
    const [id, other] = [await newField(caller, type), await newField(caller, 'text')]
    const contact = await newContact(caller, { [id.toUpperCase().replace('FLD', 'fld')]: valid, [other]: 'kept' })
    expect(contact.customFields).toEqual({ [id]: valid, [other]: 'kept' })
    const path = `/v1/contacts/${contact.id}`
    const refused = await call('PATCH', path, { customFields: { [id]: invalid } })
    expect([refused.status, refused.body.error.field]).toEqual([422, `customFields.${id}`])
    expect((await call('PATCH', path, { customFields: { [id]: null } })).body.customFields).toEqual({ [other]: 'kept' })
    expect((await call('PATCH', path, { customFields: { [id.slice(4)]: valid } })).body.customFields).toEqual(contact.customFields)
    expect((await call('PATCH', path, { lastName: 'Moss' })).body.customFields).toEqual(contact.customFields)
    expect((await call('PATCH', path, { customFields: null })).body.customFields).toEqual({})
  })

  it('belong to fields of their entity that are in use', async () => {
    const caller = await organization()
    const { call } = caller
    const ofCompany = await newField(caller, 'number', { entity: 'company' })
    const company = await call('POST', '/v1/companies', { name: 'C', customFields: { [ofCompany]: 5 } })
    expect(company.body.customFields).toEqual({ [ofCompany]: 5 })
    for (const id of [ofCompany, `fld_${newId()}`]) {
      const refused = await call('POST', '/v1/contacts', { email: 'a@example.com', customFields: { [id]: 5 } })
      expect([refused.status, refused.body.error.field]).toEqual([422, `customFields.${id}`])
    }
    await call('DELETE', `/v1/custom-fields/${ofCompany}`)
    const path = `/v1/companies/${company.body.id}`
    expect((await call('GET', path)).body.customFields).toEqual({ [ofCompany]: 5 })
    expect((await call('PATCH', path, { customFields: { [ofCompany]: 6 } })).status).toBe(422)
    expect((await call('PATCH', path, { customFields: { [ofCompany]: null } })).body.customFields).toEqual({})
    const unknown = await call('POST', '/v1/contacts', { email: 'a@example.com', customFields: { size: 5 } })
    expect([unknown.status, unknown.body.error.field]).toEqual([422, 'customFields.size'])
  })

  it('of an archived field can be sent back as they were read', async () => {
    const caller = await organization()
    const { call } = caller
    const [id, other] = [await newField(caller, 'multiselect'), await newField(caller, 'text')]
    const contact = await newContact(caller, { [id]: ['l', 's'], [other]: 'kept' })
    await call('DELETE', `/v1/custom-fields/${id}`)
    const path = `/v1/contacts/${contact.id}`
    const { customFields } = contact
    expect((await call('PATCH', path, { customFields })).body).toEqual(contact)
    expect((await call('PATCH', path, { customFields: { ...customFields, [other]: 'new' } })).body.customFields).toEqual({
      ...customFields,
      [other]: 'new',
    })
    const upserted = { matchOn: 'email', email: 'a@example.com', customFields }
    expect((await call('POST', '/v1/contacts/upsert', upserted)).body.customFields).toEqual(customFields)
    for (const [method, at, body] of [
      ['PATCH', path, { customFields: { [id]: ['l'] } }],
      ['POST', '/v1/contacts/upsert', { ...upserted, customFields: { [id]: ['s'] } }],
      ['POST', '/v1/contacts', { email: 'b@example.com', customFields }],
    ] as const) {
      const { status, body: answer } = await call(method, at, body)
      expect([at, status, answer.error?.field]).toEqual([at, 422, `customFields.${id}`])
    }
    const bulk = await call('POST', '/v1/contacts/bulk', { contactIds: [contact.id], set: { customFields } })
    expect([bulk.status, bulk.body.error?.field]).toEqual([422, `set.customFields.${id}`])
  })

  it('are all kept by parallel changes of different fields', async () => {
    const caller = await organization()
    const ids = [await newField(caller, 'number'), await newField(caller, 'number'), await newField(caller, 'number')]
    const { id } = await newContact(caller, {})
    await Promise.all(ids.map((field, index) => caller.call('PATCH', `/v1/contacts/${id}`, { customFields: { [field]: index } })))
    const { customFields } = (await caller.call('GET', `/v1/contacts/${id}`)).body
    expect(customFields).toEqual(Object.fromEntries(ids.map((field, index) => [field, index])))
  })

  it('filter lists', async () => {
    const caller = await organization()
    const [text, number, date, many] = [
      await newField(caller, 'text'),
      await newField(caller, 'number'),
      await newField(caller, 'date'),
      await newField(caller, 'multiselect'),
    ]
    const a = await newContact(caller, { [text]: 'a:b', [number]: 9, [date]: '2026-05-25', [many]: ['s'] })
    const b = await newContact(caller, { [number]: 10, [date]: '2026-12-01', [many]: ['s', 'l'] })
    await newContact(caller, {})
    const list = async (...filters: string[]): Promise<string[]> => {
      const query = new URLSearchParams(filters.map((filter): [string, string] => ['customField', filter]))
      const { status, body } = await caller.call('GET', `/v1/contacts?${query.toString()}`)
      expect([filters, status, body]).toEqual([filters, 200, expect.anything()])
      return body.map(({ id }: Contact) => id)
    }
    expect(await list(`${text}:a:b`)).toEqual([a.id])
    expect(await list(`${text.slice(4)}:A:B`)).toEqual([])
    expect(await list(`${number}:9`)).toEqual([a.id])
    expect(await list(`${number}:9..10`)).toEqual([b.id, a.id])
    expect(await list(`${number}:9.5..`)).toEqual([b.id])
    expect(await list(`${date}:..2026-06-01`)).toEqual([a.id])
    expect(await list(`${many}:Small`)).toEqual([b.id, a.id])
    expect(await list(`${many}:Small`, `${many}:l`)).toEqual([b.id])
    expect(await list(`${many}:s`, `${number}:..9`)).toEqual([a.id])
    for (const filter of ['x', text, `${text}:`, `${number}:x`, `${date}:2026-02-30`, `${many}:m`, `fld_${newId()}:x`]) {
      const answer = await caller.call('GET', `/v1/contacts?customField=${filter}`)
      expect([filter, answer.status, answer.body.error?.field.split('.')[0]]).toEqual([filter, 400, 'customField'])
    }
  })
})

describe('POST /v1/custom-fields/{id}/convert', () => {
  it('lists the values that would be lost, refuses to lose them, and keeps all others', async () => {
    const caller = await organization()
    const { call } = caller
    const id = await newField(caller, 'text')
    const path = `/v1/custom-fields/${id}/convert`
    const contacts = [await newContact(caller, { [id]: ' 7.50 ' }), await newContact(caller, { [id]: 'about 40' })]
    const lost = [{ recordId: contacts[1]?.id, value: 'about 40' }]
    const { body: dryRun } = await call('POST', path, { type: 'number', dryRun: true })
    expect(dryRun).toMatchObject({ dryRun: true, kept: 1, lost: 1, lostValues: lost, field: { type: 'text' } })
    const refused = await call('POST', path, { type: 'number' })
    expect([refused.status, refused.body.error.field]).toEqual([409, 'type'])
    const read = async () =>
      (await Promise.all(contacts.map((each) => call('GET', `/v1/contacts/${each.id}`)))).map(({ body }) => body.customFields[id])
    expect(await read()).toEqual(['7.50', 'about 40'])
    await call('PATCH', `/v1/contacts/${contacts[1]?.id}`, { customFields: { [id]: '-40' } })
    expect((await call('POST', path, { type: 'number' })).body).toMatchObject({
      dryRun: false,
      kept: 2,
      lost: 0,
      field: { type: 'number' },
    })
    expect(await read()).toEqual([7.5, -40])
    expect((await call('PATCH', `/v1/contacts/${contacts[1]?.id}`, { customFields: { [id]: 'x' } })).status).toBe(422)
    expect((await call('POST', path, { type: 'date' })).status).toBe(409)
  })

  it('converts between text and selects', async () => {
    const caller = await organization()
    const { call } = caller
    const id = await newField(caller, 'text')
    const path = `/v1/custom-fields/${id}/convert`
    const contact = await newContact(caller, { [id]: 'Blue' })
    await newContact(caller, { [id]: 'Red' })
    const read = async () => (await call('GET', `/v1/contacts/${contact.id}`)).body.customFields[id]
    const convert = async (body: object) => {
      const answer = await call('POST', path, body)
      expect([body, answer.status, answer.body]).toEqual([body, 200, expect.anything()])
      return answer.body.field
    }
    expect((await convert({ type: 'select' })).options.map(({ value }: { value: string }) => value)).toEqual(['Blue', 'Red'])
    await convert({ type: 'multiselect' })
    expect(await read()).toEqual(['Blue'])
    await convert({
      type: 'multiselect',
      options: [
        { value: 'b', label: 'blue' },
        { value: 'r', label: 'red' },
      ],
    })
    expect(await read()).toEqual(['b'])
    await convert({ type: 'text' })
    expect(await read()).toBe('blue')
    expect((await call('POST', path, { type: 'text', options })).status).toBe(422)
  })

  it.each(['contact', 'company'])('converts the values to which undoing a merge of a %s returns', async (entity) => {
    const caller = await organization()
    const { call } = caller
    const id = await newField(caller, 'text', { entity })
    const records = entity === 'contact' ? '/v1/contacts' : '/v1/companies'
    const record = async (value: string): Promise<string> => {
      const values = { customFields: { [id]: value } }
      const body = entity === 'contact' ? { email: 'a@example.com', ...values } : { name: 'A', ...values }
      return (await call('POST', records, body)).body.id
    }
    const convert = (body: object) => call('POST', `/v1/custom-fields/${id}/convert`, body)
    const [a, b, c] = [await record('12'), await record('34'), await record('about 40')]
    const mergeInto = (survivor: string) =>
      call('POST', `${records}/${survivor}/merge`, { otherIds: [b], fields: { [`customFields.${id}`]: b } })
    const unmerge = async (survivor: string) => (await call('POST', `${records}/${survivor}/unmerge`, { mergedId: b })).body
    await mergeInto(c)
    const lost = { lost: 1, lostValues: [{ recordId: c, value: 'about 40' }] }
    expect((await convert({ type: 'number', dryRun: true })).body).toMatchObject(lost)
    expect((await convert({ type: 'number' })).status).toBe(409)
    expect((await unmerge(c))[entity].customFields).toEqual({ [id]: 'about 40' })
    await call('PATCH', `${records}/${c}`, { customFields: { [id]: null } })
    await mergeInto(a)
    for (const type of ['select', 'text', 'number']) expect((await convert({ type })).status).toBe(200)
    const undone = await unmerge(a)
    expect([undone[entity].customFields, undone.restored.customFields]).toEqual([{ [id]: 12 }, { [id]: 34 }])
  })

  it('keeps an option that records have', async () => {
    const caller = await organization()
    for (const [type, value] of [
      ['select', 's'],
      ['multiselect', ['l', 's']],
    ] as const) {
      const id = await newField(caller, type)
      await newContact(caller, { [id]: value })
      const refused = await caller.call('PATCH', `/v1/custom-fields/${id}`, { options: [{ value: 'l' }] })
      expect([refused.status, refused.body.error.field]).toEqual([409, 'options'])
      expect((await caller.call('PATCH', `/v1/custom-fields/${id}`, { options: [{ value: 's' }, { value: 'l' }] })).status).toBe(200)
    }
  })
})
