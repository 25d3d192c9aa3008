import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { scopes } from '@groundwork/api'
import { readConfig } from './config.ts'
import { checkPooler } from './doctor/pooler.ts'
import { newId } from './lib/ids.ts'
import { ensureOrganization } from './organizations/organizations.ts'
import { createProgram, type Program } from './program.ts'
import { freePort } from './testing/free-port.ts'
import { pgbouncerIsInstalled, startPgBouncer, type PgBouncer } from './testing/pgbouncer.ts'
import { copyOfTemplate, type TestDatabase } from './testing/template.ts'
import { receiver } from './testing/webhook-receiver.ts'
import { createToken } from './tokens/issue.ts'

/** `npm run test:full` sends more. */
const requests = Number(process.env['POOLED_REQUESTS'] ?? 250)
/** Far fewer than the connections of the program, so that each of these sessions serves all of them. */
const poolSize = 2
const serverUrl = inject('serverUrl')
const isPossible = serverUrl !== '' && pgbouncerIsInstalled()
const hook = await receiver()

let copy: TestDatabase
let pgbouncer: PgBouncer
let program: Program
let url = ''
let folder = ''
/** Answers with a 5xx, and those that contradict what the caller has written. */
const faults: string[] = []
let sent = 0

beforeAll(async () => {
  if (!isPossible) return
  copy = await copyOfTemplate({ serverUrl, embeddedTemplate: inject('embeddedTemplate') })
  // With a user, the program prints no link for the setup.
  await copy.database.pool.query('select create_user($1, $2, $3, $4, $5)', [
    newId(),
    'Robin Moss',
    'robin@example.com',
    'no hash',
    new Date(),
  ])
  pgbouncer = await startPgBouncer(serverUrl, { mode: 'transaction', poolSize })
  folder = await mkdtemp(join(tmpdir(), 'groundwork-pooled-'))
  program = await createProgram(
    readConfig({
      PORT: String(await freePort()),
      DATA_DIR: folder,
      LOG_LEVEL: 'fatal',
      DRAIN_SECONDS: '0',
      FETCH_ALLOW_HOSTS: '127.0.0.1',
      DATABASE_URL: pgbouncer.through(copy.url ?? ''),
      DATABASE_POOLER: 'transaction',
      DATABASE_DIRECT_URL: copy.url ?? '',
    }),
  )
  url = program.url ?? ''
})
afterAll(async () => {
  if (!isPossible) return
  await program.stop()
  await pgbouncer.close()
  await copy.close()
  await rm(folder, { recursive: true, force: true })
})

interface Answer {
  status: number
  body: any // oxlint-disable-line typescript/no-explicit-any -- a test reads any reply
}

