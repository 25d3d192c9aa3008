import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { withTransaction } from '../context.ts'
import { namesPerson } from '../db/names-person.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { personOf } from './person.ts'

const { organization } = await testApp()

const create = async ({ call }: Caller, contact: object): Promise<string> => (await call('POST', '/v1/contacts', contact)).body.id

/** Returns the texts that name the person of a contact. */
const naming = ({ ctx }: Caller, id: string, texts: readonly string[]): Promise<string[]> =>
  withTransaction(ctx, async (trx) => {
    const { terms } = await personOf(trx, id.slice(4))
    const { rows } = await sql<{ text: string }>`
      select text from unnest(${texts}::text[]) with ordinality as given (text, number) where ${namesPerson(sql`text`, terms)}
      order by number`.execute(trx)
    return rows.map(({ text }) => text)
  })

it('finds a person by whole terms in any form', async () => {
  const caller = await organization()
  const contact = { firstName: 'Änn', lastName: 'Lee', email: 'Ann@x.example', phone: '+442079460018', externalId: 'crm-ann-9' }
  const id = await create(caller, contact)
  const about = [
    'Did ann lee call?',
    'LEE, Ann',
    'mailto:ann@x.example.',
    '(ANN@X.example)',
    '020 7946 0018',
    '+44 (0)20-7946-0018 5 bikes',
    '00442079460018',
    'Tel. ٠٢٠٧٩٤٦٠٠١٨',
    'the order of CRM ann 9',
    `is ${id} a client?`,
    id.slice(4).toUpperCase(),
  ]
  const aboutOthers = [
    'Joann Leeds',
    'Ann likes Lee',
    'joann@x.example',
    'mary.ann@x.example',
    'ann@x.example.com',
    'ann@x.example-shop',
    '20794600181',
    '120 794 600 181',
    'crm-ann-91',
    'crm',
    '',
  ]
  expect(await naming(caller, id, [...about, ...aboutOthers])).toEqual(about)
})

it('finds values that the person had, that were suggested, and that a merged contact had', async () => {
  const caller = await organization()
  const id = await create(caller, { firstName: 'Ann', lastName: 'Lee', email: 'ann@former.example', externalId: 'former-1' })
  await caller.call('PATCH', `/v1/contacts/${id}`, { lastName: 'Berg', email: 'ann@present.example', externalId: 'present-1' })
  const agent = { name: 'Agent', scopes: ['contacts:read', 'contacts:write'], agent: true }
  const { token } = (await caller.call('POST', '/v1/tokens', agent)).body
  await caller.call('POST', `/v1/contacts/${id}/verify`, { fields: ['firstName', 'emails'] })
  const suggested = { firstName: 'Anna', emails: [{ value: 'anna@suggested.example' }] }
  const write = await caller.call('PATCH', `/v1/contacts/${id}`, suggested, { authorization: `Bearer ${token}` })
  expect(write.body.suggestions).toHaveLength(2)
  const merged = await create(caller, { firstName: 'Annie', lastName: 'Holm', email: 'annie@merged.example' })
  expect((await caller.call('POST', `/v1/contacts/${id}/merge`, { otherIds: [merged] })).status).toBe(200)
  const texts = [
    'Ann Lee',
    'Berg, Anna',
    'Annie Lee',
    'ann@former.example',
    'ann@present.example',
    'anna@suggested.example',
    'annie@merged.example',
    'former-1',
    'present-1',
    merged,
  ]
  expect(await naming(caller, id, texts)).toEqual(texts)
})

it('leaves out values of a contact that was separated again, and short ids', async () => {
  const caller = await organization()
  const id = await create(caller, { firstName: 'Ann', lastName: 'Lee', externalId: '12345' })
  const other = await create(caller, { firstName: 'Bo', lastName: 'Holm', email: 'bo@other.example', externalId: 'b-12' })
  expect((await caller.call('POST', `/v1/contacts/${id}/merge`, { otherIds: [other] })).status).toBe(200)
  expect((await caller.call('POST', `/v1/contacts/${id}/unmerge`, { mergedId: other })).status).toBe(200)
  expect(await naming(caller, id, ['Ann Lee', 'bo@other.example', 'Bo Holm', other, '12345 bikes'])).toEqual(['Ann Lee'])
  expect(await naming(caller, other, ['bo@other.example', 'b-12', 'Ann Lee'])).toEqual(['bo@other.example'])
})

it('finds names in scripts without spaces between words', async () => {
  const caller = await organization()
  const id = await create(caller, { firstName: '太郎', lastName: '山田', externalId: 'jp-taro' })
  expect(await naming(caller, id, ['お客様の山田太郎様から電話', '山田 太郎', '山田様', '山田花子'])).toEqual([
    'お客様の山田太郎様から電話',
    '山田 太郎',
  ])
  const short = await create(caller, { firstName: '明', lastName: '李', externalId: 'cn-ming' })
  expect(await naming(caller, short, ['李明', '李明 打电话', '李明德打电话'])).toEqual(['李明', '李明 打电话'])
})

it('finds a full name that is in one field', async () => {
  const caller = await organization()
  const id = await create(caller, { lastName: 'Anna  Maria Holm', email: 'am@x.example' })
  expect(await naming(caller, id, ['Did anna maria holm call?', 'Holm', 'Anna Maria'])).toEqual(['Did anna maria holm call?'])
  const unspaced = await create(caller, { lastName: '佐々木花子', email: 'hs@x.example' })
  expect(await naming(caller, unspaced, ['佐々木花子さん', '佐々木さん'])).toEqual(['佐々木花子さん'])
  const surname = await create(caller, { lastName: '佐々木', email: 's@x.example' })
  expect(await naming(caller, surname, ['佐々木花子さん'])).toEqual([])
})
