import { expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp } from '../testing/app.ts'
import { plantedContacts } from '../testing/duplicate-contacts.ts'
import { compareWrittenRecords } from '../duplicates/finder.ts'
import { writePlanted } from '../testing/write-planted.ts'

const { organization, platform } = await testApp()

// `npm run bench:duplicates` measures the time, with up to a million contacts.
it('finds the duplicates among 10,000 contacts, and takes no relatives and namesakes for them', async () => {
  const { ctx, call, organizationId } = await organization()
  const { contacts, companies } = plantedContacts(10_000)
  const ids = contacts.map(() => newId())
  await writePlanted(ctx.db.pool, organizationId, { contacts, companies, ids })
  await compareWrittenRecords(platform)

  const personOf = new Map(ids.map((id, at) => [`ctc_${id}`, contacts[at]]))
  const offered = new Set<string>()
  let wrong = 0
  for (let cursor = ''; ;) {
    const { status, body } = await call('GET', `/v1/contacts/duplicates?limit=100${cursor}`)
    expect(status).toBe(200)
    for (const { contacts: pair } of body.data) {
      const [first, second] = [personOf.get(pair[0].id), personOf.get(pair[1].id)]
      if (first?.person === second?.person) offered.add([pair[0].id, pair[1].id].toSorted().join(' '))
      else wrong += 1
    }
    if (body.nextCursor === null) break
    cursor = `&cursor=${body.nextCursor}`
  }
  const byPerson = new Map<number, string[]>()
  for (const [at, { person }] of contacts.entries()) byPerson.set(person, [...(byPerson.get(person) ?? []), ids[at] ?? ''])
  const planted = [...byPerson.values()].reduce((pairs, { length }) => pairs + (length * (length - 1)) / 2, 0)
  expect(offered.size / planted).toBeGreaterThanOrEqual(0.95)
  expect(offered.size / (offered.size + wrong)).toBeGreaterThanOrEqual(0.95)
})
