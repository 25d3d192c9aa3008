import type { Contact } from '@groundwork/api'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, describe, expect, it } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { xlsxFile } from './xlsx-writer.ts'

const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
afterAll(() => outbound.close())
const { organization, app } = await testApp({ worker: { outbound } })

const download = async ({ token }: Caller, body: object): Promise<{ status: number; bytes: Buffer; headers: Record<string, unknown> }> => {
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/contact-exports',
    headers: { authorization: `Bearer ${token}` },
    payload: body,
  })
  return { status: answer.statusCode, bytes: answer.rawPayload, headers: answer.headers }
}

const create = async ({ call }: Caller, path: string, body: object): Promise<string> => {
  const answer = await call('POST', path, body)
  expect([body, answer.status]).toEqual([body, 201])
  return answer.body.id
}

async function customFields(caller: Caller): Promise<Record<'number' | 'notes' | 'choice' | 'choices' | 'day', string>> {
  const number = await create(caller, '/v1/custom-fields', { entity: 'contact', name: 'Budget', type: 'number' })
  const notes = await create(caller, '/v1/custom-fields', { entity: 'contact', name: '=Notes', type: 'text' })
  const options = [
    { value: 'a', label: 'b' },
    { value: 'b', label: 'c' },
  ]
  const choice = await create(caller, '/v1/custom-fields', { entity: 'contact', name: 'Email', type: 'select', options })
  const choices = await create(caller, '/v1/custom-fields', { entity: 'contact', name: 'Topics', type: 'multiselect', options })
  const day = await create(caller, '/v1/custom-fields', { entity: 'contact', name: 'Since', type: 'date' })
  return { number, notes, choice, choices, day }
}

/** Creates contacts with every field, and values that files and spreadsheets change. */
async function variedContacts(caller: Caller): Promise<void> {
  const companyId = await create(caller, '/v1/companies', { name: 'Moss & "Co"; Berlin', domains: ['moss.example'] })
  const { number, notes, choice, choices, day } = await customFields(caller)
  await create(caller, '/v1/contacts', {
    externalId: '007',
    firstName: 'Ada',
    lastName: 'Moss',
    emails: [{ value: 'ada@example.com', label: 'work' }, { value: 'ada@moss.example' }],
    phones: [{ value: '+49 30 123456', label: 'office', extension: '12' }, { value: '+44 20 7946 0018' }],
    jobTitle: '=HYPERLINK("https://example.com")',
    address: { street: 'Main Street 1\nBack yard', city: 'Köln', postalCode: '01234', region: 'NRW', country: 'DE' },
    language: 'de',
    timeZone: 'Europe/Berlin',
    doNotContact: true,
    companyId,
    tags: ['vip', 'a, b', 'c;d', 'e:::f', '*g'],
    source: '-2+3',
    customFields: { [number]: -0.0000001, [notes]: '@SUM(1)\n"x"', [choice]: 'a', [choices]: ['b', 'a'], [day]: '2026-01-31' },
  })
  await create(caller, '/v1/contacts', {
    firstName: "'=1+1",
    lastName: '+1',
    email: 'b@example.com',
    tags: ['x, y'],
    customFields: { [number]: -12.5 },
  })
  await create(caller, '/v1/contacts', { phone: '+390612345678', jobTitle: '＝1 _x0041_', tags: ['one', 'two'] })
  await create(caller, '/v1/contacts', { firstName: '山田', lastName: '太郎\u000b\u0001', source: "''quoted" })
}

const withoutTimes = (contacts: object[]): object[] => contacts.map((contact) => ({ ...contact, lastInteractionAt: null }))

/** Returns what organizations can have in common: everything but ids, times, and addresses as they were sent. */
async function recordsOf({ call }: Caller): Promise<unknown[]> {
  const { data: fields } = (await call('GET', '/v1/custom-fields')).body
  const { data: companies } = (await call('GET', '/v1/companies')).body
  const name = (rows: { id: string; name: string }[], id: unknown): string | null => rows.find((row) => row.id === id)?.name ?? null
  const contacts: Contact[] = (await call('GET', '/v1/contacts')).body
  return contacts
    .map((contact) => ({
      ...contact,
      id: null,
      createdAt: null,
      updatedAt: null,
      lastInteractionAt: null,
      companyId: name(companies, contact.companyId),
      emails: contact.emails.map(({ value, label }) => ({ value, label })),
      phones: contact.phones.map(({ value, label, extension }) => ({ value, label, extension })),
      customFields: Object.fromEntries(Object.entries(contact.customFields).map(([field, value]) => [name(fields, field), value])),
    }))
    .toSorted((a, b) => String(a.firstName).localeCompare(String(b.firstName)))
}

