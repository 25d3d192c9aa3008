import * as xlsx from '@e965/xlsx'
import type { Contact } from '@groundwork/api'
import { zipSync } from 'fflate'
import { describe, expect, it, vi } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { contactImports } from '../testing/contact-imports.ts'
import { createCsvReader, maxCellLength } from './csv-reader.ts'

const { app, organization, database } = await testApp({ worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) } })

const { upload, started, ended, imported, errorsOf, contactsOf } = contactImports(app)

const eventsOf = async ({ call }: Caller): Promise<string[]> =>
  (await call('GET', '/v1/events?limit=100')).body.data.map(({ type }: { type: string }) => type).toReversed()

const people = [
  'First Name,Last Name,E-mail Address,Mobile Phone,Company,Categories',
  'Ada,Lovelace,Ada@Example.com,+44 20 7946 0018,Example Ltd,vip;Math',
]
const csv = (...lines: string[]): string => [...people, ...lines].join('\r\n')

/** Returns a workbook with these rows, and these shared texts. It is not compressed, so it is read in many pieces. */
const sheetOf = (rows: string, shared = ''): Buffer =>
  Buffer.from(
    zipSync(
      {
        'xl/sharedStrings.xml': Buffer.from(`<sst>${shared}</sst>`),
        'xl/worksheets/sheet1.xml': Buffer.from(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
      },
      { level: 0 },
    ),
  )

const noConsents = { consentsRecorded: 0, denialsKept: 0 }

describe('a CSV file', () => {
  it('is refused if a cell is too long, at whatever places its text arrives', () => {
    const long = `name,note\nAda,${'x'.repeat(maxCellLength + 1)}\nGrace,short\n`
    for (const size of [long.length, 1000]) {
      const reader = createCsvReader(',')
      const pushAll = (): void => {
        for (let at = 0; at < long.length; at += size) reader.push(long.slice(at, at + size))
      }
      expect(pushAll).toThrow(`A cell has more than ${maxCellLength} characters.`)
    }
  })
})

describe('an import', () => {
  it('creates contacts and companies, and changes nothing when it is repeated', async () => {
    const caller = await organization()
    const content = csv('Charles,Babbage,charles@example.com,,"Example, Ltd.",')
    const dryRun = await imported(caller, content, { dryRun: true })
    expect(dryRun).toMatchObject({
      status: 'completed',
      encoding: 'utf-8',
      delimiter: ',',
      header: true,
      progress: { done: 2, total: 2, unit: 'rows' },
      counts: { created: 2, updated: 0, unchanged: 0, failed: 0, companiesCreated: 1 },
    })
    expect(await eventsOf(caller)).toEqual([])
    const first = await imported(caller, content)
    expect(first).toMatchObject({ status: 'completed', counts: dryRun.counts })
    expect(dryRun.mapping.map(({ column, field }) => ({ column, field }))).toEqual(first.mapping)
    expect(first.mapping.map(({ field }) => field)).toEqual(['firstName', 'lastName', 'email', 'phone', 'companyName', 'tags'])
    const contacts = await contactsOf(caller)
    expect(contacts.find(({ firstName }) => firstName === 'Ada')).toMatchObject({
      email: 'ada@example.com',
      phone: '+442079460018',
      tags: ['vip', 'Math'],
    })
    expect(new Set(contacts.map(({ companyId }) => companyId))).toEqual(
      new Set([(await caller.call('GET', '/v1/companies')).body.data[0].id]),
    )
    expect(await eventsOf(caller)).toEqual(['company.created', 'contact.created', 'contact.created', 'import.completed'])
    const [completed] = (await caller.call('GET', '/v1/events?type=import.completed')).body.data
    expect(completed.data).toEqual({ ...first, fileName: '', mapping: [], error: null })
    const history = await caller.call('GET', `/v1/contacts/${contacts[0]?.id}/history`)
    expect(history.body.data).toMatchObject([{ how: 'imported', reference: first.id }])
    expect((await imported(caller, content)).counts).toEqual({
      created: 0,
      updated: 0,
      unchanged: 2,
      failed: 0,
      companiesCreated: 0,
      ...noConsents,
    })
    expect((await eventsOf(caller)).slice(4)).toEqual(['import.completed'])
    expect((await caller.call('GET', '/v1/contact-imports')).body.data).toHaveLength(3)
  })

  it('updates with kept or cleared blanks, and unites tags', async () => {
    const caller = await organization()
    await imported(caller, csv())
    const change = 'email,First Name,phone,tags\nada@example.com,,,new\nother@example.com,Other,,'
    const dryRun = await imported(caller, change, { mode: 'update', dryRun: true })
    expect(dryRun.counts).toMatchObject({ created: 0, updated: 1, failed: 1 })
    const kept = await imported(caller, change, { mode: 'update' })
    expect(kept.counts).toEqual(dryRun.counts)
    expect(await contactsOf(caller)).toMatchObject([{ firstName: 'Ada', phone: '+442079460018', tags: ['vip', 'Math', 'new'] }])
    expect(await errorsOf(caller, kept)).toBe(
      '\ufeffemail,First Name,phone,tags,row,field,error\r\nother@example.com,Other,,,3,email,there is no such contact\r\n',
    )
    await imported(caller, change, { mode: 'update', blanks: 'clear' })
    expect(await contactsOf(caller)).toMatchObject([{ firstName: null, phone: null, lastName: 'Lovelace', tags: ['vip', 'Math', 'new'] }])
    expect((await imported(caller, csv(), { mode: 'create' })).counts).toMatchObject({ created: 0, updated: 0, failed: 1 })
  })

  it('reports rows that cannot be imported, with their cells', async () => {
    const caller = await organization()
    const rows = [
      'Bad,Mail,nobody,,,',
      'Excel,Phone,e@example.com,4.93012E+11,,',
      'Twice,Ada,ada@example.com,,,',
      people[0] ?? '',
      '"Quoted\nName",X,q@example.com,,,',
      '=1+1,Formula,f@example.com,,,',
      ',,,,Only Company,',
      'Only,Name,,,,',
    ]
    const dryRun = await imported(caller, csv(...rows), { dryRun: true })
    const run = await imported(caller, csv(...rows))
    expect(run.counts).toEqual(dryRun.counts)
    expect(run.counts).toEqual({ created: 4, updated: 0, unchanged: 0, failed: 5, companiesCreated: 1, ...noConsents })
    const errors = await errorsOf(caller, run)
    expect(
      errors
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',').slice(-3)),
    ).toEqual([
      ['3', 'email', 'nobody is not an email address'],
      ['4', 'phone', expect.stringContaining('a spreadsheet has shortened')],
      ['5', 'email', 'row 2 has the same email'],
      ['6', '', 'the row repeats the header'],
      ['"has no email address', ' phone number', ' externalId or full name"'],
    ])
    expect(errors).toContain('Excel,Phone,e@example.com,4.93012E+11,,,4')
    const contacts = await contactsOf(caller)
    expect(contacts.map(({ firstName }) => firstName).toSorted()).toEqual(['=1+1', 'Ada', 'Only', 'Quoted\nName'])
    // The rows that failed can be corrected and imported; so can cells that begin like a formula.
    expect((await imported(caller, csv("'=1+1,Formula,f@example.com,,,"))).counts).toMatchObject({ unchanged: 2 })
    expect((await imported(caller, csv(...rows))).counts).toMatchObject({ created: 0, updated: 0, unchanged: 4, failed: 5 })
  })

  it('reports values as the API refuses them', async () => {
    const caller = await organization()
    const run = await imported(caller, `Email,First Name\na@example.com,${'x'.repeat(121)}\n`)
    expect(await errorsOf(caller, run)).toContain('firstName,must have at most 120 characters')
  })

  it('reports the rows as a spreadsheet shows them, in a file that can be imported', async () => {
    const caller = await organization()
    const content = [
      'Email;First Name;Job Title',
      'a@example.com;"Two\nlines";Clerk',
      '',
      ';;',
      'b@example.com;Ada;Head of Sales; Europe',
      ' ; ;',
      `nobody;"a;b";'=1;;`,
    ]
    for (const separator of ['', 'sep=;\n']) {
      const run = await imported(caller, separator + content.join('\n'))
      expect(run).toMatchObject({ progress: { done: 5, total: 5 }, counts: { failed: 2 } })
      const errors = await errorsOf(caller, run)
      expect(errors.split('\r\n')).toEqual([
        '\ufeffEmail;First Name;Job Title;row;field;error',
        'b@example.com;Ada;Head of Sales;5;;"has 4 cells, but the header has 3. Put a cell that contains the delimiter in quotation marks.";" Europe"',
        `nobody;"a;b";'=1;7;email;nobody is not an email address;;`,
        '',
      ])
      const again = await imported(caller, errors)
      expect(again).toMatchObject({ delimiter: ';', encoding: 'utf-8', counts: { created: 0, failed: 2 } })
      expect((await errorsOf(caller, again)).split('\r\n')[1]).toContain('has 7 cells, but the header has 6.')
      const corrected = errors
        .replace(';Head of Sales;', ';"Head of Sales; Europe";')
        .replace(';" Europe"', '')
        .replace('nobody;', 'c@example.com;')
      expect((await imported(caller, corrected)).counts).toMatchObject({ updated: 0, failed: 0 })
    }
    const contacts = (await contactsOf(caller)).map(({ firstName, jobTitle }) => [firstName, jobTitle])
    expect(contacts.toSorted()).toEqual([
      ['Ada', 'Head of Sales; Europe'],
      ['Two\nlines', 'Clerk'],
      ['a;b', '=1'],
    ])
  })

  it('reports rows of a workbook by their numbers, also if empty ones are missing', async () => {
    const caller = await organization()
    const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`
    const rows = `<row r="1">${cell('email')}</row><row r="3">${cell('nobody')}</row><row>${cell(' ')}</row><row r="9">${cell('a@example.com')}${cell('x')}</row>`
    const run = await imported(caller, sheetOf(rows))
    expect(await errorsOf(caller, run)).toBe(
      '\ufeffemail,row,field,error\r\nnobody,3,email,nobody is not an email address\r\na@example.com,9,,"has 2 cells, but the header has 1.",x\r\n',
    )
  })

  it.each([
    ['Windows-1252 with semicolons', Buffer.from('Vorname;Nachname;E-Mail\r\nJörg;Groß;j@example.com\r\n', 'latin1')],
    ['UTF-16 with tabs', Buffer.from('\ufeffVorname\tNachname\tE-Mail\r\nJörg\tGroß\tj@example.com\r\n', 'utf16le')],
    ['UTF-16 without a byte order mark', Buffer.from('Vorname,Nachname,E-Mail\r\nJörg,Groß,j@example.com\r\n', 'utf16le')],
    [
      'UTF-8 with a byte order mark and a declared delimiter',
      Buffer.from('\ufeffsep=;\r\nVorname;Nachname;E-Mail\r\nJörg;Groß;j@example.com'),
    ],
  ])('reads %s', async (_name, content) => {
    const caller = await organization()
    expect(await imported(caller, content)).toMatchObject({ status: 'completed', counts: { created: 1, failed: 0 } })
    expect(await contactsOf(caller)).toMatchObject([{ firstName: 'Jörg', lastName: 'Groß', email: 'j@example.com' }])
  })

  it('reads a workbook with days, numbers and formulas', async () => {
    const caller = await organization()
    const { body: field } = await caller.call('POST', '/v1/custom-fields', { entity: 'contact', name: 'Birthday', type: 'date' })
    const sheet = xlsx.utils.aoa_to_sheet([
      ['Full Name', 'Phone', 'Birthday'],
      ['Lovelace, Ada', 442079460018, null],
      ['Charles Babbage', '+442079460019', 32874],
    ])
    sheet['C2'] = { t: 'n', v: 32874, z: 'yyyy-mm-dd' }
    sheet['A3'] = { t: 's', v: 'Charles Babbage', f: '"Charles"&" Babbage"' }
    sheet['!ref'] = 'A1:C3'
    const book = xlsx.utils.book_new()
    xlsx.utils.book_append_sheet(book, sheet, 'People')
    const content: Buffer = xlsx.write(book, { type: 'buffer', bookType: 'xlsx' })
    const run = await ended(caller, await started(caller, await upload(caller, content, 'contacts.xlsx')))
    expect(run).toMatchObject({ status: 'completed', encoding: null, counts: { created: 2, failed: 0 } })
    const contacts = await contactsOf(caller)
    expect(contacts.map(({ firstName, lastName, phone }) => [firstName, lastName, phone]).toSorted()).toEqual([
      ['Ada', 'Lovelace', '+442079460018'],
      ['Charles', 'Babbage', '+442079460019'],
    ])
    expect(contacts.map(({ customFields }) => customFields[field.id])).toEqual(['1990-01-01', '1990-01-01'])
  })

  it.each([
    ['empty_file', Buffer.from('')],
    ['no_known_column', Buffer.from('Colour,Shape\nred,round\n')],
    ['unsupported_file', Buffer.from('%PDF-1.7')],
    ['corrupt_file', Buffer.from('email,name\n"a@example.com,x\n')],
    ['corrupt_file', Buffer.from('PK\u0003\u0004 no archive')],
    ['corrupt_file', Buffer.from(zipSync({ 'a.txt': Buffer.from('x') }))],
    ['corrupt_file', sheetOf(`<row><c t="inlineStr"><is><t>${'x'.repeat(100_001)}</t></is></c></row>`)],
    ['corrupt_file', sheetOf(`<row>${`<c t="inlineStr"><is><t>${'x'.repeat(90_000)}</t></is></c>`.repeat(12)}</row>`)],
    ['corrupt_file', sheetOf(`<row><c t="${'x'.repeat(1_100_000)}"/></row>`)],
    ['corrupt_file', sheetOf(`<row><!--${'x'.repeat(1_100_000)}--></row>`)],
    ['corrupt_file', sheetOf('', `<si>${`<t>${'x'.repeat(90_000)}</t>`.repeat(2)}</si>`)],
    ['corrupt_file', Buffer.from(`email${`,${'x'.repeat(90_000)}`.repeat(12)}\n`)],
  ])('fails with %s', async (code, content) => {
    const caller = await organization()
    expect(await imported(caller, content)).toMatchObject({
      status: 'failed',
      errorCode: code,
      error: expect.any(String),
      counts: { created: 0 },
    })
    expect(await contactsOf(caller)).toEqual([])
  })

  it('reads UTF-8 with a few invalid bytes as UTF-8, and refuses rows with them', async () => {
    const caller = await organization()
    const text = 'First name,Last name,Email,Colour\nJürgen,Größe,j@example.com,\nRenée,Müller,r@example.com,red#\nZoë,#x,z@example.com,\n'
    const content = Buffer.from(Buffer.from(text).map((byte) => (byte === 35 ? 0xff : byte)))
    const run = await imported(caller, content)
    expect(run).toMatchObject({ status: 'completed', encoding: 'utf-8', counts: { created: 2, failed: 1 } })
    expect((await contactsOf(caller)).map(({ firstName }) => firstName).toSorted()).toEqual(['Jürgen', 'Renée'])
    expect(await errorsOf(caller, run)).toContain('lastName,has bytes that are invalid in utf-8')
  })

  it('refuses the rows of another encoding than the given one', async () => {
    const caller = await organization()
    const content = Buffer.from('First name,Email\nJürgen,j@example.com\nAda,a@example.com\n', 'latin1')
    const run = await imported(caller, content, { encoding: 'utf-8' })
    expect(run).toMatchObject({ status: 'completed', encoding: 'utf-8', counts: { created: 1, failed: 1 } })
  })

  it('fails with corrupt_file if a workbook unpacks to far more than its size', async () => {
    const caller = await organization()
    const content = Buffer.from(zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(60_000_000) }, { level: 1 }))
    expect(await imported(caller, content)).toMatchObject({
      status: 'failed',
      errorCode: 'corrupt_file',
      error: 'The workbook unpacks to more than 200 times its size.',
      counts: { created: 0 },
    })
    expect(await contactsOf(caller)).toEqual([])
  })

  it('knows the columns of HubSpot, Outlook and Google', async () => {
    const caller = await organization()
    const row = async (header: string, line: string): Promise<Contact | undefined> => {
      expect(await imported(caller, `${header}\n${line}\n`)).toMatchObject({ status: 'completed', counts: { created: 1, failed: 0 } })
      return (await contactsOf(caller))[0]
    }
    expect(
      await row(
        'Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Job Title,Street Address,City,State/Region,Postal Code,Country/Region,Preferred language,Time Zone,Company Name,Website URL',
        '77,Ada,Lovelace,ada@example.com,+442079460018,+442079460019,Analyst,1 High St,London,,SW1,United Kingdom,English,Europe/London,Example Ltd,https://www.example.com/x',
      ),
    ).toMatchObject({
      externalId: '77',
      phones: [{ value: '+442079460018' }, { value: '+442079460019' }],
      jobTitle: 'Analyst',
      address: { street: '1 High St', city: 'London', region: null, postalCode: 'SW1', country: 'GB' },
      language: 'en',
      timeZone: 'Europe/London',
      companyId: expect.any(String),
    })
    expect(
      await row(
        'Title,First Name,Company,Job Title,Business Street,Business City,Business Country/Region,Business Phone,Home Phone,E-mail Address,E-mail 2 Address',
        'Dr.,Grace,,Admiral,2 Pier,Kiel,Deutschland,+4943112345678,+4943112345679,grace@example.com,g@example.com',
      ),
    ).toMatchObject({
      emails: [{ value: 'grace@example.com' }, { value: 'g@example.com' }],
      jobTitle: 'Admiral',
      address: { city: 'Kiel', country: 'DE' },
    })
    expect(
      await row(
        'First Name,Last Name,Organization Title,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Value,Address 1 - City',
        'Alan,Turing,Fellow,* myContacts ::: code,Work,alan@example.com ::: a.turing@example.com,+441234567890,Wilmslow',
      ),
    ).toMatchObject({ tags: ['myContacts', 'code'], emails: [{ value: 'alan@example.com' }, { value: 'a.turing@example.com' }] })
  })

  it('records consent, and keeps refusals unless they are to be replaced', async () => {
    const caller = await organization()
    const { body: ada } = await caller.call('POST', '/v1/contacts', { email: 'ada@example.com' })
    const { body: bob } = await caller.call('POST', '/v1/contacts', { email: 'bob@example.com' })
    await caller.call('POST', `/v1/contacts/${ada.id}/consent`, { channel: 'email', state: 'denied' })
    const content = [
      'Email,Email Opt-in,Unsubscribed from all email,Marketing contact status,Do Not Call,consent.sms,consentPost',
      'ada@example.com,yes,false,,no,,',
      'bob@example.com,true,TRUE,Marketing contact,x,opted out,unknown',
      'new@example.com,Subscribed,,,,granted,',
      'other@example.com,maybe,,,,,',
    ].join('\n')
    const dryRun = await imported(caller, content, { dryRun: true })
    const run = await imported(caller, content)
    expect(run.mapping.map(({ field }) => field)).toEqual([
      'email',
      'consent.email',
      'optOut.email',
      null,
      'optOut.phone',
      'consent.sms',
      'consent.post',
    ])
    expect(run.counts).toMatchObject({ created: 1, updated: 1, unchanged: 1, failed: 1, consentsRecorded: 5, denialsKept: 1 })
    expect(dryRun.counts).toEqual(run.counts)
    expect(await errorsOf(caller, run)).toContain('consent.email,"maybe is neither granted, denied nor unknown"')
    const consents = async () => Object.fromEntries((await contactsOf(caller)).map(({ email, consent }) => [email, consent]))
    const unknown = { email: 'unknown', phone: 'unknown', sms: 'unknown', post: 'unknown' }
    expect(await consents()).toEqual({
      'ada@example.com': { ...unknown, email: 'denied' },
      'bob@example.com': { email: 'denied', phone: 'denied', sms: 'denied', post: 'unknown' },
      'new@example.com': { ...unknown, email: 'granted', sms: 'granted' },
    })
    const { body: present } = await caller.call('GET', `/v1/contacts/${bob.id}/consent`)
    expect(present.email).toMatchObject({ state: 'denied', source: `import ${run.id}`, reference: run.id, wording: null })
    const events = (await caller.call('GET', '/v1/events?type=contact.created&limit=1')).body.data
    expect(events).toMatchObject([{ data: { email: 'new@example.com', consent: { email: 'granted' } } }])
    const audited = (await caller.call('GET', `/v1/audit?limit=100`)).body.data.filter(
      ({ action, targetId }: { action: string; targetId: string }) => action.startsWith('contact.') && targetId === bob.id,
    )
    expect(audited.map(({ action }: { action: string }) => action)).toEqual(['contact.consent_recorded', 'contact.created'])
    const again = await imported(caller, content)
    expect(again.counts).toMatchObject({ created: 0, updated: 0, unchanged: 3, consentsRecorded: 0, denialsKept: 1 })
    const replacing = await imported(caller, content, { replaceDenials: true })
    expect(replacing.counts).toMatchObject({ updated: 1, unchanged: 2, consentsRecorded: 1, denialsKept: 0 })
    expect((await consents())['ada@example.com']).toMatchObject({ email: 'granted' })

    const revert = await caller.call('POST', '/v1/contacts/revert', { importId: run.id })
    const job = async () => (await caller.call('GET', `/v1/contact-jobs/${revert.body.id}`)).body
    await vi.waitUntil(async () => (await job()).status === 'completed', { timeout: 120_000 })
    expect((await job()).counts).toMatchObject({ changed: 1, deleted: 1, valuesReverted: 3 })
    expect(await consents()).toEqual({ 'ada@example.com': { ...unknown, email: 'granted' }, 'bob@example.com': unknown })
  })

  it('takes the labels of addresses and numbers, by their headers or their order', async () => {
    const caller = await organization()
    const google = [
      'First Name,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Type,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value',
      'Ada,* Work ::: Home,ada@example.com ::: a@example.com,Other,b@example.com,Mobile,+442079460018',
    ].join('\n')
    await imported(caller, google)
    expect((await contactsOf(caller))[0]).toMatchObject({
      emails: [
        { value: 'ada@example.com', label: 'Work' },
        { value: 'a@example.com', label: 'Home' },
        { value: 'b@example.com', label: 'Other' },
      ],
      phones: [{ value: '+442079460018', label: 'Mobile' }],
    })
    expect((await imported(caller, google)).counts).toMatchObject({ updated: 0, unchanged: 1 })
    const mapping = [
      { column: 'Kind', field: 'emailLabel' },
      { column: 'Address', field: 'email' },
    ]
    const renamed = 'Kind,Address\nprivate,a@example.com\n'
    expect((await imported(caller, renamed, { mapping })).counts).toMatchObject({ updated: 1 })
    expect((await contactsOf(caller))[0]?.emails).toMatchObject([
      { value: 'a@example.com', label: 'private' },
      { value: 'ada@example.com', label: 'Work' },
      { value: 'b@example.com', label: 'Other' },
    ])
    expect((await imported(caller, renamed, { mapping })).counts).toMatchObject({ unchanged: 1 })
    expect((await imported(caller, `Kind,Address\n${'x'.repeat(41)},a@example.com\n`, { mapping })).counts).toMatchObject({ failed: 1 })
  })

  it('takes later rows about the same contact as errors, also by its former addresses', async () => {
    const caller = await organization()
    await imported(caller, 'externalId,email,phone\n7,old@example.com,+442079460018\n')
    const change = 'externalId,email,phone\n7,new@example.com,\n,old@example.com,\n,,+442079460018\n,other@example.com,\n'
    const dryRun = await imported(caller, change, { dryRun: true })
    const run = await imported(caller, change)
    expect(run.counts).toEqual({ created: 1, updated: 1, unchanged: 0, failed: 2, companiesCreated: 0, ...noConsents })
    expect(run.counts).toEqual(dryRun.counts)
    expect(await errorsOf(caller, run)).toContain('an earlier row of the file means the same contact')
    const { rows } = await database.pool.query('select from contact_import_former_key where organization_id = $1', [caller.organizationId])
    expect(rows).toEqual([])
  })

  it('ignores the columns of errors in a file of failed rows, unless they are mapped', async () => {
    const caller = await organization()
    const fields: string[] = []
    for (const name of ['Row', 'Field', 'Error'])
      fields.push((await caller.call('POST', '/v1/custom-fields', { entity: 'contact', name, type: 'text' })).body.id)
    const [rowField, , errorField] = fields
    const failed = await errorsOf(caller, await imported(caller, 'First Name,email\nAda,nobody\n'))
    expect(failed).toMatch(/First Name,email,row,field,error/)
    const again = await imported(caller, failed)
    expect(again.mapping.map(({ field }) => field)).toEqual(['firstName', 'email', null, null, null])
    const twice = (await errorsOf(caller, again)).replaceAll('nobody', 'ada@example.com')
    expect((await imported(caller, twice)).counts).toMatchObject({ created: 1, failed: 0 })
    expect(await contactsOf(caller)).toMatchObject([{ email: 'ada@example.com', customFields: {} }])

    // The imported file has such a column itself.
    const own = 'row,email,row,field,error\n,bob@example.com,2,email,wrong\n'
    const mapping = [
      { column: 'row', field: rowField },
      { column: 'error', field: errorField },
    ]
    const mapped = await imported(caller, own, { mapping })
    expect(mapped.mapping.map(({ field }) => field)).toEqual([rowField, 'email', null, null, errorField])
    const bob = (await contactsOf(caller)).find(({ email }) => email === 'bob@example.com')
    expect(bob?.customFields).toEqual({ [errorField ?? '']: 'wrong' })
  })

  it('shows the first cells of a dry run until an erasure', async () => {
    const caller = await organization()
    const names = 'Forename 1,Forename 2,Mail\nAda,Lovelace,\n,,bob@example.com\n'
    const unknown = await imported(caller, names.replace('Mail', 'Post'), { dryRun: true })
    const columns = [
      { column: 'Forename 1', field: null, samples: ['Ada'] },
      { column: 'Forename 2', field: null, samples: ['Lovelace'] },
    ]
    expect(unknown).toMatchObject({ status: 'failed', errorCode: 'no_known_column' })
    expect(unknown.mapping).toEqual([...columns, { column: 'Post', field: null, samples: ['bob@example.com'] }])
    const known = await imported(caller, names, { dryRun: true })
    expect(known).toMatchObject({ status: 'completed', counts: { created: 1, failed: 1 } })
    const { body: ada } = await caller.call('POST', '/v1/contacts', { firstName: 'Ada', lastName: 'Lovelace' })
    await caller.call('POST', `/v1/contacts/${ada.id}/erase`)
    for (const { id } of [unknown, known])
      expect((await ended(caller, id)).mapping).toMatchObject([{ column: 'Forename 1', samples: [] }, { samples: [] }, { samples: [] }])
    const { rows } = await database.pool.query(`select plan::text as plan from contact_import where organization_id = $1`, [
      caller.organizationId,
    ])
    expect(JSON.stringify(rows)).not.toMatch(/Ada|Lovelace/)
  })

  it('is reached by an erasure', async () => {
    const caller = await organization()
    await imported(
      caller,
      'First Name,Last Name,email,phone\nAda,Lovelace,ada@example.com,\nAda,Lovelace,ADA@example.com,\nBob,B,bob@example.com,x\n',
    )
    const ada = (await contactsOf(caller)).find(({ firstName }) => firstName === 'Ada')
    const { body: receipt } = await caller.call('POST', `/v1/contacts/${ada?.id}/erase`)
    expect(receipt.erased).toContainEqual({ kind: 'imports', count: 1 })
    expect(receipt.kept).toContainEqual({ kind: 'import_files', count: 1, reason: expect.any(String), until: expect.any(String) })
    const { rows } = await database.pool.query('select row_number from contact_import_error where organization_id = $1', [
      caller.organizationId,
    ])
    expect(rows).toEqual([{ row_number: 4 }])
  })

  it('refuses erased persons who must not come back, in batches too', async () => {
    const caller = await organization()
    const { call } = caller
    const ada = {
      externalId: 'crm-7',
      email: 'Ada@Example.com',
      emails: [{ value: 'Ada@Example.com' }, { value: 'a@example.com' }],
      phone: '+442079460018',
    }
    const { body: contact } = await call('POST', '/v1/contacts', ada)
    const dryRun = (await call('POST', `/v1/contacts/${contact.id}/erase`, { dryRun: true, preventReimport: true })).body
    const { body: receipt } = await call('POST', `/v1/contacts/${contact.id}/erase`, { preventReimport: true })
    expect(receipt.kept).toContainEqual({ kind: 'hashes', count: 4, reason: expect.any(String), until: null })
    expect(dryRun.kept.map(({ count }: { count: number }) => count)).toEqual(receipt.kept.map(({ count }: { count: number }) => count))
    const content =
      'externalId,email,phone\n,ada@example.com,\n,A@EXAMPLE.COM,\n,,+442079460018\ncrm-7,other@example.com,\n,new@example.com,\n'
    const counted = { created: 1, updated: 0, failed: 4 }
    expect((await imported(caller, content, { dryRun: true })).counts).toMatchObject(counted)
    const run = await imported(caller, content)
    expect(run.counts).toMatchObject(counted)
    const lines = (await errorsOf(caller, run)).split('\r\n').slice(1, -1)
    expect(lines.map((line) => line.split(',').slice(3).join(','))).toEqual(
      ['email', 'email', 'phone', 'externalId'].map(
        (field, at) => `${at + 2},${field},erased: this person was erased and must not be added again`,
      ),
    )
    const batch = async () =>
      (await call('POST', '/v1/contacts/batch', { matchOn: 'email', contacts: [{ email: 'ada@example.com' }, { email: 'b@example.com' }] }))
        .body.data
    expect(await batch()).toMatchObject([
      { status: 422, error: { field: 'email', message: expect.stringMatching(/^erased: /) } },
      { status: 201 },
    ])
    // Other organizations have other hashes, and the hashes do not contain the values.
    const other = await organization()
    expect((await imported(other, content)).counts).toMatchObject({ created: 5 })
    const { body: stranger } = await other.call('POST', '/v1/contacts', { email: 'ada+x@example.com', externalId: 'x' })
    await other.call('POST', `/v1/contacts/${stranger.id}/erase`, { preventReimport: true })
    const { rows } = await database.pool.query(`select count(*)::integer as hashes, min(length(hash)) as bytes from erased_value`)
    expect(rows).toEqual([{ hashes: 6, bytes: 32 }])
    // A person can add the contact by hand. Then imports change it.
    expect((await call('POST', '/v1/contacts', { email: 'ada@example.com' })).status).toBe(201)
    expect(await batch()).toMatchObject([{ status: 200 }, { status: 200 }])
    expect((await imported(caller, 'email,First Name\nada@example.com,Ada\n')).counts).toMatchObject({ updated: 1, failed: 0 })
    expect((await imported(caller, 'email,phone\nada@example.com,+442079460018\n')).counts).toMatchObject({ updated: 0, failed: 1 })
  })

  it('maps columns as the request says', async () => {
    const caller = await organization()
    const { body: field } = await caller.call('POST', '/v1/custom-fields', {
      entity: 'contact',
      name: 'Size',
      type: 'select',
      options: [{ value: 's', label: 'Small' }],
    })
    const mapping = [
      { column: '1', field: 'email' },
      { column: '2', field: field.id },
    ]
    const run = await imported(caller, 'a@example.com,small\nb@example.com,huge\n', { mapping, tags: ['fair'] })
    expect(run).toMatchObject({ header: false, counts: { created: 1, failed: 1 } })
    expect(await contactsOf(caller)).toMatchObject([{ email: 'a@example.com', tags: ['fair'], customFields: { [field.id]: 's' } }])
    const unknown = await imported(caller, csv(), { mapping: [{ column: 'Nickname', field: 'firstName' }] })
    expect(unknown).toMatchObject({ status: 'failed', errorCode: 'unknown_column' })
    const storageUrl = await upload(caller, csv())
    for (const [path, wrong] of [
      ['storageUrl', { storageUrl: 'groundwork://uploads/upl_00000000-0000-7000-8000-000000000000' }],
      ['mapping.0.field', { storageUrl, mapping: [{ column: 'a', field: 'nickname' }] }],
      ['encoding', { storageUrl, encoding: 'utf-9' }],
      ['mapping.0.field', { storageUrl, mapping: [{ column: 'a', field: 'fld_00000000-0000-7000-8000-000000000000' }] }],
    ] as const) {
      const answer = await caller.call('POST', '/v1/contact-imports', wrong)
      expect([answer.status, answer.body.error.field]).toEqual([422, path])
    }
  })

  it('continues after an interruption without repeating rows, and can be cancelled', async () => {
    const caller = await organization()
    const lines = Array.from({ length: 1200 }, (_, index) => `${index}@example.com`)
    const id = await started(caller, await upload(caller, ['email', ...lines, '7@example.com'].join('\n')))
    // Every third change fails, as if its worker had been killed.
    await database.pool.query(`
      create sequence failing_batches;
      create function fail_batch() returns trigger language plpgsql security definer as $$ begin
        if nextval('failing_batches') % 3 = 0 then raise exception 'killed'; end if;
        return new;
      end $$;
      create trigger fail_batch before update of done_rows on contact_import for each row execute function fail_batch();
      grant usage on sequence failing_batches to groundwork_app`)
    expect(await ended(caller, id)).toMatchObject({ status: 'completed', counts: { created: 1200, updated: 0, unchanged: 0, failed: 1 } })
    await database.pool.query(`
      create or replace function fail_batch() returns trigger language plpgsql as $$ begin
        if new.done_rows > 500 then raise exception 'killed'; end if;
        return new;
      end $$`)
    const content = ['email', 'nobody', ...Array.from({ length: 600 }, (_, index) => `z${index}@example.com`)].join('\n')
    const other = await started(caller, await upload(caller, content))
    const done = async () => (await caller.call('GET', `/v1/contact-imports/${other}`)).body.progress.done
    await vi.waitUntil(async () => (await done()) === 500, { timeout: 120_000 })
    expect(await caller.call('POST', `/v1/contact-imports/${other}/cancel`)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    await database.pool.query('drop trigger fail_batch on contact_import')
    const cancelled = await ended(caller, other)
    expect(cancelled).toMatchObject({ status: 'cancelled', progress: { done: 500, total: 601 }, counts: { created: 499, failed: 1 } })
    expect(await errorsOf(caller, cancelled)).toContain('nobody,2,email,')
    expect((await imported(caller, content)).counts).toMatchObject({ created: 101, updated: 0, unchanged: 499, failed: 1 })
    expect((await caller.call('GET', '/v1/events?type=import.completed')).body.data).toHaveLength(2)
    const { rows } = await database.pool.query(
      `select count(*)::integer as n, (select count(*)::integer from event where type = 'contact.created' and organization_id = $1) as events
       from contact where organization_id = $1`,
      [caller.organizationId],
    )
    expect(rows).toEqual([{ n: 1800, events: 1800 }])
    expect(await caller.call('POST', `/v1/contact-imports/${id}/cancel`)).toMatchObject({ status: 409 })
  })

  it('can be read with the token of an agent, and neither started nor cancelled', async () => {
    const caller = await organization()
    const { body: token } = await caller.call('POST', '/v1/tokens', {
      name: 'Voice agent',
      scopes: ['contacts:read', 'contacts:write'],
      agent: true,
    })
    const run = await imported(caller, csv('Bad,Mail,nobody,,,'))
    const agent = async (method: 'GET' | 'POST', url: string, payload?: object): Promise<number> => {
      const headers = { authorization: `Bearer ${token.token}` }
      return (await app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode
    }
    const storageUrl = await upload(caller, csv())
    expect(await agent('POST', '/v1/contact-imports', { storageUrl })).toBe(403)
    expect(await agent('POST', `/v1/contact-imports/${run.id}/cancel`)).toBe(403)
    for (const path of ['', `/${run.id}`, `/${run.id}/errors`]) expect(await agent('GET', `/v1/contact-imports${path}`)).toBe(200)
    expect(await agent('POST', '/v1/contact-exports', {})).toBe(200)
  })
})
