import type { ContactErasure, EraseContact } from '@groundwork/api'
import { verifyCertificates } from '@groundwork/sdk'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ownerQuery } from '../db/owner-query.ts'
import { diagnose } from '../doctor/doctor.ts'
import { eraseContact } from '../contacts/erase.ts'
import { purgeContactWork } from '../contacts/purge.ts'
import { createLoopRegistry } from '../lib/loop-health.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { pngImage } from '../testing/images.ts'
import { filesWith, tablesWith } from '../testing/planted.ts'
import { pageClient, type Sent } from '../testing/proposal-page.ts'
import { upload } from '../testing/sources.ts'
import { receiver } from '../testing/webhook-receiver.ts'
import { createDispatcher } from '../webhooks/dispatcher.ts'
import { enqueueContractErasure, eraseContractsWork, startContractRetention } from './contract-retention.ts'

const outbound = createOutbound({ allowHosts: ['127.0.0.1'], userAgent: 'test' })
let time = new Date('2026-03-01T12:00:00.000Z')
const { app, platform, database, mailFolder, organization } = await testApp({ worker: { outbound }, now: () => time })
const page = pageClient(app)
const query = ownerQuery(database.pool)
const dispatcher = createDispatcher(platform, outbound)
const webhooks = await receiver()
webhooks.answer = ({ body }) => ({ status: 200, body })

/** Sets RETAIN_CONTRACTS_YEARS of the running service. */
const keepFor = (contractYears: number | null): void => void Object.assign(platform, { contractYears })
/** Runs the job in this process. */
const runJob = ({ organizationId }: Caller): Promise<void> => eraseContractsWork.run({ ...platform, organizationId }, {})

afterEach(() => {
  keepFor(null)
  time = new Date('2026-03-01T12:00:00.000Z')
})

let keys = 0
async function create<T = { id: string }>({ call }: Caller, path: string, body: object = {}): Promise<T> {
  keys += 1
  const { status, body: created } = await call('POST', path, body, { 'idempotency-key': `key-${keys}` })
  expect([path, status < 300 ? null : created]).toEqual([path, null])
  return created
}

interface SentTo extends Sent {
  readonly recipients: readonly { readonly url: string }[]
}

/** Creates a contact with an accepted proposal. */
async function contract(caller: Caller, { name = 'Ada', more = {} }: { name?: string; more?: object } = {}) {
  const contact = await create(caller, '/v1/contacts', { firstName: name, lastName: 'Test', email: `${name}@example.com` })
  const sent = await create<SentTo>(caller, '/v1/proposals', { title: 'Bikes', contactId: contact.id, totalAmount: '5', ...more })
  expect((await page.accept(sent, { name })).status).toBe(303)
  return { contactId: contact.id, sent }
}

/** Erases the contact with the present setting, when no message is being sent: the clock of the test makes others expire meanwhile. */
async function erase({ ctx }: Caller, contactId: string, options: EraseContact = {}): Promise<ContactErasure> {
  await vi.waitUntil(async () => (await query(`select from mail where state = 'queued'`)).length === 0, { timeout: 120_000 })
  return eraseContact({ ...ctx, contractYears: platform.contractYears }, contactId.slice(4), options)
}
const keptContracts = ({ kept }: ContactErasure) => kept.find(({ kind }) => kind === 'accepted_proposals')
const statusOf = async ({ call }: Caller, { id }: { id: string }, part = ''): Promise<number> =>
  (await call('GET', `/v1/proposals/${id}${part}`)).status
const certificateOf = async ({ call }: Caller, { id }: { id: string }): Promise<string> => {
  const { body } = await call('GET', `/v1/proposals/${id}/certificate`)
  return typeof body === 'string' ? body : JSON.stringify(body)
}

async function storedFiles({ organizationId }: Caller): Promise<string[]> {
  const keysOfFiles: string[] = []
  for await (const { key } of platform.storage.files()) if (key.startsWith(`${organizationId}/files/`)) keysOfFiles.push(key)
  return keysOfFiles
}

