import { sql } from 'kysely'
import type { Client } from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { withTransaction } from './context.ts'
import { newId } from './lib/ids.ts'
import { createOutbound } from './outbound/outbound.ts'
import { queues } from './queues.ts'
import { testApp, type Caller } from './testing/app.ts'
import { endDelays } from './testing/delayed-jobs.ts'
import { tenantTables } from './testing/leaks.ts'
import { browse, person } from './testing/people.ts'
import { onStatement } from './testing/statements.ts'
import { unitEmbedder } from './testing/fixtures.ts'
import { redeliverWork } from './webhooks/redeliver-range.ts'
import { enqueueWork } from './work.ts'

const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const service = await testApp({ embedder: unitEmbedder, worker: { outbound } })
const { app, database, organization } = service
const tables = await tenantTables(database)

interface Seen {
  text: string
  role: string
  organization: string
}

/** Every statement on a table of an organization's, with the role and the organization that the database had then. */
function watch(): { seen: Promise<Seen | null>[]; stop: () => void } {
  const seen: Promise<Seen | null>[] = []
  const asked = new WeakSet<Client>()
  const stop = onStatement(({ client, text, scope }) => {
    if (asked.has(client) || !tables.some((table) => new RegExp(`\\b${table}\\b`).test(text)) || text.includes('pgboss.')) return
    // It travels with its role and organization; server/db tests that the server confirms them.
    if (scope !== undefined) {
      seen.push(Promise.resolve({ text, role: 'groundwork_app', organization: scope.setting === 'app.organization_id' ? scope.value : '' }))
      return
    }
    asked.add(client)
    const answer = client.query<Omit<Seen, 'text'>>(
      `select current_user as role, coalesce(current_setting('app.organization_id', true), '') as organization`,
    )
    asked.delete(client)
    seen.push(
      answer.then(
        ({ rows: [row] }) => (row === undefined ? null : { ...row, text }),
        // The transaction was broken already, so the statement did nothing either.
        () => null,
      ),
    )
  })
  return { seen, stop }
}

/** Leaves a job in every queue: what each kind of work is about happened. A new kind needs its cause here. */
async function causes({ call, ctx }: Caller): Promise<void> {
  const create = async (path: string, body: object, headers = {}) => (await call('POST', path, body, headers)).body
  const contact = await create('/v1/contacts', { email: 'a@example.com' }, { 'idempotency-key': 'k' })
  await create('/v1/proposals', { title: 'T', contactId: contact.id, totalAmount: '1', expiresAt: '2099-01-01T00:00:00Z' })
  await call('DELETE', `/v1/contacts/${contact.id}`)
  await create('/v1/invitations', { email: 'a@example.com', role: 'viewer' })
  const { email } = await person(service)
  await browse(app, { method: 'POST', path: '/auth/request-password-reset', body: { email } })
  const base = await create('/v1/bases', { name: 'B' })
  const text = Buffer.from('We open at nine and close at five.')
  const upload = await create('/v1/uploads', { fileName: 'a.txt', contentType: 'text/plain', sizeBytes: text.length })
  await app.inject({ method: 'PUT', url: new URL(upload.uploadUrl).pathname, headers: upload.headers, payload: text })
  const source = await create(`/v1/bases/${base.id}/sources`, { name: 'S', type: 'file', storageUrl: upload.storageUrl })
  const path = `/v1/bases/${base.id}/sources/${source.id}`
  await vi.waitUntil(async () => (await call('GET', path)).body.status === 'completed', { timeout: 30_000 })
  await create(`/v1/bases/${base.id}/questions`, { question: 'When do you open?', expectedSourceIds: [source.id] })
  const reindexes = `/v1/bases/${base.id}/reindexes`
  const { id } = await create(reindexes, { chunkSize: 64, switchWhenReady: true })
  await vi.waitUntil(async () => (await call('GET', `${reindexes}/${id}`)).body.status === 'switched', { timeout: 30_000 })
  await call('POST', `/v1/bases/${base.id}/search`, { query: 'opening hours' })
  await ctx.retrievals.flush()
  await create(`/v1/bases/${base.id}/evaluations`, {})
  await call('DELETE', path)
  // A name that stands for no address: nobody is asked.
  const url = 'http://nowhere.invalid/'
  await create(`/v1/bases/${base.id}/sources`, { name: 'C', type: 'scrape', url })
  await create(`/v1/bases/${base.id}/sources`, { name: 'U', type: 'url', url, syncSchedule: 'hourly' })
  // Left by a redelivery of more than a thousand events; nothing is sent to an endpoint that is disabled.
  const webhook = await create('/v1/webhooks', { url: 'https://example.com/hook', enabled: false })
  const range = { webhookId: webhook.id.slice(4), only: 'all' as const, from: newId(), to: newId() }
  await withTransaction(ctx, (trx) => enqueueWork(ctx, trx, redeliverWork, range))
}

describe('the work of every queue', () => {
  it('is done as groundwork_app for one organization', async () => {
    const caller = await organization()
    const { seen, stop } = watch()
    await causes(caller)
    for (const { name } of queues) await endDelays(database, name)
    stop()
    const { rows } = await database.pool.query<{ name: string }>(`select distinct name from pgboss.job where state = 'completed'`)
    expect(rows.map(({ name }) => name).toSorted()).toEqual(queues.map(({ name }) => name).toSorted())
    const statements = (await Promise.all(seen)).filter((each) => each !== null)
    expect(statements.length).toBeGreaterThan(50)
    // Who presents a token has no organization before it is found.
    const other = statements.filter(({ organization: of, text }) => of !== caller.organizationId && !text.includes('"previous_hash" ='))
    expect(other).toEqual([])
    expect(new Set(statements.map(({ role }) => role))).toEqual(new Set(['groundwork_app']))
  })

  it('is under row-level security on every table', async () => {
    const { organizationId } = await organization()
    await database.transaction(organizationId, async (trx) => {
      for (const table of tables) {
        const { rows } = await sql<{ active: boolean }>`select row_security_active(${table}) as active`.execute(trx)
        expect([table, rows[0]?.active]).toEqual([table, true])
      }
    })
    // Who owns the tables is not bound, which is why nothing but migrations, the queue and the command line runs so.
    const { rows } = await database.pool.query<{ active: boolean }>(`select row_security_active('contact') as active`)
    expect(rows).toEqual([{ active: false }])
  })
})
