import type { ContactJob } from '@groundwork/api'
import { expect, it, vi } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp } from '../testing/app.ts'

const service = await testApp({ worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) } })
const { organization, database } = service
const contacts = Number(process.env['BULK_CONTACTS'] ?? 100_000)

it(
  `a bulk change of ${contacts} contacts changes each once although its worker dies, and is reverted exactly`,
  { timeout: 3_600_000 },
  async () => {
    const caller = await organization()
    const { call, organizationId } = caller
    const one = async <T>(query: string): Promise<T> => (await database.pool.query(query, [organizationId])).rows[0]
    for (let from = 0; from < contacts; from += 10_000)
      await database.pool.query(
        `insert into contact (organization_id, id, email, tags, source, created_at, updated_at)
       select $1, gen_random_uuid(), n || '@example.com', array['fair'], case n % 2 when 0 then 'web' end, now(), now()
       from generate_series($2::integer, $3::integer) as n`,
        [organizationId, from + 1, Math.min(from + 10_000, contacts)],
      )
    const state = async (): Promise<string> =>
      (
        await one<{ hash: string }>(`
      select md5(string_agg(md5((to_jsonb(contact) - 'updated_at')::text), '' order by id)) as hash from contact where organization_id = $1`)
      ).hash
    const run = async (path: string, body: object): Promise<ContactJob> => {
      const started = await call('POST', path, body)
      expect(started.status).toBe(201)
      const read = async (): Promise<ContactJob> => (await call('GET', `/v1/contact-jobs/${started.body.id}`)).body
      await vi.waitUntil(async () => !['queued', 'running'].includes((await read()).status), { timeout: 1_800_000, interval: 1000 })
      return read()
    }
    const before = await state()
    const change = { filter: { key: 'tags', eq: 'fair' }, set: { source: 'fair', language: 'de' }, addTags: ['lead'], removeTags: ['fair'] }
    const dryRun = await run('/v1/contacts/bulk', { ...change, dryRun: true })
    expect([dryRun.counts.changed, await state()]).toEqual([contacts, before])
    // Some batches fail, as if their worker had been killed.
    await database.pool.query(`
    create sequence failing_job_batches;
    create function fail_job_batch() returns trigger language plpgsql security definer as $$ begin
      if nextval('failing_job_batches') % ${Math.max(3, Math.round(contacts / 2500))} = 0 then raise exception 'killed'; end if;
      return new;
    end $$;
    create trigger fail_job_batch before update of done_contacts on contact_job for each row execute function fail_job_batch();
    grant usage on sequence failing_job_batches to groundwork_app`)
    const counted = () =>
      one(`select (select count(*)::integer from event where organization_id = $1 and type = 'contact.updated') as events,
      (select count(*)::integer from audit_entry where organization_id = $1 and action = 'contact.updated') as entries,
      (select count(*)::integer from contact_change where organization_id = $1) as changes,
      (select count(distinct contact_id)::integer from contact_change where organization_id = $1) as contacts`)
    const startedAt = performance.now()
    const job = await run('/v1/contacts/bulk', change)
    console.log(`bulk change: ${Math.round(performance.now() - startedAt)} ms`)
    expect([job.status, job.counts]).toEqual(['completed', dryRun.counts])
    expect(await counted()).toEqual({ events: contacts, entries: contacts, changes: contacts, contacts })
    expect(
      await one(
        `select count(*)::integer as n from contact where organization_id = $1 and tags = '{lead}' and source = 'fair' and language = 'de'`,
      ),
    ).toEqual({
      n: contacts,
    })
    const revertedAt = performance.now()
    const reverted = await run('/v1/contacts/revert', { jobId: job.id })
    console.log(`revert: ${Math.round(performance.now() - revertedAt)} ms`)
    expect(reverted.counts).toMatchObject({ changed: contacts, valuesReverted: 3 * contacts, valuesKept: 0, contactsKept: 0 })
    expect(await counted()).toEqual({ events: 2 * contacts, entries: 2 * contacts, changes: 2 * contacts, contacts })
    expect(await state()).toBe(before)
  },
)
