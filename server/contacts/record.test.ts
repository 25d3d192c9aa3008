import { describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../testing/app.ts'
import { newMember } from '../testing/fixtures.ts'
import { suggestEmail } from './emails.ts'
import { normalizePhone } from './phones.ts'

const { organization, database } = await testApp()

const email = (value: string, more: object = {}) => ({ value, asSent: value, label: null, ...more })
const phone = (value: string, more: object = {}) => ({ value, asSent: value, label: null, extension: null, ...more })

async function created({ call }: Caller, body: object) {
  const answer = await call('POST', '/v1/contacts', body)
  expect([answer.status, answer.body.error]).toEqual([201, undefined])
  return answer.body
}

const refused = (field: string) => ({ status: 422, body: { error: { code: 'validation_error', field } } })

describe('emails and phones', () => {
  it('are stored as sent and normalized, the main one first, without duplicates', async () => {
    const caller = await organization()
    const contact = await created(caller, {
      emails: [{ value: 'Ada@Example.com', label: 'work' }, { value: 'ada@example.org' }, { value: 'ADA@example.com' }],
      phones: [
        { value: '+49 (0)30 123456 ext. 12' },
        { value: '+44 20 7946 0018', extension: '5' },
        { value: '+4930123456', extension: '12' },
      ],
    })
    expect(contact).toMatchObject({
      email: 'ada@example.com',
      emails: [email('ada@example.com', { asSent: 'Ada@Example.com', label: 'work' }), email('ada@example.org')],
      phone: '+4930123456',
      phones: [
        phone('+4930123456', { asSent: '+49 (0)30 123456 ext. 12', extension: '12' }),
        phone('+442079460018', { asSent: '+44 20 7946 0018', extension: '5' }),
      ],
    })
    expect(contact).not.toHaveProperty('warnings')
    expect((await caller.call('GET', `/v1/contacts/${contact.id}`)).body).toEqual(contact)
    const { emails, phones } = contact
    expect((await caller.call('PATCH', `/v1/contacts/${contact.id}`, { emails, phones })).body).toMatchObject({ emails, phones })
  })

  it('keep the others when the main one changes, and are removed with it', async () => {
    const caller = await organization()
    const { id } = await created(caller, {
      firstName: 'Ada',
      lastName: 'Lovelace',
      emails: [
        { value: 'a@example.com', label: 'work' },
        { value: 'b@example.com', label: 'home' },
      ],
    })
    const patch = async (body: object) => (await caller.call('PATCH', `/v1/contacts/${id}`, body)).body
    const b = email('b@example.com', { label: 'home' })
    expect((await patch({ email: 'a@example.com' })).emails).toEqual([email('a@example.com', { label: 'work' }), b])
    expect((await patch({ email: 'A@example.com' })).emails).toEqual([
      email('a@example.com', { asSent: 'A@example.com', label: 'work' }),
      b,
    ])
    expect((await patch({ email: 'c@example.com' })).emails).toEqual([email('c@example.com'), b])
    expect((await patch({ email: 'b@example.com' })).emails).toEqual([b, email('c@example.com')])
    expect(await patch({ jobTitle: 'Buyer' })).toMatchObject({ email: 'b@example.com', emails: [b, email('c@example.com')] })
    expect(await patch({ email: null })).toMatchObject({ email: null, emails: [] })
    expect(await patch({ email: 'd@example.com' })).toMatchObject({ email: 'd@example.com', emails: [email('d@example.com')] })
    expect(await patch({ emails: null })).toMatchObject({ email: null, emails: [] })
  })

  it('are 422 if the main one is not the first one, if one is invalid, and beyond 20', async () => {
    const { call } = await organization()
    const post = (body: object) => call('POST', '/v1/contacts', body)
    const two = [{ value: 'a@example.com' }, { value: 'b@example.com' }]
    expect(await post({ email: 'b@example.com', emails: two })).toMatchObject(refused('email'))
    expect(await post({ email: null, emails: two })).toMatchObject(refused('email'))
    expect(await post({ email: 'a@example.com', emails: [] })).toMatchObject(refused('email'))
    expect((await post({ email: 'A@EXAMPLE.com', emails: two })).status).toBe(201)
    expect(await post({ phone: '+4930123456', phones: [{ value: '+442079460018' }] })).toMatchObject(refused('phone'))
    expect((await post({ phone: '+49 30 123456', phones: [{ value: '+4930123456' }] })).status).toBe(201)
    expect(await post({ emails: [two[0], { value: 'no address' }] })).toMatchObject(refused('emails.1.value'))
    expect(await post({ phones: [{ value: '+4930123456' }, { value: '+999123' }] })).toMatchObject(refused('phones.1.value'))
    const many = Array.from({ length: 21 }, (_, index) => ({ value: `a${index}@example.com` }))
    expect(await post({ emails: many })).toMatchObject(refused('emails'))
    expect((await post({ emails: many.slice(1) })).body.emails).toHaveLength(20)
    expect(await post({ emails: [{ value: 'a@example.com', extension: '1' }] })).toMatchObject(refused('emails.0.extension'))
    expect(await post({ emails: [] })).toMatchObject(refused('email'))
  })

  it('are found by the filters, any of them, within the organization', async () => {
    const [caller, stranger] = [await organization(), await organization()]
    const body = {
      emails: [{ value: 'main@example.com' }, { value: 'other@example.com' }],
      phones: [{ value: '+4930123456' }, { value: '+44 (0)20 7946 0018' }],
    }
    const { id } = await created(caller, body)
    await created(stranger, body)
    const found = async (query: string) => (await caller.call('GET', `/v1/contacts?${query}`)).body.map((each: { id: string }) => each.id)
    for (const query of ['email=main@example.com', 'email=OTHER@example.com', 'phone=%2B4930123456', 'phone=%2B44 20 7946 0018'])
      expect([query, await found(query)]).toEqual([query, [id]])
    await caller.call('PATCH', `/v1/contacts/${id}`, { emails: [{ value: 'main@example.com' }] })
    expect(await found('email=other@example.com')).toEqual([])
    await caller.call('DELETE', `/v1/contacts/${id}`)
    expect(await found('email=main@example.com')).toEqual([])
  })

  it('follow a program of a former version that changes the main one alone', async () => {
    const caller = await organization()
    const { id } = await created(caller, { emails: [{ value: 'a@example.com', label: 'work' }, { value: 'b@example.com' }] })
    await database.pool.query(`update contact set email = 'new@example.com' where id = $1`, [id.slice(4)])
    expect((await caller.call('GET', `/v1/contacts/${id}`)).body.emails).toEqual([email('new@example.com'), email('b@example.com')])
    await database.pool.query(`update contact set email = null, first_name = 'A' where id = $1`, [id.slice(4)])
    expect((await caller.call('GET', `/v1/contacts/${id}`)).body.emails).toEqual([])
  })
})

describe('email addresses', () => {
  it.each([
    ['Jörg@Example.com', 'jörg@example.com'],
    ['ada@MÜNCHEN.example', 'ada@xn--mnchen-3ya.example'],
    ['用户@例子.example', '用户@xn--fsqu00a.example'],
    ['a+b&c@example.xn--p1ai', 'a+b&c@example.xn--p1ai'],
  ])('%s is stored as %s', async (sent, value) => {
    const contact = await created(await organization(), { email: sent })
    expect(contact).toMatchObject({ email: value, emails: [{ value, asSent: sent }] })
  })

  it.each(['a@b', '@example.com', 'a b@example.com', 'a..b@example.com', '.a@example.com', 'a@ex%61mple.com', 'a@-x.example', 'a@1.2.3.4'])(
    'refuses %s',
    async (sent) => {
      expect(await (await organization()).call('POST', '/v1/contacts', { email: sent })).toMatchObject(refused('email'))
    },
  )

  it('are stored with a warning if the domain looks mistyped', async () => {
    const caller = await organization()
    const warning = (field: string) => ({
      code: 'did_you_mean',
      field,
      message: 'Did you mean ada@gmail.com?',
      suggestion: 'ada@gmail.com',
    })
    const contact = await created(caller, { email: 'ada@gmial.com' })
    expect(contact).toMatchObject({ email: 'ada@gmial.com', warnings: [warning('email')] })
    expect((await caller.call('GET', `/v1/contacts/${contact.id}`)).body).not.toHaveProperty('warnings')
    const changed = await caller.call('PATCH', `/v1/contacts/${contact.id}`, {
      emails: [{ value: 'ada@example.com' }, { value: 'ada@gmail.con' }],
    })
    expect(changed.body.warnings).toEqual([warning('emails.1.value')])
    const { data } = (await caller.call('GET', '/v1/events')).body
    expect(JSON.stringify(data)).not.toContain('warnings')
  })

  it.each([
    ['a@gmal.com', 'a@gmail.com'],
    ['a@gmail.co', 'a@gmail.com'],
    ['a@hotmial.fr', 'a@hotmail.fr'],
    ['a@outlok.com', 'a@outlook.com'],
    ['a@example.con', 'a@example.com'],
    ['a@gmail.com', null],
    ['a@mail.com', null],
    ['a@email.com', null],
    ['a@ymail.com', null],
    ['a@outlook.dk', null],
    ['a@example.co', null],
  ])('%s suggests %s', (address, suggestion) => expect(suggestEmail(address)).toBe(suggestion))
})

describe('phone numbers', () => {
  it.each([
    ['+49 (0)30 123456', null, '+4930123456', null],
    ['+39 (0)6 12345678', null, '+390612345678', null],
    ['+1 (0)212 555 2345', null, '+12125552345', null],
    ['030/123456', 'DE', '+4930123456', null],
    ['0049 30 123456', 'DE', '+4930123456', null],
    ['(212) 555-2345 x7', 'US', '+12125552345', '7'],
    ['٠٣٠ ١٢٣٤٥٦', 'DE', '+4930123456', null],
    ['+४९ ३० १२३४५६', null, '+4930123456', null],
    ['\u202a+49 30 123456\u202c', null, '+4930123456', null],
    ['＋４９３０１２３４５６', null, '+4930123456', null],
    ['tel:+4930123456', null, '+4930123456', null],
  ])('%s of %s is %s with extension %s', (sent, country, value, extension) => {
    expect(normalizePhone(sent, country, 'phone')).toEqual({ value, extension, isAssigned: true })
  })

  it.each([
    ['+999 123 4567', null],
    ['030 123456', null],
    ['call 030 123456', 'DE'],
    ['+49 30', null],
    ['12', 'DE'],
  ])('%s of %s is refused', (sent, country) => expect(() => normalizePhone(sent, country, 'phone')).toThrow('must be a valid phone number'))

  it('with another extension are other numbers', async () => {
    const caller = await organization()
    const phones = [
      { value: '+49 (0)30 123456 ext. 1', label: 'desk' },
      { value: '+49 (0)30 123456 ext. 2', label: 'lab' },
    ]
    const contact = await created(caller, { phones })
    const patch = async (body: object) => (await caller.call('PATCH', `/v1/contacts/${contact.id}`, body)).body
    expect(await patch({ phone: contact.phone, phones: contact.phones })).toEqual(contact)
    expect(await patch({ phone: contact.phone })).toEqual(contact)
    const [desk, lab] = [
      phone('+4930123456', { asSent: '+49 (0)30 123456 ext. 1', label: 'desk', extension: '1' }),
      phone('+4930123456', { asSent: '+49 30 123456 ext 2', label: 'lab', extension: '2' }),
    ]
    expect((await patch({ phone: '+49 30 123456 ext 2' })).phones).toEqual([lab, desk])
    expect((await patch({ phones: [lab, desk].map(({ value, label, extension }) => ({ value, label, extension })) })).phones).toEqual([
      lab,
      desk,
    ])
    expect((await patch({ phones: [{ value: '+4930123456' }, desk] })).phones).toEqual([phone('+4930123456'), desk])
    expect((await patch({ phone: '+49 30 123456 ext 3' })).phones).toEqual([
      phone('+4930123456', { asSent: '+49 30 123456 ext 3', extension: '3' }),
      desk,
    ])
  })

  it('in a national format are those of the organization’s country', async () => {
    const caller = await organization()
    expect(await caller.call('POST', '/v1/contacts', { phone: '030 123456' })).toMatchObject(refused('phone'))
    expect((await caller.call('PATCH', '/v1/organization', { country: 'DE' })).status).toBe(200)
    const contact = await created(caller, { phone: '030 123456' })
    expect(contact).toMatchObject({ phone: '+4930123456', phones: [phone('+4930123456', { asSent: '030 123456' })] })
  })

  it('that are possible but not assigned are stored with a warning', async () => {
    const contact = await created(await organization(), { phones: [{ value: '+1 555 010 0123' }] })
    expect(contact.phone).toBe('+15550100123')
    expect(contact.warnings).toMatchObject([{ code: 'unassigned_number', field: 'phones.0.value', suggestion: null }])
  })
})

describe('further fields', () => {
  it('are stored, changed and cleared', async () => {
    const caller = await organization()
    const ownerId = await newMember(caller.ctx)
    const fields = {
      jobTitle: 'Buyer',
      address: { street: '1 High Street', city: 'Bath', country: 'GB' },
      language: 'PT-br',
      timeZone: 'Europe/London',
      ownerId,
      doNotContact: true,
    }
    const stored = { ...fields, language: 'pt-BR', address: { ...fields.address, postalCode: null, region: null } }
    const address = { ...fields.address, country: 'gb' }
    const contact = await created(caller, { email: 'a@example.com', ...fields, address })
    expect(contact).toMatchObject(stored)
    const changed = await caller.call('PATCH', `/v1/contacts/${contact.id}`, { address: { city: 'Wells' } })
    expect(changed.body).toMatchObject({
      ...stored,
      address: { street: null, city: 'Wells', postalCode: null, region: null, country: null },
    })
    const nulls = Object.fromEntries(Object.keys(fields).map((name) => [name, null]))
    expect((await caller.call('PATCH', `/v1/contacts/${contact.id}`, nulls)).body).toMatchObject({ ...nulls, doNotContact: false })
  })

  it('refuse other values with 422', async () => {
    const { call } = await organization()
    const stranger = await organization()
    const foreign = await newMember(stranger.ctx)
    for (const [field, value] of [
      ['timeZone', 'Mars/Olympus'],
      ['timeZone', '+01:00'],
      ['language', 'not a language'],
      ['ownerId', foreign],
      ['ownerId', 'usr_x'],
      ['address.country', { country: 'XX' }],
      ['address.zip', { zip: '1' }],
      ['doNotContact', 'yes'],
      ['jobTitle', 'x'.repeat(121)],
    ] as const) {
      const name = field.split('.', 1)[0] ?? ''
      expect([field, await call('POST', '/v1/contacts', { email: 'a@example.com', [name]: value })]).toMatchObject([field, refused(field)])
    }
  })

  it('have no owner after the member has left', async () => {
    const caller = await organization()
    const ownerId = await newMember(caller.ctx)
    const { id } = await created(caller, { email: 'a@example.com', ownerId })
    expect((await caller.call('DELETE', `/v1/members/${ownerId}`)).status).toBe(204)
    expect((await caller.call('GET', `/v1/contacts/${id}`)).body.ownerId).toBeNull()
    expect(await caller.call('PATCH', `/v1/contacts/${id}`, { ownerId })).toMatchObject(refused('ownerId'))
  })
})
