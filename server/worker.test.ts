import { sql } from 'kysely'
import type { Client } from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { withTransaction } from './context.ts'
import { changeTagsWork } from './contacts/tags.ts'
import { deleteIndexWork } from './knowledge/index/remove.ts'
import { followModelWork } from './knowledge/reindex/follow-model.ts'
import { newId } from './lib/ids.ts'
import { deleteMailFilesWork } from './mail/erase.ts'
import { createOutbound } from './outbound/outbound.ts'
import { jobNames } from './queues.ts'
import { testApp, type Caller } from './testing/app.ts'
import { endDelays, jobName } from './testing/delayed-jobs.ts'
import { tenantTables } from './testing/leaks.ts'
import { pngImage } from './testing/images.ts'
import { browse, person } from './testing/people.ts'
import { upload as uploadFile } from './testing/sources.ts'
import { onStatement } from './testing/statements.ts'
import { unitEmbedder } from './testing/fixtures.ts'
import { redeliverWork } from './webhooks/redeliver-range.ts'
import { eraseContractsWork } from './proposals/contract-retention.ts'
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

/** Records every statement on a tenant table, with the database role and organization in effect. */
function watch(): { seen: Promise<Seen | null>[]; stop: () => void } {
  const seen: Promise<Seen | null>[] = []
  const inspecting = new WeakSet<Client>()
  const stop = onStatement(({ client, text, scope }) => {
    if (inspecting.has(client) || !tables.some((table) => new RegExp(`\\b${table}\\b`).test(text)) || text.includes('pgboss.')) return
    // The statement carries its role and organization; tests of server/db check that the server applies them.
    if (scope !== undefined) {
      seen.push(Promise.resolve({ text, role: 'groundwork_app', organization: scope.setting === 'app.organization_id' ? scope.value : '' }))
      return
    }
    inspecting.add(client)
    const answer = client.query<Omit<Seen, 'text'>>(
      `select current_user as role, coalesce(current_setting('app.organization_id', true), '') as organization`,
    )
    inspecting.delete(client)
    seen.push(
      answer.then(
        ({ rows: [row] }) => (row === undefined ? null : { ...row, text }),
        // The transaction had already failed, so the statement had no effect.
        () => null,
      ),
    )
  })
  return { seen, stop }
}

