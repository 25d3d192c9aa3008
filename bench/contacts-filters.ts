import { createToken, program } from '@groundwork/e2e/program'
import pg from 'pg'
import { fillContacts } from './fill-contacts.ts'
import { measureFilters } from './measure-filters.ts'
import { withEnds } from './run.ts'

/**
 * Pages, filters of each kind and frequency, searches and identifications among many contacts, against a prepared statement without the
 * program that an index made for this filter serves, and against Fastify that runs this statement and sends its rows. One caller.
 */

const contacts = Number(process.argv[2] ?? 1_000_000)
const repetitions = Number(process.argv[3] ?? 40)

await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, { LOG_LEVEL: 'fatal' })
  await groundwork.start()
  const { token, organizationId } = await createToken(groundwork)
  const organization = organizationId.slice(-36)
  const connectionString = groundwork.env['DATABASE_URL']
  if (connectionString === undefined) throw new Error('set TEST_DATABASE_URL: the embedded engine has one session')
  const database = new pg.Client({ connectionString })
  await database.connect()
  atEnd(() => database.end())
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const field = await fetch(`${groundwork.url}/v1/custom-fields`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ entity: 'contact', name: 'Points', type: 'number' }),
  })
  const { id: fieldId } = (await field.json()) as { id: string }
  const begin = performance.now()
  const made = await fillContacts(database, { organization, contacts, numberField: fieldId })
  process.stdout.write(`${contacts} contacts in ${((performance.now() - begin) / 1000).toFixed(0)} s\n`)
  await measureFilters(database, { organization, databaseUrl: connectionString, url: groundwork.url, token, fieldId, made, repetitions })
})