async function importFile(caller: Caller, name: string, bytes: Buffer, mapping?: object[]): Promise<Record<string, unknown>> {
  const { body: upload } = await caller.call('POST', '/v1/uploads', { fileName: name, sizeBytes: bytes.length })
  await caller.ctx.storage.write(`${caller.organizationId}/originals/${upload.id.slice(-36)}`, bytes)
  await caller.ctx.db.transaction(caller.organizationId, (trx) =>
    trx.updateTable('upload').set({ received_at: caller.ctx.now() }).where('id', '=', upload.id.slice(-36)).execute(),
  )
  const id = await create(caller, '/v1/contact-imports', { storageUrl: upload.storageUrl, ...(mapping && { mapping }) })
  await expect
    .poll(async () => (await caller.call('GET', `/v1/contact-imports/${id}`)).body.status, { timeout: 60_000 })
    .not.toMatch(/queued|running/)
  return (await caller.call('GET', `/v1/contact-imports/${id}`)).body
}

describe('POST /v1/contact-exports', () => {
  it.each([
    ['csv', { format: 'csv' }],
    ['csv', { format: 'csv', bom: true }],
    ['xlsx', { format: 'xlsx' }],
  ])('makes a file %s whose import changes nothing: %j', async (extension, body) => {
    const caller = await organization()
    await variedContacts(caller)
    await create(caller, '/v1/custom-fields', { entity: 'contact', name: 'ownerId', type: 'text' })
    const before = (await caller.call('GET', '/v1/contacts')).body
    const { status, bytes } = await download(caller, body)
    expect(status).toBe(200)
    const { status: outcome, counts, error } = await importFile(caller, `contacts.${extension}`, bytes)
    const errors = (await caller.call('GET', '/v1/contact-imports')).body.data[0].id
    const rows = (await caller.call('GET', `/v1/contact-imports/${errors}/errors`)).body
    expect(rows).toMatch(/^[^\n]*,row,field,error\r\n$/)
    expect({ outcome, counts, error }).toMatchObject({
      outcome: 'completed',
      counts: { created: 0, updated: 0, unchanged: 4, failed: 0, companiesCreated: 0 },
    })
    expect(withoutTimes((await caller.call('GET', '/v1/contacts')).body)).toEqual(withoutTimes(before))
  })

  it.each(['csv', 'xlsx'])('makes a file %s whose import gives another organization the same contacts', async (format) => {
    const [caller, other] = [await organization(), await organization()]
    await variedContacts(caller)
    const fields = await customFields(other)
    const choice = (await caller.call('GET', '/v1/custom-fields')).body.data.find(({ name }: { name: string }) => name === 'Email').id
    const { bytes } = await download(caller, { format })
    const run = await importFile(other, `contacts.${format}`, bytes, [{ column: choice, field: fields.choice }])
    expect(run).toMatchObject({ status: 'completed', counts: { created: 4, failed: 0, companiesCreated: 1 } })
    expect(await recordsOf(other)).toEqual(await recordsOf(caller))
  })

  it('lets a spreadsheet calculate nothing', async () => {
    const caller = await organization()
    await variedContacts(caller)
    const { bytes, headers } = await download(caller, { bom: true })
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringContaining('contacts.csv'),
    })
    const text = bytes.toString()
    expect(text.startsWith('\ufeffgroundworkId,externalId,firstName,')).toBe(true)
    expect(text.slice(0, text.indexOf('\r')).split(',').slice(-5)).toEqual(["'=Notes", 'Budget', expect.stringMatching(/^fld_/), 'Since', 'Topics']) // prettier-ignore
    for (const cell of [`"'=HYPERLINK(""https://example.com"")"`, `,'-2+3,`, `"'@SUM(1)\n""x"""`, `,''=1+1,+1,`, `,'＝1 _x0041_,`])
      expect(text).toContain(cell)
    const sheet = strFromU8(unzipSync((await download(caller, { format: 'xlsx' })).bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
    expect(sheet).toContain('<c t="inlineStr" s="1"><is><t xml:space="preserve">=HYPERLINK("https://example.com")</t></is></c>')
    expect(sheet).not.toContain('<f>')
    expect(sheet.match(/<c><v>/g)).toHaveLength(1)
  })

  it('exports the contacts that meet the filter, one in a line', async () => {
    const caller = await organization()
    const companyId = await create(caller, '/v1/companies', { name: 'Moss', domains: ['moss.example'] })
    const id = await create(caller, '/v1/contacts', { email: 'a@example.com', tags: ['vip'], companyId })
    await create(caller, '/v1/contacts', { email: 'b@example.com' })
    const { body: contact } = await caller.call('GET', `/v1/contacts/${id}`)
    const { bytes } = await download(caller, { format: 'jsonl', filter: { key: 'tags', eq: 'vip' } })
    expect(JSON.parse(bytes.toString())).toEqual({ ...contact, companyName: 'Moss', companyDomain: 'moss.example' })
    expect((await download(caller, { format: 'jsonl', filter: { key: 'tags', eq: 'none' } })).bytes).toHaveLength(0)
    const all = (await download(caller, {})).bytes.toString()
    expect(all.split('\r\n')).toHaveLength(4)
  })

  it('reads more contacts than one statement returns, and none of other organizations', async () => {
    const [caller, other] = [await organization(), await organization()]
    await create(other, '/v1/contacts', { email: 'hidden@example.com' })
    await caller.ctx.db.pool.query(
      `insert into contact (organization_id, id, email, created_at, updated_at)
       select $1, gen_random_uuid(), n || '@example.com', date_trunc('second', now()), now() from generate_series(1, 1203) as n`,
      [caller.organizationId],
    )
    const emails = (await download(caller, { format: 'jsonl' })).bytes.toString().trim().split('\n').map((line) => JSON.parse(line).email) // prettier-ignore
    expect(new Set(emails).size).toBe(1203)
    expect(emails).toHaveLength(1203)
    expect(emails).not.toContain('hidden@example.com')
  })

  it('exports all contacts that a search text finds, best match first, and meet the filter', async () => {
    const caller = await organization()
    await caller.ctx.db.pool.query(
      `insert into contact (organization_id, id, first_name, email, tags, created_at, updated_at)
       select $1, gen_random_uuid(), case when n % 3 = 0 then 'Grace' else 'Ada' end, n || '@example.com',
         case when n % 2 = 0 then '{vip}'::text[] else '{}' end, date_trunc('second', now()), now() from generate_series(1, 1203) as n`,
      [caller.organizationId],
    )
    const companyId = await create(caller, '/v1/companies', { name: 'Moss', domains: ['moss.example'] })
    const whole = await create(caller, '/v1/contacts', { firstName: 'Ada', email: 'moss@example.com', companyId })
    await create(caller, '/v1/contacts', { firstName: 'Adele', email: 'adele@example.com' })
    const idsIn = async (body: object): Promise<string[]> =>
      (await download(caller, { format: 'jsonl', ...body })).bytes.toString().trim().split('\n').map((line) => JSON.parse(line).id) // prettier-ignore
    const found = async (body: object): Promise<string[]> => {
      const ids: string[] = []
      for (let cursor: string | undefined; cursor !== null;) {
        const { data, nextCursor } = (await caller.call('POST', '/v1/contacts/search', { ...body, limit: 100, cursor })).body
        ids.push(...data.map((hit: { contact: Contact }) => hit.contact.id))
        cursor = nextCursor
      }
      return ids
    }
    for (const [body, count] of [
      [{ q: 'ada' }, 803],
      [{ q: 'ada', filter: { key: 'tags', eq: 'vip' } }, 401],
      [{ q: 'moss@example.com' }, 1],
    ] as const) {
      const ids = await found(body)
      expect([body, ids.length]).toEqual([body, count])
      expect(await idsIn(body)).toEqual(ids)
    }
    const [line] = (await download(caller, { format: 'jsonl', q: 'moss@example.com' })).bytes.toString().split('\n')
    expect(JSON.parse(line ?? '')).toMatchObject({ id: whole, companyName: 'Moss', companyDomain: 'moss.example' })
    expect((await download(caller, { format: 'jsonl', q: 'nobody' })).bytes).toHaveLength(0)
  })

  it('refuses unknown keys, formats and fields, and is in the audit log', async () => {
    const caller = await organization()
    for (const [body, field] of [
      [{ filter: { key: 'nothing', eq: 1 } }, 'filter.key'],
      [{ format: 'pdf' }, 'format'],
      [{ bom: 'yes' }, 'bom'],
      [{ q: '' }, 'q'],
      [{ nothing: 1 }, 'nothing'],
    ] as const) {
      const { status, body: answer } = await caller.call('POST', '/v1/contact-exports', body)
      expect([body, status, answer.error.field]).toEqual([body, 422, field])
    }
    expect((await caller.call('GET', '/v1/audit?action=contacts.exported')).body.data).toEqual([])
    await download(caller, {})
    expect((await caller.call('GET', '/v1/audit?action=contacts.exported')).body.data).toMatchObject([
      { targetId: `org_${caller.organizationId}` },
    ])
    const writer = await organization({ scopes: ['contacts:write'] })
    expect((await download(writer, {})).status).toBe(403)
  })
})

it('continues a workbook with a second sheet, and writes control characters and halves of characters', async () => {
  async function* groups() {
    yield [['name']]
    for (let at = 0; at < 100; at += 1) yield Array.from({ length: 10_000 }, () => ['x'])
    yield [['a\u0001b\r\n<&>\ud800']]
  }
  const parts: Uint8Array[] = []
  for await (const part of xlsxFile(groups())) parts.push(part)
  const files = unzipSync(Buffer.concat(parts))
  const text = (name: string): string => strFromU8(files[name] ?? new Uint8Array())
  expect(text('xl/workbook.xml')).toContain('name="Contacts 2"')
  expect(text('xl/worksheets/sheet1.xml').split('<row>')).toHaveLength(1_000_001)
  expect(text('xl/worksheets/sheet2.xml')).toContain('>name<')
  expect(text('xl/worksheets/sheet2.xml')).toContain('a_x0001_b&#13;\n&lt;&amp;&gt;\ufffd')
})
