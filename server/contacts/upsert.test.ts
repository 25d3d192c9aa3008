import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { newMember } from '../testing/fixtures.ts'
import { exchangesOf } from '../testing/exchanges.ts'

const { organization, database } = await testApp()

const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
const refused = (field: string) => ({ status: 422, body: { error: { code: 'validation_error', field } } })

async function caller() {
  const own = await organization()
  const upsert = (body: object, headers?: Record<string, string>) => own.call('POST', '/v1/contacts/upsert', body, headers)
  const batch = async (matchOn: string, contacts: unknown[]) => {
    const { status, body } = await own.call('POST', '/v1/contacts/batch', { matchOn, contacts })
    expect([status, body.error]).toEqual([200, undefined])
    return body.data
  }
  const contacts = async () => (await own.call('GET', '/v1/contacts?limit=100')).body
  const events = async () =>
    (await own.call('GET', '/v1/events?limit=100')).body.data.map((event: { type: string; data: { id: string } }) => [
      event.type,
      event.data.id,
    ])
  return { ...own, upsert, batch, contacts, events }
}

describe('POST /v1/contacts/upsert', () => {
  it('creates a contact, then changes it: given fields win, tags are added, null clears', async () => {
    const { call, upsert, events } = await caller()
    const { status, body } = await upsert({ matchOn: 'email', ...ada, tags: ['a'], source: 'fair', jobTitle: 'Countess' })
    expect([status, body.created]).toEqual([200, true])
    const { created: _created, ...contact } = body
    expect((await call('GET', `/v1/contacts/${body.id}`)).body).toEqual(contact)
    const again = await upsert({ matchOn: 'email', email: 'ADA@example.com', lastName: 'King', tags: ['b', 'a'], source: null })
    expect(again).toMatchObject({ status: 200, body: { id: body.id, created: false, firstName: 'Ada', lastName: 'King', source: null } })
    expect([again.body.tags, again.body.jobTitle]).toEqual([['a', 'b'], 'Countess'])
    expect(await events()).toEqual([
      ['contact.updated', body.id],
      ['contact.created', body.id],
    ])
  })

  it('neither writes nor emits anything if the contact has all values already', async () => {
    const { upsert, events } = await caller()
    const body = {
      matchOn: 'email',
      ...ada,
      emails: [{ value: 'ada@example.com' }],
      tags: ['a'],
      address: { city: 'Bath' },
      doNotContact: true,
    }
    const first = (await upsert(body)).body
    expect((await upsert(body)).body).toEqual({ ...first, created: false })
    expect(await events()).toHaveLength(1)
  })

  it('leaves values that the contact has in another format', async () => {
    const { call, upsert, events } = await caller()
    const first = (
      await call('POST', '/v1/contacts', {
        emails: [{ value: 'Ada@example.com', label: 'work' }, { value: 'b@example.com' }],
        phones: [{ value: '+49 (0)30 8811839 ext. 5', label: 'desk' }, { value: '+442079460018' }],
      })
    ).body
    for (const body of [
      { matchOn: 'email', email: 'ADA@example.com' },
      { matchOn: 'email', emails: [{ value: 'B@example.com' }, { value: 'ada@EXAMPLE.com', label: null }] },
      { matchOn: 'phone', phone: '+49 30 8811839' },
      { matchOn: 'phone', phone: '+49308811839', phones: [{ value: '+4930 8811839' }, { value: '+44 20 7946 0018' }] },
      { matchOn: 'phone', phone: '+49 30 8811839', emails: [{ value: 'ADA@example.com' }] },
    ])
      expect((await upsert(body)).body).toEqual({ ...first, created: false })
    expect(await events()).toHaveLength(1)
    const { body } = await upsert({ matchOn: 'phone', phones: [{ value: '+49 30 8811839', label: 'work' }] })
    expect(body.phones[0]).toEqual({ ...first.phones[0], label: 'work' })
  })

  it('matches all addresses and numbers of the request', async () => {
    const { call, upsert, batch, contacts } = await caller()
    const { id } = (await call('POST', '/v1/contacts', ada)).body
    const emails = [{ value: 'new@example.com' }, { value: 'ADA@example.com' }]
    expect((await upsert({ matchOn: 'email', emails })).body).toMatchObject({ id, created: false, email: 'new@example.com' })
    const other = (await call('POST', '/v1/contacts', { phone: '+4930123456', email: 'b@example.com' })).body
    expect((await upsert({ matchOn: 'email', emails: [...emails, { value: 'b@example.com' }] })).body.error.candidates).toHaveLength(2)
    // Contacts of a batch with one of the same values are handled in their order.
    const numbers = ['+442079460018', '+4930123456', '+442079460019']
    const data = await batch('phone', [
      { phone: numbers[2], firstName: 'First' },
      { phones: numbers.map((value) => ({ value })), firstName: 'Second' },
      { phone: numbers[0], firstName: 'Third' },
      { phones: [{ value: numbers[0] }, { value: 'no number' }] },
    ])
    expect(data.map(({ status }: { status: number }) => status)).toEqual([201, 409, 201, 422])
    expect(data[1].error.candidates).toMatchObject([{ id: other.id }, { id: data[0].contact.id }])
    expect(await contacts()).toHaveLength(4)
  })

  it('matches any address and number, and the externalId', async () => {
    const { upsert, contacts } = await caller()
    const { id } = (
      await upsert({
        matchOn: 'externalId',
        externalId: 'crm-1',
        emails: [{ value: 'a@example.com' }, { value: 'b@example.com', label: 'home' }],
        phones: [{ value: '+4930123456' }, { value: '+442079460018' }],
      })
    ).body
    for (const body of [
      { matchOn: 'email', email: 'b@example.com' },
      { matchOn: 'email', emails: [{ value: 'B@example.com' }] },
      { matchOn: 'phone', phone: '+44 (0)20 7946 0018' },
      { matchOn: 'externalId', externalId: 'crm-1', emails: [{ value: 'c@example.com' }] },
    ])
      expect((await upsert(body)).body).toMatchObject({ id, created: false })
    const [contact, ...others] = await contacts()
    expect(others).toEqual([])
    expect(contact.emails.map(({ value, label }: { value: string; label: string }) => [value, label])).toEqual([
      ['c@example.com', null],
      ['b@example.com', 'home'],
      ['a@example.com', null],
    ])
  })

  it('is 409 with the candidates if several contacts match, also when it is repeated with its key', async () => {
    const { call, upsert } = await caller()
    const ids = [(await call('POST', '/v1/contacts', ada)).body.id, (await call('POST', '/v1/contacts', { email: ada.email })).body.id]
    for (const _ of [1, 2]) {
      const { status, body } = await upsert({ matchOn: 'email', email: ada.email }, { 'idempotency-key': 'k' })
      expect([status, body.error.code]).toEqual([409, 'conflict'])
      expect(body.error.candidates.toSorted((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1))).toEqual([
        { id: ids[0], name: 'Ada Lovelace' },
        { id: ids[1], name: null },
      ])
    }
  })

  it('is 422 without the value that it matches, and 409 if the externalId is taken', async () => {
    const { call, upsert } = await caller()
    expect(await upsert({ matchOn: 'phone', ...ada })).toMatchObject(refused('phone'))
    expect(await upsert({ matchOn: 'email', email: null })).toMatchObject(refused('email'))
    expect(await upsert({ matchOn: 'name', ...ada })).toMatchObject(refused('matchOn'))
    expect(await upsert(ada)).toMatchObject(refused('matchOn'))
    expect(await upsert({ matchOn: 'externalId', externalId: 'x' })).toMatchObject(refused('email'))
    expect(await upsert({ matchOn: 'email', email: 'no address' })).toMatchObject(refused('email'))
    await call('POST', '/v1/contacts', { ...ada, externalId: 'taken' })
    expect(await upsert({ matchOn: 'email', email: 'b@example.com', externalId: 'taken' })).toMatchObject({
      status: 409,
      body: { error: { field: 'externalId' } },
    })
  })

  it('has one contact after 100 parallel requests, which one of them created', async () => {
    const { upsert, contacts, events } = await caller()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => upsert({ matchOn: 'email', email: 'new@example.com', tags: [`t${index % 40}`] })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200))
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1)
    const [contact, ...others] = await contacts()
    expect(others).toEqual([])
    expect(contact.tags).toHaveLength(40)
    expect((await events()).filter(([type]: string[]) => type === 'contact.created')).toHaveLength(1)
  })

  it('creates one contact for repeated requests with the same keys', async () => {
    const { upsert, contacts } = await caller()
    const send = (index: number) => upsert({ matchOn: 'phone', phone: '+4930123456' }, { 'idempotency-key': `key-${index}` })
    const first = await Promise.all(Array.from({ length: 20 }, (_, index) => send(index)))
    const again = await Promise.all(Array.from({ length: 20 }, (_, index) => send(index)))
    expect(again.map(({ body }) => body)).toEqual(first.map(({ body }) => body))
    expect(first.filter(({ body }) => body.created)).toHaveLength(1)
    expect(await contacts()).toHaveLength(1)
  })

  it('does not match deleted contacts and those of others', async () => {
    const [own, stranger] = [await caller(), await caller()]
    const { id } = (await own.upsert({ matchOn: 'email', ...ada })).body
    await stranger.upsert({ matchOn: 'email', ...ada })
    await own.call('DELETE', `/v1/contacts/${id}`)
    expect((await own.upsert({ matchOn: 'email', ...ada })).body.created).toBe(true)
  })
})