/** Causes a job of every name. Add the cause of a new kind of job here. */
async function causes(caller: Caller): Promise<void> {
  const { call, ctx } = caller
  const create = async (path: string, body: object, headers = {}) => (await call('POST', path, body, headers)).body
  const contact = await create('/v1/contacts', { email: 'a@example.com' }, { 'idempotency-key': 'k' })
  await create('/v1/proposals', { title: 'T', contactId: contact.id, totalAmount: '1', expiresAt: '2099-01-01T00:00:00Z' })
  await call('DELETE', `/v1/contacts/${contact.id}`)
  await withTransaction(ctx, (trx) => enqueueWork(ctx, trx, changeTagsWork, { tags: ['a'], into: null }))
  const company = await create('/v1/companies', { name: 'C' })
  await call('DELETE', `/v1/companies/${company.id}`)
  await create('/v1/invitations', { email: 'a@example.com', role: 'viewer' })
  const { email } = await person(service)
  await browse(app, { method: 'POST', path: '/auth/request-password-reset', body: { email } })
  const people = await uploadFile(app, caller, Buffer.from('email\nada@example.com\n'))
  const { id: importId } = await create('/v1/contact-imports', { storageUrl: people })
  await create('/v1/contacts/revert', { importId })
  const base = await create('/v1/bases', { name: 'B' })
  const text = Buffer.from('We open at nine and close at five.')
  const upload = await create('/v1/uploads', { fileName: 'a.txt', contentType: 'text/plain', sizeBytes: text.length })
  await app.inject({ method: 'PUT', url: new URL(upload.uploadUrl).pathname, headers: upload.headers, payload: text })
  const source = await create(`/v1/bases/${base.id}/sources`, { name: 'S', type: 'file', storageUrl: upload.storageUrl })
  const path = `/v1/bases/${base.id}/sources/${source.id}`
  await vi.waitUntil(async () => (await call('GET', path)).body.status === 'completed', { timeout: 120_000 })
  await create(`/v1/bases/${base.id}/questions`, { question: 'When do you open?', expectedSourceIds: [source.id] })
  const reindexes = `/v1/bases/${base.id}/reindexes`
  const { id } = await create(reindexes, { chunkSize: 64, switchWhenReady: true })
  await vi.waitUntil(async () => (await call('GET', `${reindexes}/${id}`)).body.status === 'switched', { timeout: 120_000 })
  await call('POST', `/v1/bases/${base.id}/search`, { query: 'opening hours' })
  await ctx.retrievals.flush()
  await ctx.requestLog.flush()
  await create(`/v1/bases/${base.id}/evaluations`, {})
  await call('DELETE', path)
  await call('PATCH', '/v1/organization', { logo: { storageUrl: await uploadFile(app, caller, pngImage()) } })
  await call('PATCH', '/v1/organization', { logo: null })
  // This host name does not resolve, so no request is sent.
  const url = 'http://nowhere.invalid/'
  await create(`/v1/bases/${base.id}/sources`, { name: 'C', type: 'scrape', url })
  await create(`/v1/bases/${base.id}/sources`, { name: 'U', type: 'url', url, syncSchedule: 'hourly' })
  // A redelivery of more than 1,000 events leaves this job. Nothing is sent to a disabled endpoint.
  const webhook = await create('/v1/webhooks', { url: 'https://example.com/hook', enabled: false })
  const range = { webhookId: webhook.id.slice(4), only: 'all' as const, from: newId(), to: newId() }
  await withTransaction(ctx, (trx) => enqueueWork(ctx, trx, redeliverWork, range))
  // Erased messages, the removal of a large index, contracts whose years are over, and a program that starts with another embedding model leave these jobs.
  await withTransaction(ctx, (trx) => enqueueWork(ctx, trx, deleteMailFilesWork, { mailIds: [newId()] }))
  await withTransaction(ctx, (trx) => enqueueWork(ctx, trx, deleteIndexWork, {}))
  await withTransaction(ctx, (trx) => enqueueWork(ctx, trx, eraseContractsWork, {}))
  await withTransaction(ctx, (trx) => enqueueWork(ctx, trx, followModelWork, { baseId: base.id.slice(3) }))
}

/** Statements that the embedded engine runs every minute, as the owner of the tables. */
const maintenance = /^(?:VACUUM|ANALYZE)\b/

describe('jobs of every name', () => {
  it('run as groundwork_app for one organization', async () => {
    const caller = await organization()
    const { seen, stop } = watch()
    await causes(caller)
    for (const name of jobNames) await endDelays(database, name)
    stop()
    const { rows } = await database.pool.query<{ name: string }>(
      `select distinct ${jobName} as name from pgboss.job where state = 'completed'`,
    )
    expect(rows.map(({ name }) => name).toSorted()).toEqual(jobNames.toSorted())
    const statements = (await Promise.all(seen)).filter((each) => each !== null)
    expect(statements.length).toBeGreaterThan(50)
    const ofJobs = statements.filter(({ text }) => !maintenance.test(text))
    // Token look-ups run before the organization is known.
    const other = ofJobs.filter(({ organization: of, text }) => of !== caller.organizationId && !text.includes('"previous_hash" ='))
    expect(other).toEqual([])
    expect(new Set(ofJobs.map(({ role }) => role))).toEqual(new Set(['groundwork_app']))
  })

  it('are subject to row-level security on every table', async () => {
    const { organizationId } = await organization()
    await database.transaction(organizationId, async (trx) => {
      for (const table of tables) {
        const { rows } = await sql<{ active: boolean }>`select row_security_active(${table}) as active`.execute(trx)
        expect([table, rows[0]?.active]).toEqual([table, true])
      }
    })
    // Row-level security does not bind the owner of the tables, so only migrations, the queue and the command line run as
    // owner.
    const { rows } = await database.pool.query<{ active: boolean }>(`select row_security_active('contact') as active`)
    expect(rows).toEqual([{ active: false }])
  })
})
