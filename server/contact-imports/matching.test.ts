import { describe, expect, it } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { contactImports } from '../testing/contact-imports.ts'

const { app, organization } = await testApp({ worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) } })
const { imported, importedAsTried, errorsOf, contactsOf } = contactImports(app)

const create = async ({ call }: Caller, ...contacts: object[]): Promise<void> => {
  for (const contact of contacts) expect((await call('POST', '/v1/contacts', contact)).status).toBe(201)
}
const file = (...lines: string[]): string => ['externalId,firstName,lastName,email,phone', ...lines].join('\n')
const phone = '+493070001111'
const unchanged = { created: 0, updated: 0 }

/** Returns the contacts, or those with the number, as lines of the file, in order. */
const lines = async (caller: Caller, number?: string): Promise<string[]> =>
  (await contactsOf(caller, number))
    .map((each) => [each.externalId, each.firstName, each.lastName, each.email, each.phone].map((value) => value ?? '').join(','))
    .toSorted()

/** Fills other batches of an import. */
const others = Array.from({ length: 500 }, (_, at) => `,,,${at}@example.org,`)

describe('an externalId that no contact has', () => {
  it('lets the address decide, then the number', async () => {
    const caller = await organization()
    await create(caller, { firstName: 'Ada', email: 'ada@example.com' }, { lastName: 'Moss', phone })
    await create(caller, { externalId: 'crm-1', email: 'bob@example.com' })
    const content = file(
      '1,Ada,Lovelace,ada@example.com,',
      `2,Tom,Moss,,${phone}`,
      '3,Bob,Babbage,bob@example.com,',
      '4,Eve,New,eve@example.com,',
    )
    expect((await imported(caller, content, { mode: 'update', dryRun: true })).counts).toMatchObject({ updated: 2, failed: 2 })
    expect((await importedAsTried(caller, content)).counts).toMatchObject({ created: 2, updated: 2, failed: 0 })
    expect(await lines(caller)).toEqual([
      '1,Ada,Lovelace,ada@example.com,',
      `2,Tom,Moss,,${phone}`,
      '3,Bob,Babbage,bob@example.com,',
      '4,Eve,New,eve@example.com,',
      'crm-1,,,bob@example.com,',
    ])
    expect((await imported(caller, content)).counts).toMatchObject({ ...unchanged, unchanged: 4 })
    const created = await imported(caller, content, { matchOn: 'externalId', mode: 'create' })
    expect(created.counts).toMatchObject({ created: 0, failed: 4 })
  })

  it.each([
    ['in the same batch', []],
    ['in another batch', others],
  ])('means no contact that another row has given an externalId, %s', async (_name, between) => {
    const caller = await organization()
    await create(caller, { emails: [{ value: 'ada@example.com' }, { value: 'a@example.com' }] })
    const content = file('1,Ada,,ada@example.com,', ...between, '2,Bob,,ada@example.com,', '3,Eve,,a@example.com,')
    const run = await importedAsTried(caller, content)
    expect(run.counts).toMatchObject({ created: between.length + 2, updated: 1, failed: 0 })
    expect((await imported(caller, content)).counts).toMatchObject({ ...unchanged, unchanged: between.length + 3 })
  })

  it('means the contact of an earlier row with the same address', async () => {
    const caller = await organization()
    const content = file(',Ada,,ada@example.com,', '1,Ada,,ada@example.com,', '2,Bob,,bob@example.com,', '3,Eve,,bob@example.com,')
    const run = await importedAsTried(caller, content)
    expect(run.counts).toMatchObject({ created: 3, failed: 1 })
    expect(await errorsOf(caller, run)).toContain('1,Ada,,ada@example.com,,3,email,row 2 has the same email')
    expect((await imported(caller, content)).counts).toMatchObject({ ...unchanged, unchanged: 3, failed: 1 })
  })

  it('means a contact by none of its former addresses if the contact has another externalId', async () => {
    const caller = await organization()
    await create(caller, { externalId: '1', email: 'old@example.com' })
    const content = file('1,Ada,,new@example.com,', '2,Bob,,old@example.com,')
    expect((await importedAsTried(caller, content)).counts).toMatchObject({ created: 1, updated: 1, failed: 0 })
    expect((await imported(caller, content)).counts).toMatchObject({ ...unchanged, unchanged: 2 })
  })
})

describe('a number alone', () => {
  it.each([
    ['in the same batch', []],
    ['in another batch', others],
  ])('means no contact with another name, %s', async (_name, between) => {
    const caller = await organization()
    await create(caller, { firstName: 'Eva', lastName: 'Fam', phone })
    const content = file(`,Udo,Fam,,${phone}`, `,Jörg,Groß,,${phone}`, ...between, `,Иван,Петров,,${phone}`, `,E.,Fam,,${phone}`)
    expect((await importedAsTried(caller, content)).counts).toMatchObject({ created: between.length + 3, updated: 1, failed: 0 })
    expect(await lines(caller, phone)).toEqual([
      `,E.,Fam,,${phone}`,
      `,Jörg,Groß,,${phone}`,
      `,Udo,Fam,,${phone}`,
      `,Иван,Петров,,${phone}`,
    ])
    expect((await imported(caller, content)).counts).toMatchObject({ ...unchanged, unchanged: between.length + 4 })
  })

  it('means the contact or the earlier row with a similar name or none', async () => {
    const caller = await organization()
    await create(caller, { phone })
    const content = file(`,Jörg,Groß,,${phone}`, `,Joerg,Gross,,${phone}`, `,,,,${phone}`, `,Udo,Fam,,${phone}`, `,Udo,,,${phone}`)
    const run = await importedAsTried(caller, content)
    expect(run.counts).toMatchObject({ created: 1, updated: 1, failed: 3 })
    const errors = (await errorsOf(caller, run)).split('\r\n').slice(1, -1)
    expect(errors.map((line) => line.split(',').slice(5).join(','))).toEqual([
      '3,phone,row 2 has the same phone',
      '4,phone,row 2 has the same phone',
      '6,phone,row 5 has the same phone',
    ])
    expect((await imported(caller, content)).counts).toMatchObject({ ...unchanged, unchanged: 2, failed: 3 })
    const ambiguous = await imported(caller, file(`,,,,${phone}`))
    expect(await errorsOf(caller, ambiguous)).toContain('several contacts have this phone')
  })

  it('means only contacts with the same name if very many have it', async () => {
    const caller = await organization()
    const ends = Array.from({ length: 60 }, (_, at) => `${'abcdefgh'[at % 8]}${'ijklmnop'[Math.floor(at / 8)]}`)
    await create(caller, ...ends.map((end, at) => ({ externalId: `${at}`, lastName: `Colleague${end}`, phone })))
    expect((await importedAsTried(caller, file(`,,Colleaguehi,,${phone}`))).counts).toMatchObject({ ...unchanged, unchanged: 1 })
    expect((await importedAsTried(caller, file(`,,Colleaguexi,,${phone}`))).counts).toMatchObject({ created: 1, failed: 0 })
  })

  it('means every contact with matchOn', async () => {
    const caller = await organization()
    await create(caller, { firstName: 'Eva', lastName: 'Fam', phone })
    const run = await imported(caller, file(`,Udo,Fam,,${phone}`, `,Ada,Moss,,${phone}`), { matchOn: 'phone' })
    expect(run.counts).toMatchObject({ created: 0, updated: 1, failed: 1 })
    expect(await lines(caller)).toEqual([`,Udo,Fam,,${phone}`])
  })
})