async function send(token: string, method: string, path: string, body?: object): Promise<Answer> {
  sent += 1
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status >= 500) faults.push(`${method} ${path}: ${response.status} ${text}`)
  return { status: response.status, body: /^[{[]/.test(text) ? JSON.parse(text) : text }
}

function check(isRight: boolean, fault: string): void {
  if (!isRight) faults.push(fault)
}

const isEvery = ({ body }: Answer, field: string, value: string): boolean =>
  Array.isArray(body) && body.length > 0 && body.every((each: Record<string, unknown>) => each[field] === value)

/** An organization, with the contacts that its callers have created. */
interface Tenant {
  readonly name: string
  readonly token: string
  readonly baseId: string
  readonly created: Set<string>
  readonly deleted: Set<string>
}

async function tenant(name: string): Promise<Tenant> {
  const { database } = copy
  const now = new Date()
  const { id: organizationId } = await ensureOrganization(database.pool, name, now)
  const { secret: token } = await createToken(database, { organizationId, name, scopes, expiresAt: null, now })
  const { body } = await send(token, 'POST', '/v1/bases', { name })
  await send(token, 'POST', '/v1/webhooks', { url: hook.url, eventTypes: ['contact.created'] })
  return { name, token, baseId: body.id, created: new Set(), deleted: new Set() }
}

async function contacts({ name, token, created, deleted }: Tenant, caller: string, round: number): Promise<void> {
  const email = `${caller}-${round}@${name}.example.com`
  const { status, body } = await send(token, 'POST', '/v1/contacts', { email, firstName: name })
  check(status === 201, `contact ${email}: ${status}`)
  created.add(body.id)
  const read = await send(token, 'GET', `/v1/contacts/${body.id}`)
  check(read.body.email === email, `${email} was read as ${JSON.stringify(read)}`)
  const patched = await send(token, 'PATCH', `/v1/contacts/${body.id}`, { lastName: caller })
  check(patched.body.lastName === caller, `${email} was changed to ${JSON.stringify(patched)}`)
  const list = await send(token, 'GET', '/v1/contacts?limit=100&count=true')
  check(isEvery(list, 'firstName', name), `a list of ${name} has ${JSON.stringify(list).slice(0, 500)}`)
  const found = await send(token, 'GET', `/v1/contacts?q=${encodeURIComponent(email)}&limit=5`)
  check(found.body[0]?.email === email, `${email} was not found, but ${JSON.stringify(found).slice(0, 500)}`)
  const proposal = await send(token, 'POST', '/v1/proposals', { title: email, contactId: body.id, totalAmount: '10.00', draft: true })
  check(proposal.body.title === email, `the proposal of ${email}: ${JSON.stringify(proposal)}`)
  const proposals = await send(token, 'GET', `/v1/proposals?limit=20&contactId=${body.id}`)
  check(proposals.body.data?.[0]?.title === email, `the proposals of ${email}: ${JSON.stringify(proposals).slice(0, 500)}`)
  if (round % 3 !== 0) return
  const removed = await send(token, 'DELETE', `/v1/contacts/${body.id}`)
  check(removed.status === 200 || removed.status === 204, `deleting ${email}: ${JSON.stringify(removed)}`)
  deleted.add(body.id)
  check((await send(token, 'GET', `/v1/contacts/${body.id}`)).status === 404, `${email} was deleted, but is there`)
}

/** Adds a file, searches for it, and deletes it: nothing finds it afterwards. */
async function documents({ name, token, baseId }: Tenant, caller: string, round: number): Promise<void> {
  const word = `${name}${caller}x${round}`.replaceAll(/[^a-z0-9]/g, '')
  const text = `The ${word} of ${name} is in the second drawer of the cabinet beside the window.`
  const upload = await send(token, 'POST', '/v1/uploads', { fileName: `${word}.txt`, sizeBytes: Buffer.byteLength(text) })
  sent += 1
  const put = await fetch(upload.body.uploadUrl, { method: 'PUT', body: text })
  check(put.ok, `the upload of ${word}: ${put.status} ${await put.text()}`)
  const source = await send(token, 'POST', `/v1/bases/${baseId}/sources`, { name: word, type: 'file', storageUrl: upload.body.storageUrl })
  check(source.status < 300, `the source ${word}: ${JSON.stringify(source)}`)
  const path = `/v1/bases/${baseId}/sources/${source.body.id}`
  let status = 'processing'
  while (status === 'processing') {
    await setTimeout(100)
    status = (await send(token, 'GET', path)).body.status
  }
  check(status === 'completed', `the source ${word} is ${status}`)
  const search = async (): Promise<string[]> => {
    const { body } = await send(token, 'POST', `/v1/bases/${baseId}/search`, { query: `Where is the ${word}?`, topK: 3 })
    return (body.data ?? []).map((hit: { text: string }) => hit.text)
  }
  check((await search()).includes(text), `${word} was not found`)
  check((await send(token, 'DELETE', path)).status < 300, `the source ${word} was not deleted`)
  check(!(await search()).includes(text), `${word} was found after it was deleted`)
}

async function reads({ token, baseId, name }: Tenant, _caller: string, round: number): Promise<void> {
  const paths = ['/v1/overview', '/v1/events?limit=50', '/v1/audit?limit=50', '/v1/webhooks', `/v1/bases/${baseId}/sources?limit=50`]
  const { status, body } = await send(token, 'GET', `${paths[round % paths.length]}`)
  check(status === 200, `a list of ${name}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
  const base = await send(token, 'GET', `/v1/bases/${baseId}`)
  check(base.body.name === name, `the knowledge base of ${name} is ${JSON.stringify(base)}`)
}

/** Returns the ids of the contacts whose creation the event stream announces, until it is left. */
async function stream(token: string): Promise<{ ids: Set<string>; leave: () => void }> {
  const gone = new AbortController()
  const response = await fetch(`${url}/v1/events/stream`, { headers: { authorization: `Bearer ${token}` }, signal: gone.signal })
  const ids = new Set<string>()
  const read = async (): Promise<void> => {
    let text = ''
    for await (const part of (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream())) {
      const frames = (text + part).split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) {
        const data = /^event: contact\.created\ndata: (.*)$/m.exec(frame)?.[1]
        if (data !== undefined) ids.add((JSON.parse(data) as { data: { id: string } }).data.id)
      }
    }
  }
  read().catch(() => undefined) // Leaving the stream rejects the read.
  return { ids, leave: () => gone.abort() }
}

describe.skipIf(!isPossible)('the program behind PgBouncer in transaction mode (PostgreSQL and pgbouncer)', () => {
  it(`answers ${requests} mixed requests without a 5xx, with the data of each caller, and delivers every event`, async () => {
    const tenants = [await tenant('north'), await tenant('south')]
    const streams = await Promise.all(tenants.map(({ token }) => stream(token)))
    const end = sent + requests
    const isDone = (): boolean => sent >= end
    const callers = tenants.flatMap((each) =>
      [contacts, contacts, contacts, contacts, documents, documents, reads, reads].map(async (act, index) => {
        for (let round = 0; !isDone(); round += 1) await act(each, `caller${index}`, round)
      }),
    )
    await Promise.all(callers)
    expect(faults).toEqual([])
    for (const [at, { name, created, deleted }] of tenants.entries()) {
      const kept = [...created].filter((id) => !deleted.has(id))
      const { rows } = await copy.database.pool.query<{ n: number }>(
        `select count(*) as n from contact join organization o on o.id = organization_id
         where o.name = $1 and deleted_at is null`,
        [name],
      )
      expect(rows[0]?.n).toBe(kept.length)
      await expect.poll(() => streams[at]?.ids).toEqual(created)
    }
    const all = tenants.flatMap(({ created }) => [...created]).toSorted()
    await expect.poll(() => [...new Set(hook.received.map(({ event }) => event.data.id))].toSorted()).toEqual(all)
    for (const { leave } of streams) leave()
    console.info(`${sent} requests, ${all.length} contacts`)
  }, 3_000_000)

  it('has a pooler in which the doctor finds no fault, and finds one that leads elsewhere', async () => {
    const databaseUrl = pgbouncer.through(copy.url ?? '')
    expect(await checkPooler({ databaseUrl, directUrl: copy.url ?? '' })).toEqual([])
    expect(await checkPooler({ databaseUrl, directUrl: serverUrl })).toMatchObject([
      { check: 'pooler', subject: 'DATABASE_URL', detail: expect.stringContaining('another database') },
    ])
  })
})