const endsTransaction = (texts: readonly string[]): boolean => texts.some((text) => text === 'commit' || text === 'rollback')

describe('POST /v1/contacts/batch', () => {
  it('answers for each contact, and a bad one does not fail the others', async () => {
    const { call, batch, contacts, events } = await caller()
    const known = (await call('POST', '/v1/contacts', { ...ada, externalId: 'taken' })).body
    for (const _ of [1, 2]) await call('POST', '/v1/contacts', { email: 'twice@example.com' })
    const data = await batch('email', [
      { email: 'new@gmial.com' },
      { email: 'no address' },
      { email: 'ADA@example.com', lastName: 'King' },
      { emial: 'typo@example.com' },
      { email: 'twice@example.com' },
      { email: 'other@example.com', externalId: 'taken' },
      { firstName: 'No', lastName: 'Address' },
      { email: 'last@example.com', phone: '+999 1' },
      { email: 'owned@example.com', ownerId: known.id.replace('ctc', 'usr') },
      { email: 'new@gmial.com', firstName: 'Second' },
      null,
      'text',
      5,
    ])
    expect(
      data.map(({ status, created, error }: { status: number; created: boolean; error: { field?: string } | null }) => [
        status,
        created,
        error?.field,
      ]),
    ).toEqual([
      [201, true, undefined],
      [422, false, 'email'],
      [200, false, undefined],
      [422, false, 'emial'],
      [409, false, undefined],
      [409, false, 'externalId'],
      [422, false, 'email'],
      [422, false, 'phone'],
      [422, false, 'ownerId'],
      [200, false, undefined],
      ...[1, 2, 3].map(() => [422, false, undefined]),
    ])
    expect(data[10].error).toMatchObject({ code: 'validation_error', message: 'The request must be an object.' })
    expect(data[0].warnings).toMatchObject([{ code: 'did_you_mean', field: 'email' }])
    expect(data[2].contact).toMatchObject({ id: known.id, lastName: 'King' })
    expect(data[4].error.candidates).toHaveLength(2)
    expect(data[9].contact).toMatchObject({ id: data[0].contact.id, firstName: 'Second' })
    expect(await contacts()).toHaveLength(4)
    expect(
      (await events())
        .slice(0, 3)
        .map(([type]: string[]) => type)
        .toSorted(),
    ).toEqual(['contact.created', 'contact.updated', 'contact.updated'])
  })

  it('writes 500 contacts in few transactions, with one event and one audit entry each', async () => {
    const own = await caller()
    const { call, batch } = own
    const ownerId = await newMember(own.ctx)
    const many = Array.from({ length: 500 }, (_, index) => ({
      email: `a${index}@example.com`,
      firstName: `N${index}`,
      tags: ['batch'],
      address: { city: 'Bath' },
      phones: [{ value: '+49 (0)30 123456', label: 'work' }],
      ownerId,
    }))
    const sent = async (contacts: object[]) => {
      let data: Awaited<ReturnType<typeof batch>>
      // Maintenance of the embedded engine and other test files may send statements meanwhile.
      const exchanges = await exchangesOf(async () => (data = await batch('email', contacts)), own.organizationId)
      const statements = exchanges.map((transaction) => transaction.flatMap(({ texts }) => texts))
      return { data, transactions: statements.filter(endsTransaction).length, statements: statements.flat().length }
    }
    const first = await sent(many)
    expect(first.transactions).toBeLessThanOrEqual(7)
    expect(first.statements).toBeLessThanOrEqual(60)
    const { data } = first
    expect(data.map(({ contact }: { contact: { firstName: string } }) => contact.firstName)).toEqual(many.map(({ firstName }) => firstName))
    expect((await call('GET', `/v1/contacts/${data[77].contact.id}`)).body).toEqual(data[77].contact)
    expect(data[77].contact).toMatchObject({ address: { city: 'Bath' }, phones: [{ label: 'work' }], tags: ['batch'], ownerId })
    const second = await sent(many.map((each, index) => (index % 2 === 0 ? each : { ...each, jobTitle: 'Buyer' })))
    expect(second.transactions).toBeLessThanOrEqual(7)
    expect(second.statements).toBeLessThanOrEqual(60)
    const changed = second.data
    expect(changed.every(({ status }: { status: number }) => status === 200)).toBe(true)
    const counts = await database.pool.query(
      `select (select count(*)::int from event where organization_id = $1) as events,
        (select count(*)::int from audit_entry where organization_id = $1 and action like 'contact.%') as entries`,
      [own.organizationId],
    )
    expect(counts.rows[0]).toEqual({ events: 750, entries: 750 })
    await call('POST', '/v1/contacts', { email: 'b@example.com', externalId: 'taken' })
    const bad = [137, 401]
    const third = await sent(
      many.map((each, index) => ({ ...each, language: 'de', externalId: bad.includes(index) ? 'taken' : String(index) })),
    )
    expect(third.data.flatMap(({ status }: { status: number }, index: number) => (status === 200 ? [] : [[index, status]]))).toEqual([
      [137, 409],
      [401, 409],
    ])
    expect(third.transactions).toBeLessThanOrEqual(7)
    expect(third.statements).toBeLessThanOrEqual(70)
  })

  it('finds the contact whose externalId another request takes meanwhile', async () => {
    const { batch } = await caller()
    // Only the unique index sees the contact of the other request.
    await database.pool.query(`
      create function take_external_id() returns trigger language plpgsql as $$ begin
        insert into contact (organization_id, id, external_id, email, tags, custom_fields, created_at, updated_at)
          values (new.organization_id, gen_random_uuid(), 'raced', 'other@example.com', '{}', '{}', now(), now());
        return new;
      end $$;
      create trigger take_external_id before insert on contact for each row
        when (new.external_id = 'raced' and new.email <> 'other@example.com') execute function take_external_id()`)
    const data = await batch(
      'email',
      Array.from({ length: 8 }, (_, index) => ({ email: `r${index}@example.com`, externalId: index === 5 ? 'raced' : `r${index}` })),
    )
    await database.pool.query('drop trigger take_external_id on contact')
    expect(data.map(({ status }: { status: number }) => status)).toEqual([201, 201, 201, 201, 201, 409, 201, 201])
    // Two of one batch want the same externalId.
    const same = ['x@example.com', 'y@example.com'].map((email) => ({ email, externalId: 'same' }))
    expect((await batch('email', same)).map(({ status }: { status: number }) => status)).toEqual([201, 409])
  })

  it('refuses more than 500 contacts, and none', async () => {
    const { call } = await caller()
    const send = (contacts: object[]) => call('POST', '/v1/contacts/batch', { matchOn: 'email', contacts })
    expect(await send(Array.from({ length: 501 }, () => ({ email: 'a@example.com' })))).toMatchObject(refused('contacts'))
    expect(await send([])).toMatchObject(refused('contacts'))
  })

  it('creates each contact once when overlapping batches run in parallel', async () => {
    const { batch, contacts } = await caller()
    const of = (from: number) => Array.from({ length: 60 }, (_, index) => ({ email: `p${(from + index) % 70}@example.com` }))
    const answers = (
      await Promise.all([0, 20, 40, 60].map((from) => batch('email', from % 40 === 0 ? of(from) : of(from).toReversed())))
    ).flat()
    expect(answers.filter(({ created }: { created: boolean }) => created)).toHaveLength(70)
    expect(await contacts()).toHaveLength(70)
  })
})
