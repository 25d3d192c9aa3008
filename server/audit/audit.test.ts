import type { AuditEntry } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { purgeContactWork } from '../contacts/purge.ts'
import { withTransaction } from '../context.ts'
import { newId } from '../lib/ids.ts'
import { ensureOrganization } from '../organizations/organizations.ts'
import { expireProposalWork } from '../proposals/expiry.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { endDelays, jobName } from '../testing/delayed-jobs.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { audit } from './audit.ts'
import { auditRetention } from './retention.ts'

let time: Date | null = null
const { app, organization, database } = await testApp({
  now: () => time ?? new Date(),
  worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) },
})

const entries = async ({ call }: Caller, query = ''): Promise<AuditEntry[]> => {
  const { status, body } = await call('GET', `/v1/audit?limit=100${query}`)
  expect([query, status]).toEqual([query, 200])
  return body.data
}
const actions = async (caller: Caller, query = ''): Promise<string[]> => (await entries(caller, query)).map(({ action }) => action)
const post = async ({ call }: Caller, path: string, body: object) => (await call('POST', path, body)).body

describe('GET /v1/audit', () => {
  it('pages through all entries, newest first', async () => {
    const caller = await organization()
    for (let n = 0; n < 6; n += 1) await post(caller, '/v1/contacts', { email: `a${n}@example.com` })
    const all = await entries(caller)
    expect(all).toHaveLength(7)
    expect(all[0]).toEqual({
      id: expect.stringMatching(/^aud_[0-9a-f-]{36}$/),
      action: 'contact.created',
      actor: { type: 'token', id: all.at(-1)?.targetId, name: 'test' },
      targetId: expect.stringMatching(/^ctc_/),
      targetName: 'a5@example.com',
      targetBaseId: null,
      address: '127.0.0.1',
      requestId: expect.stringMatching(/^req_/),
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    const paged = []
    let cursor: string | null = ''
    do {
      const { body } = await caller.call('GET', `/v1/audit?limit=3${cursor && `&cursor=${cursor}`}`)
      paged.push(...body.data)
      cursor = body.nextCursor
    } while (cursor !== null)
    expect(paged).toEqual(all)
  })

  it('names the records as they are called now, until they are deleted', async () => {
    const caller = await organization()
    const contact = await post(caller, '/v1/contacts', { firstName: 'Kim', lastName: 'Sander', email: 'kim@example.com' })
    const base = await post(caller, '/v1/bases', { name: 'Before' })
    const source = await post(caller, `/v1/bases/${base.id}/sources`, { type: 'url', name: 'Prices', url: 'https://example.com/prices' })
    const company = await post(caller, '/v1/companies', { name: 'Harbour Ltd' })
    const proposal = await post(caller, '/v1/proposals', { contactId: contact.id, title: 'Sails', totalAmount: '10', currency: 'EUR' })
    await caller.call('PATCH', `/v1/bases/${base.id}`, { name: 'After' })
    const named = async () => {
      const found = await entries(caller)
      return [contact, base, source, company, proposal].map(({ id }) => found.find(({ targetId }) => targetId === id))
    }
    expect((await named()).map((entry) => [entry?.targetName, entry?.targetBaseId])).toEqual([
      ['Kim Sander', null],
      ['After', base.id],
      ['Prices', base.id],
      ['Harbour Ltd', null],
      ['Sails', null],
    ])
    expect((await entries(caller, '&action=token.created'))[0]?.targetName).toBe('test')
    for (const path of [`contacts/${contact.id}`, `bases/${base.id}`, `companies/${company.id}`])
      expect([path, (await caller.call('DELETE', `/v1/${path}`)).status]).toEqual([path, 204])
    expect((await named()).map((entry) => [entry?.targetName, entry?.targetBaseId])).toEqual([
      [null, null],
      [null, null],
      [null, null],
      [null, null],
      ['Sails', null],
    ])
  })

  it('filters by actions, actor, target and time', async () => {
    const caller = await organization()
    const base = await post(caller, '/v1/bases', { name: 'B' })
    const made = await post(caller, '/v1/tokens', { name: 'x', scopes: ['bases:write'] })
    await caller.call('PATCH', `/v1/bases/${base.id}`, { name: 'C' }, { authorization: `Bearer ${made.token}` })
    await caller.call('DELETE', `/v1/bases/${base.id}`)
    const all = await entries(caller)
    expect(all.map(({ action }) => action)).toEqual(['base.deleted', 'base.updated', 'token.created', 'base.created', 'token.created'])
    expect(await actions(caller, '&action=base.created')).toEqual(['base.created'])
    expect(await actions(caller, '&action=base.created&action=base.deleted')).toEqual(['base.deleted', 'base.created'])
    for (const id of [made.id, made.id.slice(4)]) expect(await actions(caller, `&actorId=${id}`)).toEqual(['base.updated'])
    for (const id of [base.id, base.id.slice(3)]) {
      expect(await actions(caller, `&targetId=${id}`)).toEqual(['base.deleted', 'base.updated', 'base.created'])
    }
    expect(await actions(caller, `&actorId=${made.id}&targetId=${base.id}&action=base.deleted`)).toEqual([])
    const at = String(all[2]?.createdAt)
    for (const { createdAt } of await entries(caller, `&since=${at}`)) expect(createdAt >= at).toBe(true)
    for (const { createdAt } of await entries(caller, `&until=${at}`)) expect(createdAt < at).toBe(true)
    expect([...(await entries(caller, `&since=${at}`)), ...(await entries(caller, `&until=${at}`))]).toEqual(all)
    for (const [name, value] of [
      ['action', 'base.gone'],
      ['actorId', 'x'],
      ['targetId', 'kb_'],
      ['since', 'yesterday'],
      ['until', '2026-13-01T00:00:00Z'],
    ]) {
      const answer = await caller.call('GET', `/v1/audit?${name}=${value}`)
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request', field: name } } })
    }
  })

  it('never shows entries of another organization', async () => {
    const [owner, stranger] = [await organization(), await organization()]
    const contact = await post(owner, '/v1/contacts', { email: 'a@example.com' })
    const [newest] = await entries(owner)
    expect(await actions(stranger)).toEqual(['token.created'])
    expect(await entries(stranger, `&targetId=${contact.id}`)).toEqual([])
    expect(await entries(stranger, `&actorId=${newest?.actor.id}`)).toEqual([])
  })

  it('refuses tokens that are limited to knowledge bases or lack the scope', async () => {
    const caller = await organization()
    const base = await post(caller, '/v1/bases', { name: 'B' })
    for (const body of [{ scopes: ['audit:read'], baseIds: [base.id] }, { scopes: ['events:read'] }]) {
      const { token } = await post(caller, '/v1/tokens', { name: 'x', ...body })
      const answer = await caller.call('GET', '/v1/audit', undefined, { authorization: `Bearer ${token}` })
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
    }
  })
})

describe('the audit entry', () => {
  it('of a revocation by secret has the client address and the revoked token as author', async () => {
    const caller = await organization()
    const made = await post(caller, '/v1/tokens', { name: 'x', scopes: ['search:read'] })
    const present = (token: string) =>
      app.inject({ method: 'POST', url: '/v1/tokens/revoke', payload: { token }, remoteAddress: '203.0.113.9' })
    await post(caller, `/v1/tokens/${made.id}/rotate`, { overlapSeconds: 60 })
    for (let n = 0; n < 2; n += 1) expect((await present(made.token)).statusCode).toBe(204)
    const recorded = await entries(caller, `&actorId=${made.id}`)
    expect(recorded).toMatchObject([{ action: 'token.overlap_ended', actor: { type: 'token' }, targetId: made.id, address: '203.0.113.9' }])
  })

  it('is written once for a repeated revocation or restoration', async () => {
    const caller = await organization()
    const made = await post(caller, '/v1/tokens', { name: 'x', scopes: ['search:read'] })
    for (let n = 0; n < 2; n += 1) expect((await caller.call('DELETE', `/v1/tokens/${made.id}`)).status).toBe(204)
    const contact = await post(caller, '/v1/contacts', { email: 'a@example.com' })
    await caller.call('DELETE', `/v1/contacts/${contact.id}`)
    for (let n = 0; n < 2; n += 1) await post(caller, `/v1/contacts/${contact.id}/restore`, {})
    expect(await actions(caller, `&targetId=${made.id}`)).toEqual(['token.revoked', 'token.created'])
    expect(await actions(caller, `&targetId=${contact.id}`)).toEqual(['contact.restored', 'contact.deleted', 'contact.created'])
  })

  it('of creation and of sending are both written for one request that does both', async () => {
    const caller = await organization()
    const { id: contactId } = await post(caller, '/v1/contacts', { email: 'a@example.com' })
    const proposal = await post(caller, '/v1/proposals', { title: 'T', contactId, totalAmount: '1' })
    const recorded = await entries(caller, `&targetId=${proposal.id}`)
    expect(recorded.map(({ action }) => action).toSorted()).toEqual(['proposal.created', 'proposal.sent'])
    expect(new Set(recorded.map(({ requestId }) => requestId)).size).toBe(1)
  })

  it('of a job has the service as author', async () => {
    const caller = await organization()
    const { id: contactId } = await post(caller, '/v1/contacts', { email: 'a@example.com' })
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const proposal = await post(caller, '/v1/proposals', { title: 'T', contactId, totalAmount: '1', expiresAt })
    const late = { ...caller.ctx, now: () => new Date(Date.now() + 7_200_000) }
    for (let n = 0; n < 2; n += 1) await expireProposalWork.run(late, { proposalId: proposal.id.slice(4) })
    const bySystem = { actor: { type: 'system', id: null, name: null }, address: null, requestId: null }
    expect(await entries(caller, '&action=proposal.expired')).toEqual([expect.objectContaining({ ...bySystem, targetId: proposal.id })])
    for (const id of [contactId, (await post(caller, '/v1/contacts', { email: 'b@example.com' })).id]) {
      await caller.call('DELETE', `/v1/contacts/${id}`)
      const deletedAt = await database.pool.query('select deleted_at from contact where id = $1', [id.slice(4)])
      const data = { contactId: id.slice(4), deletedAt: deletedAt.rows[0].deleted_at.toISOString() }
      await purgeContactWork.run(caller.ctx, data)
      expect(await entries(caller, `&targetId=${id}&action=contact.purged`)).toEqual([expect.objectContaining(bySystem)])
    }
    await purgeContactWork.run(caller.ctx, { contactId: newId(), deletedAt: new Date().toISOString() })
    expect(await actions(caller, '&action=contact.purged')).toHaveLength(2)
  })

  it('of an organization created by the command line is written once', async () => {
    const name = `Made ${newId()}`
    const { id } = await ensureOrganization(database.pool, name, new Date())
    expect(await ensureOrganization(database.pool, name, new Date())).toEqual({ id, created: false })
    const { rows } = await database.pool.query(
      'select action, actor_type, target_kind, target_id from audit_entry where organization_id = $1',
      [id],
    )
    expect(rows).toEqual([{ action: 'organization.created', actor_type: 'command_line', target_kind: 'org', target_id: id }])
  })
})

describe('the audit log', () => {
  it('is append-only, and is written in the transaction of the change', async () => {
    const { ctx, call } = await organization()
    await call('POST', '/v1/bases', { name: 'B' })
    const change = withTransaction(ctx, (trx) => trx.updateTable('audit_entry').set({ action: 'x' }).execute())
    await expect(change).rejects.toMatchObject({ code: '42501' })
    await expect(withTransaction(ctx, (trx) => trx.deleteFrom('audit_entry').execute())).rejects.toMatchObject({ code: '42501' })
    const late = withTransaction(ctx, async (trx) => {
      await audit(ctx, trx, { action: 'token.updated', target: `tok_${newId()}` })
      throw new Error('too late')
    })
    await expect(late).rejects.toThrow('too late')
    expect((await call('GET', '/v1/audit?action=token.updated')).body.data).toEqual([])
  })

  it("deletes the organization's entries after 400 days with one job a day", async () => {
    const queue = auditRetention.work.name
    const jobs = async (organizationId: string): Promise<number> => {
      const { rows } = await database.pool.query(
        `select count(*) as n from pgboss.job where ${jobName} = $1 and data->>'organizationId' = $2`,
        [queue, organizationId],
      )
      return rows[0].n
    }
    time = new Date('2026-03-01T12:00:00Z')
    const [caller, other] = [await organization(), await organization()]
    for (const each of [caller, other]) {
      await post(each, '/v1/bases', { name: 'old' })
      await post(each, '/v1/uploads', { fileName: 'x', sizeBytes: 1 })
      expect(await jobs(each.organizationId)).toBe(1)
    }
    time = new Date('2026-03-02T00:00:00Z')
    await post(caller, '/v1/uploads', { fileName: 'x', sizeBytes: 1 })
    await post(caller, '/v1/bases', { name: 'x' })
    expect(await jobs(caller.organizationId)).toBe(2)
    time = null
    const age = `update audit_entry set created_at = now() - $2::interval where organization_id = $1 and action = $3`
    await database.pool.query(age, [caller.organizationId, '401 days', 'base.created'])
    await database.pool.query(age, [other.organizationId, '401 days', 'base.created'])
    await database.pool.query(age, [caller.organizationId, '399 days', 'upload.created'])
    await database.pool.query(
      `update pgboss.job set state = 'cancelled' where ${jobName} = $1 and data->>'organizationId' <> $2 and state < 'active'`,
      [queue, caller.organizationId],
    )
    await endDelays(database, queue)
    expect((await actions(caller)).toSorted()).toEqual(['token.created', 'upload.created', 'upload.created'])
    expect(await actions(other)).toContain('base.created')
  })
})
