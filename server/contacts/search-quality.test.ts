import { expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp } from '../testing/app.ts'
import { contactQueries, isWanted, type ContactQuery } from '../testing/contact-queries.ts'
import { generatedContacts } from '../testing/generated-contacts.ts'

const { organization } = await testApp()

// `npm run bench:contacts-search` does the same with 100,000 contacts.
it('finds the right one of 2,000 contacts in nine scripts', async () => {
  const { ctx, call, organizationId } = await organization()
  const contacts = [...generatedContacts(2000)]
  const column = (field: 'firstName' | 'lastName' | 'email' | 'phone') => contacts.map((contact) => contact[field])
  await ctx.db.pool.query(
    `insert into contact (organization_id, id, first_name, last_name, email, phone, created_at, updated_at)
     select $1, unnest($2::uuid[]), unnest($3::text[]), unnest($4::text[]), unnest($5::text[]), unnest($6::text[]), now(), now()`,
    [organizationId, contacts.map(() => newId()), ...(['firstName', 'lastName', 'email', 'phone'] as const).map(column)],
  )
  const places: { query: ContactQuery; place: number }[] = []
  for (const query of contactQueries(contacts, 240)) {
    const { body } = await call('GET', `/v1/contacts?limit=5&q=${encodeURIComponent(query.q)}`)
    places.push({ query, place: body.findIndex((found: (typeof contacts)[number]) => isWanted(found, query)) })
  }
  const share = (isGood: (place: number) => boolean): number => places.filter(({ place }) => isGood(place)).length / places.length
  expect(places.filter(({ query, place }) => query.kind === 'exact name' && place !== 0)).toEqual([])
  expect(share((place) => place === 0)).toBeGreaterThanOrEqual(0.95)
  expect(share((place) => place >= 0)).toBeGreaterThanOrEqual(0.99)
})
