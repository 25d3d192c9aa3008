import { createToken, program } from '@groundwork/e2e/program'
import { contactQueries, isWanted, type ContactQuery } from '@groundwork/server/testing/contact-queries'
import type { GeneratedContact } from '@groundwork/server/testing/generated-contacts'
import pg from 'pg'
import { Pool } from 'undici'
import { fillContacts } from './fill-contacts.ts'
import { percentile, printTable, withEnds } from './run.ts'

/**
 * Searches for people as they are written by hand, with the place of the right contact, and lists of many contacts against the same
 * rows by one prepared statement without the program. The same number of contacts gives the same contacts and queries.
 */

const contacts = Number(process.argv[2] ?? 100_000)
const queries = Number(process.argv[3] ?? 1200)
const repetitions = 200
const limit = 50

const nameOrder = `contact_fold(coalesce(last_name, '') || ' ' || coalesce(first_name, '')) collate "C", id`

interface Found extends Pick<GeneratedContact, 'firstName' | 'lastName' | 'email' | 'phone'> {
  readonly id: string
}

await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, { LOG_LEVEL: 'fatal' })
  await groundwork.start()
  const { token, organizationId } = await createToken(groundwork)
  const url = groundwork.env['DATABASE_URL']
  if (url === undefined) throw new Error('set TEST_DATABASE_URL: the embedded engine has one session')
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  atEnd(() => database.end())
  const organization = organizationId.slice(-36)
  const started = performance.now()
  const made = await fillContacts(database, { organization, contacts, numberField: 'points' })
  process.stdout.write(`${contacts} contacts in ${((performance.now() - started) / 1000).toFixed(0)} s\n`)

  const pool = new Pool(groundwork.url, { connections: 1 })
  atEnd(() => pool.close())
  const list = async (query: string): Promise<Found[]> => {
    const path = `/v1/contacts?limit=${limit}${query}`
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`)
    return JSON.parse(text) as Found[]
  }
  await measureSearches(made, list)
  await measureLists(database, organization, list, made)
})

type List = (query: string) => Promise<Found[]>

async function measureSearches(made: readonly GeneratedContact[], list: List): Promise<void> {
  const all: { query: ContactQuery; place: number; ms: number }[] = []
  for (const query of contactQueries(made, queries)) {
    const begin = performance.now()
    const found = await list(`&q=${encodeURIComponent(query.q)}`)
    all.push({ query, ms: performance.now() - begin, place: found.findIndex((contact) => isWanted(contact, query)) })
  }
  const figures = (some: typeof all): string[] => [
    String(some.length),
    (some.filter(({ place }) => place === 0).length / some.length).toFixed(3),
    (some.filter(({ place }) => place >= 0 && place < 5).length / some.length).toFixed(3),
    ...[0.5, 0.95].map((share) =>
      percentile(
        some.map(({ ms }) => ms),
        share,
      ).toFixed(1),
    ),
  ]
  const kinds = [...new Set(all.map(({ query }) => query.kind))]
  printTable(
    `Searches among ${contacts} contacts in nine scripts (PostgreSQL)`,
    ['written as', 'queries', 'right one first', 'in the first five', 'p50 ms', 'p95 ms'],
    [...kinds.map((kind) => [kind, ...figures(all.filter(({ query }) => query.kind === kind))]), ['all', ...figures(all)]],
  )
}

interface Case {
  readonly name: string
  readonly query: string
  /** Conditions of the bare statement, with parameters from $2. */
  readonly where: string
  readonly values: readonly unknown[]
  readonly order?: string
}

async function casesOf(database: pg.Client, organization: string, person: GeneratedContact): Promise<Case[]> {
  const last = `select id, created_at from contact where organization_id = $1 order by created_at, id offset 60 limit 1`
  const [row] = (await database.query<{ id: string; created_at: Date }>(last, [organization])).rows
  if (row === undefined) throw new Error('there are too few contacts')
  const cursor = Buffer.from(`${row.created_at.getTime()}.${row.id}`).toString('base64url')
  const terms = (condition: string) => ({
    where:
      'id in (select contact_id from contact_terms t where t.organization_id = $1 and t.terms @@ $2::tsquery order by contact_id desc limit 51)',
    values: [condition],
    order: 'id desc',
  })
  const word = (text: string): string => `'${text.toLowerCase().replaceAll("'", "''")}'`
  return [
    { name: 'newest', query: '', where: 'true', values: [] },
    { name: 'last page', query: `&cursor=${cursor}`, where: '(created_at, id) < ($2, $3)', values: [row.created_at, row.id] },
    { name: 'sort=name', query: '&sort=name', where: 'true', values: [], order: nameOrder },
    { name: 'sort=-updatedAt', query: '&sort=-updatedAt', where: 'true', values: [], order: 'updated_at desc, id desc' },
    { name: 'email', query: `&email=${encodeURIComponent(person.email)}`, where: 'email = $2', values: [person.email] },
    { name: 'phone', query: `&phone=${encodeURIComponent(person.phone)}`, where: 'phone = $2', values: [person.phone] },
    { name: 'tag (1 %)', query: '&tag=vip', where: `tags @> $2::text[]`, values: [['vip']] },
    { name: 'tag of none', query: '&tag=none', where: `tags @> $2::text[]`, values: [['none']] },
    { name: 'q: a whole name', query: '&q=john+smithson', ...terms(`'=john smithson'`) },
    { name: 'q: a first name', query: '&q=maria', ...terms(word('maria')) },
    { name: 'q: a frequent first name', query: '&q=john', ...terms(word('john')) },
    { name: 'q: a word of all', query: '&q=example', ...terms(word('example')) },
    { name: 'q: first letters', query: '&q=jo', ...terms(`'jo':*`) },
    { name: 'q: a typing error', query: '&q=jonh+smithsen', ...terms(`'-jon' & '-smithsn'`) },
    { name: 'q: nothing', query: '&q=zzyzx+qqvxy', ...terms(`'zzyzx'`) },
  ]
}

async function measureLists(database: pg.Client, organization: string, list: List, made: readonly GeneratedContact[]): Promise<void> {
  const [person] = made
  if (person === undefined) return
  const rows: string[][] = []
  for (const { name, query, where, values, order = 'created_at desc, id desc' } of await casesOf(database, organization, person)) {
    const text = `select * from contact where organization_id = $1 and deleted_at is null and ${where} order by ${order} limit ${limit + 1}`
    const bare = () => database.query({ name, text, values: [organization, ...values] })
    const times: { bare: number[]; service: number[] } = { bare: [], service: [] }
    // The two alternate, so that other load on the machine affects both. The first tenth is a warm-up.
    for (let at = -repetitions / 10; at < repetitions; at += 1) {
      const [bareTime, serviceTime] = [await timeOf(bare), await timeOf(() => list(query))]
      if (at < 0) continue
      times.bare.push(bareTime)
      times.service.push(serviceTime)
    }
    const [p95, bareP95] = [percentile(times.service, 0.95), percentile(times.bare, 0.95)]
    const figures = [percentile(times.bare, 0.5), bareP95, percentile(times.service, 0.5), p95, p95 / bareP95]
    rows.push([name, String((await list(query)).length), ...figures.map((value) => value.toFixed(2))])
  }
  printTable(
    `Milliseconds of one caller for ${limit} of ${contacts} contacts, ${repetitions} requests each (PostgreSQL)`,
    ['list', 'found', 'bare p50', 'bare p95', 'p50', 'p95', 'p95 / bare p95'],
    rows,
  )
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await run()
  return performance.now() - begin
}