describe('accepted proposals of erased contacts', () => {
  it('are removed with every trace when their years are over, and the chain of certificates stays whole', async () => {
    keepFor(10)
    const [caller, stranger] = [await organization(), await organization()]
    await create(caller, '/v1/webhooks', { url: webhooks.url })
    const before = await contract(caller, { name: 'Before' })
    const planted = ['zebulon', 'quarkworth', 'umbrellaton', '203.0.113.77']
    const former = await create(caller, '/v1/contacts', { email: 'former@example.com' })
    const contact = await create(caller, '/v1/contacts', {
      firstName: 'Zebulonia',
      lastName: 'Quarkworth',
      email: 'zebulonia@quarkworth.example',
    })
    const cosigner = await create(caller, '/v1/contacts', { firstName: 'Cora', email: 'cora@example.com' })
    const storageUrl = await upload(app, caller, pngImage())
    const draft = await create(caller, '/v1/proposals', {
      title: 'Bikes for Quarkworth',
      contactId: former.id,
      recipients: [
        { role: 'signer', contactId: cosigner.id },
        { role: 'copy', name: 'Copy of Quarkworth', email: 'copy@quarkworth.example' },
      ],
      items: [{ description: 'Helmet of Zebulonia', unitPrice: '5' }],
      sections: [
        { type: 'text', text: 'For Zebulonia.' },
        { type: 'image', storageUrl, alt: 'Umbrellaton' },
      ],
      message: 'Dear Zebulonia',
      externalId: 'order-of-quarkworth',
      counterSignature: true,
      draft: true,
    })
    expect((await caller.call('PATCH', `/v1/proposals/${draft.id}`, { contactId: contact.id })).status).toBe(200)
    const sent = await create<SentTo>(caller, `/v1/proposals/${draft.id}/send`)
    await page.get(sent.url)
    await page.post(sent.url, 'ask', { question: 'Can we collect them at Umbrellaton?' })
    const { body: questions } = await caller.call('GET', `/v1/proposals/${draft.id}/questions`)
    await create(caller, `/v1/proposals/${draft.id}/questions/${questions.data[0].id}/answer`, { answer: 'In Umbrellaton, yes.' })
    expect((await page.accept(sent, { name: 'Zebulonia Quarkworth' })).status).toBe(303)
    time = new Date('2026-03-05T12:00:00.000Z')
    expect((await page.accept({ ...sent, url: sent.recipients[1]?.url ?? '' }, { name: 'Cora of Quarkworth' })).status).toBe(303)
    time = new Date('2026-03-09T12:00:00.000Z')
    await create(caller, `/v1/proposals/${draft.id}/countersign`, { name: 'Seller of Umbrellaton' })
    const after = await contract(caller, { name: 'After' })
    await expect.poll(async () => (await filesWith(mailFolder, planted)).length).toBeGreaterThan(3)
    await dispatcher.poll()
    await dispatcher.idle()
    expect(await storedFiles(caller)).toHaveLength(1)

    const dry = await erase(caller, contact.id, { dryRun: true })
    const receipt = await erase(caller, contact.id)
    for (const each of [dry, receipt])
      expect(keptContracts(each)).toEqual({
        kind: 'accepted_proposals',
        count: 1,
        reason: 'They are contracts. Each is kept for 10 years from its completion.',
        until: '2036-03-09T12:00:00.000Z',
      })
    // Content that comes after the erasure: an event, an entry of the timeline.
    await database.pool.query(
      `insert into event (organization_id, contact_id, position, id, type, data, schema_version, created_at)
       select organization_id, contact_id, nextval('event_position'), gen_random_uuid(), type,
         data || '{"title": "Bikes for Quarkworth"}', schema_version, now()
       from event where type = 'proposal.sent' and data ->> 'id' = $1`,
      [draft.id],
    )
    await database.pool.query(
      `insert into timeline_entry (organization_id, contact_id, position, id, type, data, schema_version, created_at)
       select organization_id, $2, 1, gen_random_uuid(), 'proposal.sent', jsonb_build_object('id', $1::text, 'title', 'For Quarkworth'), 1, now()
       from contact where id = $2`,
      [draft.id, former.id.slice(4)],
    )
    expect(await tablesWith(database, planted)).toEqual(
      expect.arrayContaining(['public.certificate', 'public.event', 'public.proposal', 'public.timeline_entry']),
    )

    time = new Date('2036-03-09T11:59:59.999Z')
    expect(await enqueueContractErasure(platform, query)).toBe(0)
    await runJob(caller)
    expect(await statusOf(caller, draft)).toBe(200)
    time = new Date('2036-03-09T12:00:00.000Z')
    expect(await enqueueContractErasure(platform, query)).toBe(1)
    await vi.waitUntil(async () => (await statusOf(caller, draft)) === 404, { timeout: 120_000 })

    expect(await tablesWith(database, planted)).toEqual([])
    await expect.poll(() => filesWith(mailFolder, planted)).toEqual([])
    await expect.poll(() => storedFiles(caller)).toEqual([])
    expect(await query('select from contact where id = $1', [contact.id.slice(4)])).toEqual([])
    for (const part of ['/pdf', '/certificate', '/questions']) expect(await statusOf(caller, draft, part)).toBe(404)
    expect((await page.get(sent.recipients[1]?.url ?? '')).status).toBe(404)
    const [entry] = (await caller.call('GET', `/v1/audit?targetId=${draft.id}&action=proposal.erased`)).body.data
    expect(entry).toMatchObject({ actor: { type: 'system' }, targetName: null })

    for (const other of [before, after]) expect(await statusOf(caller, other.sent)).toBe(200)
    expect((await caller.call('GET', `/v1/contacts/${cosigner.id}`)).status).toBe(200)
    const { rows: links } = await database.pool.query(
      'select sequence, previous_hash, hash, json, proposal_id from certificate where organization_id = $1 order by sequence',
      [caller.organizationId],
    )
    expect(links).toMatchObject([
      { json: expect.any(String) },
      { json: null, proposal_id: null, previous_hash: links[0].hash },
      { json: expect.any(String), previous_hash: links[1].hash },
    ])
    const files = await Promise.all(
      [before, after].map(async (each) => ({ name: each.contactId, content: await certificateOf(caller, each.sent) })),
    )
    const faults = async (given: typeof files) => (await verifyCertificates(given)).filter(({ holds }) => holds === false)
    expect((await faults(files)).map(({ detail }) => detail)).toEqual(['Certificate 2 is missing.'])
    const { body: erased } = await caller.call('GET', '/v1/certificates/erased')
    expect(erased).toMatchObject({ certificates: [{ sequence: 2, hash: links[1].hash, erasedAt: time.toISOString() }] })
    const content = JSON.stringify(erased)
    const whole = await verifyCertificates([...files, { name: 'erased.json', content }])
    expect(whole.filter(({ holds }) => holds === false)).toEqual([])
    expect(whole.at(-1)?.detail).toMatch(/^Certificates 1 to 3 .* are complete and in order\. Erased, and known by hash only: 2\.$/)
    const forged = content.replace(links[1].hash, links[0].hash)
    expect(await faults([...files, { name: 'forged.json', content: forged }])).not.toEqual([])
    expect((await stranger.call('GET', '/v1/certificates/erased')).body).toMatchObject({ certificates: [] })
    const tools = { query, database, jobs: platform.jobs, storage: platform.storage }
    const { findings } = await diagnose(tools, { repair: false, graceSeconds: 0, now: new Date() })
    expect(findings.filter(({ check }) => check === 'certificate' || check === 'missing_file')).toEqual([])
    const next = await contract(caller, { name: 'Next' })
    expect(JSON.parse(await certificateOf(caller, next.sent)).certificate.sequence).toBe(4)
  })

  it('stay without the setting, follow a changed one, and include contacts that were erased before', async () => {
    const [caller, other] = [await organization(), await organization()]
    const [{ contactId, sent }, foreign] = [await contract(caller), await contract(other)]
    expect(keptContracts(await erase(caller, contactId))).toMatchObject({ reason: 'They are contracts.', until: null })
    expect(keptContracts(await erase(other, foreign.contactId))).toMatchObject({ count: 1 })
    time = new Date('2031-03-01T12:00:00.000Z')
    const enqueued = async (years: number | null): Promise<number> => {
      keepFor(years)
      await runJob(caller)
      return enqueueContractErasure({ ...platform, jobs: { ...platform.jobs, enqueue: async () => undefined } }, query)
    }
    expect([await enqueued(null), await enqueued(6), await statusOf(caller, sent)]).toEqual([0, 0, 200])
    // The job of one organization does not touch the other.
    expect([await enqueued(5), await statusOf(caller, sent), await statusOf(other, foreign.sent)]).toEqual([1, 404, 200])
    await runJob(caller)
    const loops = createLoopRegistry({ log: platform.log, now: () => time })
    const retention = startContractRetention(platform, query, loops)
    await vi.waitUntil(async () => (await statusOf(other, foreign.sent)) === 404, { timeout: 120_000 })
    await retention.stop()
  })

  it('are erased with the contact if their years are over, and each has its own end', async () => {
    keepFor(1)
    const caller = await organization()
    const { contactId, sent } = await contract(caller)
    time = new Date('2026-09-01T12:00:00.000Z')
    const later = await create<Sent>(caller, '/v1/proposals', { title: 'More', contactId, totalAmount: '6' })
    await page.accept(later, { name: 'Ada' })
    const copied = await contract(caller, { name: 'Main', more: { recipients: [{ role: 'copy', contactId }] } })
    const receipt = async () => {
      const dry = await erase(caller, contactId, { dryRun: true })
      return [keptContracts(dry), dry.erased.find(({ kind }) => kind === 'accepted_proposals')?.count]
    }
    const kept = { until: '2027-09-01T12:00:00.000Z', reason: 'They are contracts. Each is kept for 1 year from its completion.' }
    expect(await receipt()).toMatchObject([{ count: 2, ...kept }, undefined])
    time = new Date('2027-03-01T12:00:00.000Z')
    expect(await receipt()).toMatchObject([{ count: 1, ...kept }, 1])
    time = new Date('2027-09-01T12:00:00.000Z')
    expect(await receipt()).toEqual([undefined, 2])
    expect(await statusOf(caller, sent)).toBe(200)
    const erased = await erase(caller, contactId)
    expect(erased.kept).toContainEqual(expect.objectContaining({ kind: 'other_proposals', count: 1 }))
    expect([await statusOf(caller, sent), await statusOf(caller, later), await statusOf(caller, copied.sent)]).toEqual([404, 404, 200])
    await runJob(caller)
    expect(await statusOf(caller, copied.sent)).toBe(200)
  })

  it('are never those of contacts that were not erased', async () => {
    const caller = await organization()
    const [kept, deleted] = [await contract(caller, { name: 'Kept' }), await contract(caller, { name: 'Deleted' })]
    expect((await caller.call('DELETE', `/v1/contacts/${deleted.contactId}`)).status).toBe(204)
    await purgeContactWork.run(
      { ...platform, organizationId: caller.organizationId },
      { contactId: deleted.contactId.slice(4), deletedAt: time.toISOString() },
    )
    keepFor(1)
    time = new Date('2126-03-01T12:00:00.000Z')
    expect(await enqueueContractErasure(platform, query)).toBe(0)
    await runJob(caller)
    for (const { sent } of [kept, deleted]) expect(await statusOf(caller, sent)).toBe(200)
    const ids = [kept.sent.id.slice(4)]
    const statement = `select erase_contracts($1::uuid[], 1, now() + interval '200 years', '{}', '{}', 1::smallint)`
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query(`select set_config('app.organization_id', $1, true)`, [caller.organizationId])
    await expect(client.query(statement, [ids])).rejects.toThrow(/no contract of an erased contact/)
    await client.query('rollback')
    client.release()
  })

  it('are removed completely or not at all, and the job continues', async () => {
    keepFor(1)
    const caller = await organization()
    const { contactId, sent } = await contract(caller, { more: { message: 'For Xanthippe only' } })
    await erase(caller, contactId)
    time = new Date('2027-03-01T12:00:00.000Z')
    const before = await tablesWith(database, ['xanthippe'])
    await database.pool.query('alter table audit_entry rename to audit_entry_away')
    await expect(runJob(caller)).rejects.toThrow(/audit_entry/)
    await database.pool.query('alter table audit_entry_away rename to audit_entry')
    expect(await tablesWith(database, ['xanthippe'])).toEqual(before)
    expect([await statusOf(caller, sent), await statusOf(caller, sent, '/certificate')]).toEqual([200, 200])
    await runJob(caller)
    await runJob(caller)
    expect([await statusOf(caller, sent), await tablesWith(database, ['xanthippe'])]).toEqual([404, []])
  })
})
