import { afterEach, describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp } from '../testing/app.ts'
import { endDelays, jobName } from '../testing/delayed-jobs.ts'
import { purgeContactWork } from './purge.ts'

let time: Date | undefined
const { database, organization } = await testApp({
  now: () => time ?? new Date(),
  worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) },
})

/** Columns of a later migration. */
await database.pool.query(`alter table contact add nickname text, add scores integer[] not null default '{}'`)

const name = purgeContactWork.name
const dayMs = 86_400_000
/** Names that no random id or link of a proposal can contain by chance. */
const ada = {
  externalId: 'crm-1',
  firstName: 'Augusta',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+442079460018',
  tags: ['vip'],
  source: 'fair',
}

const rowOf = async (contactId: string) => (await database.pool.query('select * from contact where id = $1', [contactId.slice(4)])).rows[0]

afterEach(() => {
  time = undefined
})

/** Runs every waiting job, 30 days later. */
async function after30Days(): Promise<void> {
  time = new Date(Date.now() + 30 * dayMs + 1000)
  await endDelays(database, name)
}

describe('a deleted contact', () => {
  it('is removed after 30 days', async () => {
    const { call } = await organization()
    const { id } = (await call('POST', '/v1/contacts', ada)).body
    await call('DELETE', `/v1/contacts/${id}`)
    const { rows } = await database.pool.query<{ start_after: Date }>(
      `select start_after from pgboss.job where ${jobName} = $1 and data ->> 'contactId' = $2`,
      [name, id.slice(4)],
    )
    expect(rows).toHaveLength(1)
    expect(Math.abs((rows[0]?.start_after.getTime() ?? 0) - Date.now() - 30 * dayMs)).toBeLessThan(60_000)
    expect(await rowOf(id)).toMatchObject({ email: 'ada@example.com' })
    await after30Days()
    expect(await rowOf(id)).toBeUndefined()
    expect((await call('POST', `/v1/contacts/${id}/restore`)).status).toBe(404)
  })

  it('keeps an empty, deleted row if a proposal refers to it', async () => {
    const { call } = await organization()
    const { id } = (await call('POST', '/v1/contacts', ada)).body
    const proposal = (await call('POST', '/v1/proposals', { title: 'T', contactId: id, totalAmount: '5' })).body
    await database.pool.query(`update contact set nickname = 'Countess', scores = '{1}', last_interaction_at = now() where id = $1`, [
      id.slice(4),
    ])
    await call('DELETE', `/v1/contacts/${id}`)
    await after30Days()
    const { deleted_at, search_text, ...row } = await rowOf(id)
    expect(deleted_at).toBeInstanceOf(Date)
    expect(search_text.replaceAll('|', '').trim()).toBe('')
    const kept = ['organization_id', 'id', 'created_at', 'updated_at']
    const others = Object.fromEntries(Object.entries(row).filter(([column]) => !kept.includes(column)))
    expect(others).toMatchObject({
      external_id: null,
      first_name: null,
      last_name: null,
      email: null,
      phone: null,
      tags: [],
      source: null,
      last_interaction_at: null,
      nickname: null,
      scores: [],
    })
    for (const [column, value] of Object.entries(others)) expect([column, Object.keys(value ?? [])]).toEqual([column, []])
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/restore'],
    ] as const) {
      expect((await call(method, `/v1/contacts/${id}${path}`)).status).toBe(404)
    }
    expect((await call('GET', '/v1/contacts')).body).toEqual([])
    const { id: proposalId, number, title, totalAmount, contactId, contentHash } = proposal
    const { body: left } = await call('GET', `/v1/proposals/${proposalId}`)
    expect(left).toMatchObject({ id: proposalId, number, title, totalAmount, contactId, contentHash })
    expect(JSON.stringify(left)).not.toMatch(new RegExp([ada.firstName, ada.lastName, ada.email].join('|'), 'i'))
  })

  it('is not removed if it was restored, or deleted again later', async () => {
    const { call } = await organization()
    const restored = (await call('POST', '/v1/contacts', ada)).body
    const again = (await call('POST', '/v1/contacts', { ...ada, externalId: null })).body
    for (const { id } of [restored, again]) {
      await call('DELETE', `/v1/contacts/${id}`)
      await call('POST', `/v1/contacts/${id}/restore`)
    }
    time = new Date(Date.now() + 10 * dayMs)
    await call('DELETE', `/v1/contacts/${again.id}`)
    // The job of the second deletion runs 40 days later.
    await database.pool.query(`delete from pgboss.job where ${jobName} = $1 and data ->> 'contactId' = $2 and data ->> 'deletedAt' = $3`, [
      name,
      again.id.slice(4),
      time.toISOString(),
    ])
    await after30Days()
    expect((await call('GET', `/v1/contacts/${restored.id}`)).body).toEqual(restored)
    expect((await call('POST', `/v1/contacts/${again.id}/restore`)).body).toEqual(again)
  })

  it('is purged once if the job runs twice, and not by a job of another organization', async () => {
    const [{ call, ctx }, stranger] = [await organization(), await organization()]
    const [gone, named] = [
      (await call('POST', '/v1/contacts', ada)).body,
      (await call('POST', '/v1/contacts', { ...ada, externalId: null })).body,
    ]
    await call('POST', '/v1/proposals', { title: 'T', contactId: named.id, totalAmount: '5' })
    for (const { id } of [gone, named]) {
      await call('DELETE', `/v1/contacts/${id}`)
      const data = { contactId: id.slice(4), deletedAt: (await rowOf(id)).deleted_at.toISOString() }
      await purgeContactWork.run(stranger.ctx, data)
      expect(await rowOf(id)).toMatchObject({ email: 'ada@example.com' })
      await Promise.all([1, 2, 3].map(() => purgeContactWork.run(ctx, data)))
      const once = await rowOf(id)
      await purgeContactWork.run(ctx, data)
      expect(await rowOf(id)).toEqual(once)
    }
    expect(await rowOf(gone.id)).toBeUndefined()
    expect(await rowOf(named.id)).toMatchObject({ email: null, phone: null })
    await purgeContactWork.run(ctx, { contactId: newId(), deletedAt: new Date().toISOString() })
  })
})
