import { createToken, program } from '@groundwork/e2e/program'
import { newId } from '@groundwork/server/lib/ids'
import { plantedContacts } from '@groundwork/server/testing/duplicate-contacts'
import { writePlanted } from '@groundwork/server/testing/write-planted'
import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { printTable, withEnds } from './run.ts'

/**
 * Writes contacts, of which one in twenty is a duplicate, and waits until all are compared, for several numbers of contacts: the time by
 * contact shows whether it grows with their number. Then adds one contact, and measures the time until its pair is offered.
 */

const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 100_000]

await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, { LOG_LEVEL: 'fatal' })
  const url = groundwork.env['DATABASE_URL']
  if (url === undefined) throw new Error('set TEST_DATABASE_URL: the embedded engine has one session')
  await groundwork.start()
  const database = new pg.Pool({ connectionString: url, max: 1 })
  atEnd(() => database.end())
  const rows: string[][] = []
  for (const count of counts) rows.push(await measure(groundwork, database, count))
  printTable(
    'Duplicates (PostgreSQL)',
    ['contacts', 'planted', 'found', 'recall', 'precision', 'seconds', 'ms a contact', 'one more: ms', 'MB of keys'],
    rows,
  )
})

async function measure(groundwork: Awaited<ReturnType<typeof program>>, database: pg.Pool, count: number): Promise<string[]> {
  const { token, organizationId } = await createToken(groundwork, '--organization', `${count} contacts`)
  const organization = organizationId.slice(-36)
  const { contacts, companies } = plantedContacts(count)
  // A large office with one number.
  for (const { person, firstName, lastName } of plantedContacts(Math.round(count / 200), 99).contacts)
    contacts.push({
      person: count + person,
      kind: 'office',
      firstName,
      lastName,
      email: null,
      phone: '+4940100000',
      company: null,
      address: null,
    })
  const ids = contacts.map(() => newId())
  // The terms of searches take most of the time of writing contacts, and have no part in this.
  await database.query('alter table contact disable trigger write_terms_of_new_contact')
  const begin = performance.now()
  await writePlanted(database, organization, { contacts, companies, ids })
  await database.query('alter table contact enable trigger write_terms_of_new_contact')
  const left = async (): Promise<boolean> =>
    (await database.query('select from contact_to_compare where organization_id = $1 limit 1', [organization])).rowCount !== 0
  while (await left()) await sleep(500)
  const seconds = (performance.now() - begin) / 1000

  const personOf = new Map(ids.map((id, at) => [id, contacts[at]?.person]))
  const { rows } = await database.query<{ first_id: string; second_id: string }>(
    'select first_id, second_id from contact_duplicate where organization_id = $1 and confidence >= 0.7::real',
    [organization],
  )
  const right = rows.filter(({ first_id, second_id }) => personOf.get(first_id) === personOf.get(second_id)).length
  const sizes = new Map<number, number>()
  for (const { person } of contacts) sizes.set(person, (sizes.get(person) ?? 0) + 1)
  const planted = [...sizes.values()].reduce((pairs, size) => pairs + (size * (size - 1)) / 2, 0)
  const { rows: size } = await database.query<{ bytes: string }>(`select pg_total_relation_size('contact_match_key') as bytes`)
  return [
    String(count),
    String(planted),
    String(rows.length),
    (right / planted).toFixed(3),
    (right / rows.length).toFixed(3),
    seconds.toFixed(0),
    ((seconds / count) * 1000).toFixed(2),
    (await timeOfOne(groundwork.url, token)).toFixed(0),
    (Number(size[0]?.bytes) / 2 ** 20).toFixed(0),
  ]
}

/** Returns the time from the answer to a request that creates a duplicate until the pair is offered, in milliseconds. */
async function timeOfOne(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const create = async (): Promise<string> => {
    const body = JSON.stringify({ firstName: 'Ada', lastName: 'Moss', email: 'ada@moss.example' })
    const answer = await fetch(`${url}/v1/contacts`, { method: 'POST', headers, body })
    return ((await answer.json()) as { id: string }).id
  }
  await create()
  const id = await create()
  const begin = performance.now()
  for (;;) {
    const answer = await fetch(`${url}/v1/contacts/duplicates?contactId=${id}`, { headers })
    if (((await answer.json()) as { data: unknown[] }).data.length > 0) return performance.now() - begin
    await sleep(20)
  }
}
