import { Client } from '@groundwork/e2e/client'
import { createToken, program } from '@groundwork/e2e/program'
import pg from 'pg'
import { Pool } from 'undici'
import { fillProposals } from './fill-proposals.ts'
import { percentile, printTable, withEnds } from './run.ts'

/** Lists, filters and searches of many proposals, against the same rows by one prepared statement without the program. */

const proposals = Number(process.argv[2] ?? 1_000_000)
const repetitions = 200
const limit = 50

interface Case {
  readonly name: string
  /** Query string of the list. */
  readonly query: string
  /** Conditions and order of the bare statement, with parameters from $2. */
  readonly where: string
  readonly order?: string
  readonly values: readonly unknown[]
}

const newest = 'created_at desc, id desc'

function casesOf(contactId: string, { createdAt, id, cursor }: Deep): Case[] {
  const [year, next] = ['2024-03-01T00:00:00Z', '2024-03-02T00:00:00Z']
  const containing = (text: string) => ({ where: `search_text like $2`, values: [`%${text.toLowerCase()}%`] })
  return [
    { name: 'newest', query: '', where: 'true', values: [] },
    { name: 'page after 100,000', query: `&cursor=${cursor}`, where: '(created_at, id) < ($2, $3)', values: [createdAt, id] },
    { name: 'largest', query: '&sort=-totalAmount', where: 'true', values: [], order: 'total_hundredths desc, id desc' },
    { name: 'status=pending', query: '&status=pending', where: 'status = $2', values: ['pending'] },
    { name: 'status=expired (1 %)', query: '&status=expired', where: 'status = $2', values: ['expired'] },
    { name: 'contactId', query: `&contactId=ctc_${contactId}`, where: 'contact_id = $2', values: [contactId] },
    { name: 'currency=JPY (1 %)', query: '&currency=JPY', where: 'currency = $2', values: ['JPY'] },
    {
      name: 'created on a day',
      query: `&createdAfter=${year}&createdBefore=${next}`,
      where: 'created_at >= $2 and created_at < $3',
      values: [year, next],
    },
    {
      name: 'minTotal and maxTotal (.1 %)',
      query: '&minTotal=500&maxTotal=509.99',
      where: 'total_hundredths between $2 and $3',
      values: ['50000', '50999'],
    },
    {
      name: 'status, largest first',
      query: '&status=expired&sort=-totalAmount',
      where: 'status = $2',
      values: ['expired'],
      order: 'total_hundredths desc, id desc',
    },
    { name: 'q: a number', query: '&q=P-765432', ...containing('P-765432') },
    { name: 'q: a rare text', query: '&q=unicorn', ...containing('unicorn') },
    { name: 'q: a text of 3 %', query: '&q=harbour', ...containing('harbour') },
    { name: 'q: a text of all', query: '&q=bicycles', ...containing('bicycles') },
    { name: 'q: no text', query: '&q=zeppelin', ...containing('zeppelin') },
    {
      name: 'q: 3 %, status=expired',
      query: '&q=harbour&status=expired',
      where: 'search_text like $2 and status = $3',
      values: ['%harbour%', 'expired'],
    },
  ]
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
  const { contactId } = await fillProposals(database, { organization, proposals })
  process.stdout.write(`${proposals} proposals in ${((performance.now() - started) / 1000).toFixed(0)} s\n`)

  const pool = new Pool(groundwork.url, { connections: 1 })
  atEnd(() => pool.close())
  const list = async (query: string): Promise<{ data: { id: string }[] }> => {
    const path = `/v1/proposals?limit=${limit}${query}`
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`)
    return JSON.parse(text) as { data: { id: string }[] }
  }
  const rows: string[][] = []
  for (const { name, query, where, order = newest, values } of casesOf(contactId, await deepCursor(database, organization))) {
    const text = `select *, (select json_agg(recipient order by position) from proposal_recipient recipient
        where recipient.organization_id = proposal.organization_id and recipient.proposal_id = proposal.id) as recipients
      from proposal where organization_id = $1 and ${where} order by ${order} limit ${limit + 1}`
    const bare = () => database.query<{ id: string }>({ name, text, values: [organization, ...values] })
    const [ours, theirs] = [await list(query), (await bare()).rows.slice(0, limit)]
    if (ours.data.map(({ id }) => id.slice(-36)).join() !== theirs.map(({ id }) => id).join()) throw new Error(`${name}: other proposals`)
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
    rows.push([name, String(ours.data.length), ...figures.map((value) => value.toFixed(2))])
  }
  printTable(
    `Milliseconds of one caller for ${limit} of ${proposals} proposals, ${repetitions} requests each (PostgreSQL)`,
    ['list', 'found', 'bare p50', 'bare p95', 'p50', 'p95', 'p95 / bare p95'],
    rows,
  )
  const client = new Client(groundwork.url, token)
  const totals = await timeOf(() => client.call('GET', '/v1/proposals/totals'))
  process.stdout.write(`\nGET /v1/proposals/totals: ${totals.toFixed(0)} ms\n`)
})

interface Deep {
  readonly createdAt: string
  readonly id: string
  readonly cursor: string
}

/** Returns the position of the 100,000th proposal in the list, without reading the pages before. */
async function deepCursor(database: pg.Client, organization: string): Promise<Deep> {
  const offset = Math.min(100_000, proposals / 2)
  const text = `select id, created_at::text as created from proposal where organization_id = $1 order by ${newest} offset $2 limit 1`
  const [row] = (await database.query<{ id: string; created: string }>(text, [organization, offset])).rows
  if (row === undefined) throw new Error('there are too few proposals')
  const cursor = Buffer.from(JSON.stringify(['-createdAt', row.created, row.id])).toString('base64url')
  return { createdAt: row.created, id: row.id, cursor }
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}
