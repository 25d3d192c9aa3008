import { openStore } from '@groundwork/server/db/store'
import { newId } from '@groundwork/server/lib/ids'
import fastify from 'fastify'
import pg from 'pg'
import { pino } from 'pino'

// The yardstick of the API benchmark: Fastify with one prepared statement for each request.
const [, , port = '0', dataDir = ''] = process.argv
const server = process.env['TEST_DATABASE_URL']
const databaseUrl = server === undefined ? undefined : await freshDatabase(server)
const store = await openStore({ dataDir, databaseUrl, log: pino({ level: 'error' }) })
const { pool } = store.database
const organizationId = newId()
await pool.query(`insert into organization (id, name, created_at) values ($1, 'Bare', now())`, [organizationId])

// The contact, its event, audit entry and change: the rows that a request writes, in one statement.
const insert = {
  name: 'create',
  text: `with entry as (
      insert into audit_entry (organization_id, created_at, id, action, actor_type, actor_id, address, request_id, target_kind, target_id)
      values ($1, now(), $7, 'contact.created', 'token', $1, '127.0.0.1', $8, 'con', $2)
    ), change as (
      insert into contact_change (organization_id, contact_id, position, id, created_at, actor_type, actor_id, how, changed)
      values ($1, $2, 1, $9, now(), 'token', $1, 'api', $10)
    ), emitted as (
      insert into event (organization_id, id, type, data, actor_type, actor_id, created_at)
      values ($1, $11, 'contact.created', $12, 'token', $1, now())
    )
    insert into contact (organization_id, id, first_name, last_name, email, phone, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, now(), now()) returning *`,
}
let requests = 0
const create = (body: Record<string, string>) => {
  const contactId = newId()
  const { firstName, lastName, email, phone } = body
  const data = JSON.stringify({ id: `con_${contactId}`, ...body })
  const ids = [newId(), String((requests += 1)), newId(), JSON.stringify(body), newId(), data]
  return pool.query({ ...insert, values: [organizationId, contactId, firstName, lastName, email, phone, ...ids] })
}
for (let count = 0; count < 51; count += 1)
  await create({ firstName: 'Rental', lastName: 'Desk', email: 'desk@example.com', phone: '+442071838750' })
const { rows } = await pool.query<{ id: string }>('select id from contact limit 1')
const id = rows[0]?.id

const app = fastify()
app.get('/one', async () => {
  const found = await pool.query({
    name: 'one',
    text: 'select * from contact where organization_id = $1 and id = $2',
    values: [organizationId, id],
  })
  return found.rows[0] as object
})
app.get('/list', async () => {
  const text = 'select * from contact where organization_id = $1 order by created_at desc, id desc limit 50'
  return (await pool.query({ name: 'list', text, values: [organizationId] })).rows
})
const proposalId = newId()
await pool.query({
  text: `insert into proposal (organization_id, id, number, title, contact_id, total_amount, currency, status, items, message, sent_at, created_at, updated_at)
    values ($1, $2, 1, $3, $4, 1260, 'GBP', 'pending', $5, $6, now(), now(), now())`,
  values: [organizationId, proposalId, 'Six e-bikes for three days', id, JSON.stringify([{}, {}, {}]), 'Thank you for your visit.'],
})
let page: { headers: Record<string, string>; html: string } = { headers: {}, html: '' }
app.put('/page', { bodyLimit: 1e6 }, async (request, reply) => {
  page = request.body as typeof page
  for (const name of ['date', 'connection', 'keep-alive', 'content-length', 'content-encoding']) delete page.headers[name]
  return reply.code(204).send()
})
app.get('/page', async (_request, reply) => {
  const text = 'select * from proposal where organization_id = $1 and id = $2'
  await pool.query({ name: 'page', text, values: [organizationId, proposalId] })
  return reply.headers(page.headers).send(page.html)
})
app.post('/create', async (request, reply) => {
  const created = await create(request.body as Record<string, string>)
  return reply.code(201).send(created.rows[0])
})
await app.listen({ port: Number(port), host: '127.0.0.1' })

async function freshDatabase(address: string): Promise<string> {
  const name = `bare_${process.pid}`
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return Object.assign(new URL(address), { pathname: `/${name}` }).href
}
