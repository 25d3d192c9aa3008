import type { Contact, ContactJob } from '@groundwork/sdk'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, engineName, pause, program, type Program } from './program.ts'

const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
})
let groundwork: Program
beforeAll(async () => {
  groundwork = await program((end) => ends.push(end), { RETAIN_CONTRACTS_YEARS: '10' })
  await groundwork.start()
}, 240_000)

/** Kills the program, and starts it again on the same data. */
async function restart(): Promise<void> {
  await groundwork.kill()
  await groundwork.start()
}

async function newClient(organization: string): Promise<Client> {
  return new Client(groundwork.url, (await createToken(groundwork, '--organization', organization)).token)
}

/** Creates contacts with these email addresses. */
async function createContacts({ api }: Client, emails: readonly string[], values: object): Promise<void> {
  for (let from = 0; from < emails.length; from += 500)
    await api.contacts.batch({
      matchOn: 'externalId',
      contacts: emails.slice(from, from + 500).map((email, index) => ({ externalId: String(from + index), email, ...values })),
    })
}

test('after kill -9 the search for duplicates finds the same pairs', { timeout: 600_000 }, async () => {
  const client = await newClient('duplicates')
  const pairs = 150
  const people = Array.from({ length: pairs }, (_, index) => `person${index}`)
  await createContacts(
    client,
    [...people, ...people.map((name) => `${name}+tag`)].map((name) => `${name}@example.com`),
    {},
  )
  const found = async (): Promise<string[]> => {
    const all: string[] = []
    for await (const { contacts } of client.api.contacts.duplicates.list({ limit: 100 }))
      all.push(contacts.map(({ email }) => email?.replace('+tag', '')).join(' '))
    return all.toSorted()
  }
  let count = 0
  while (count === 0) {
    await pause(10)
    count = (await found()).length
  }
  expect(count).toBeLessThan(pairs)
  await restart()
  while ((await found()).length < pairs) await pause(50)
  expect(await found()).toEqual(people.map((name) => `${name}@example.com ${name}@example.com`).toSorted())
})

test('100 parallel upserts of one address, killed twice and repeated, create one contact once', { timeout: 600_000 }, async () => {
  const { api } = await newClient('upserts')
  const upsert = (at: number) =>
    api.contacts.upsert(
      { matchOn: 'email', email: 'new@example.com', tags: [`t${at % 40}`] },
      { idempotencyKey: `upsert-${at}`, maxRetries: 0 },
    )
  const all = Array.from({ length: 100 }, (_, at) => at)
  for (const answersBefore of [1, 20]) {
    let answered = 0
    const sent = all.map((at) =>
      upsert(at).then(
        () => (answered += 1),
        () => undefined, // The kill ends its connection.
      ),
    )
    await expect.poll(() => answered, { interval: 1 }).toBeGreaterThanOrEqual(answersBefore)
    await restart()
    await Promise.all(sent)
    expect(answered).toBeLessThan(all.length)
  }
  const answers = await Promise.all(all.map(upsert))
  expect(answers.filter(({ created }) => created)).toHaveLength(1)
  const { data: contacts } = await api.contacts.list({ limit: 100 }).page()
  expect(contacts).toMatchObject([{ email: 'new@example.com' }])
  expect(contacts[0]?.tags).toHaveLength(40)
})

const erasures = Number(process.env['KILLED_ERASURES'] ?? 6)

test(
  `after kill -9 during ${erasures} erasures each contact is whole or erased, and its contracts are kept`,
  { timeout: 3_600_000 },
  async () => {
    const client = await newClient('erasures')
    const { api } = client

    /** Creates a contact with three accepted proposals and other records, and returns all of them. */
    const plant = async (name: string) => {
      const { id } = await api.contacts.create({ firstName: name, lastName: 'Quarkworth', email: `${name}@quarkworth.example` })
      for (let at = 0; at < 50; at += 1) await api.contacts.activities.create(id, { type: 'note', text: `${name} called ${at} times.` })
      const proposals: string[] = []
      for (let at = 0; at < 4; at += 1) {
        const sent = await api.proposals.create({ title: 'Bicycles', contactId: id, totalAmount: '5', message: `For ${name}.` })
        proposals.push(sent.id)
        if (at === 3) continue
        const body = new URLSearchParams({ name: `${name} Q.`, method: 'typed', consent: 'yes', contentHash: sent.contentHash })
        const page = `${groundwork.url}${new URL(sent.url ?? '').pathname}/accept`
        expect((await fetch(page, { method: 'POST', body, redirect: 'manual' })).status).toBe(303)
      }
      return { id, name, proposals }
    }
    /** Returns all records about a contact, without the time of the export, and without its mails, whose delivery goes on. */
    const exported = async (id: string) => ({
      ...(await client.call<object>('GET', `/v1/contacts/${id}/export`)),
      exportedAt: null,
      mails: null,
    })
    /** Returns the files outside of the database that contain the name. */
    const filesWith = async (name: string): Promise<string[]> => {
      const folder = groundwork.env['DATA_DIR'] ?? ''
      const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
        (entry) => entry.isFile() && !join(entry.parentPath, entry.name).startsWith(join(folder, 'db')),
      )
      const found: string[] = []
      for (const { parentPath, name: file } of files)
        if ((await readFile(join(parentPath, file), 'latin1').catch(() => '')).includes(name)) found.push(file)
      return found
    }

    const first = await plant('Anselm')
    const begin = performance.now()
    await api.contacts.erase(first.id)
    const durationMs = performance.now() - begin

    const outcomes: string[] = []
    for (let at = 0; at < erasures; at += 1) {
      const { id, name, proposals } = await plant(`Zebulon${at}x`)
      const before = await exported(id)
      const certificates = await Promise.all(proposals.slice(0, 3).map(async (each) => (await api.proposals.certificate(each)).text()))
      const receipt = await api.contacts.erase(id, { dryRun: true })
      const erasure = api.contacts.erase(id, {}, { maxRetries: 0 }).then(
        () => 'answered',
        () => 'interrupted',
      )
      await pause((durationMs * at) / erasures)
      await restart()
      const answer = await erasure
      const left = await client.call('GET', `/v1/contacts/${id}`).then(
        () => true,
        () => false,
      )
      outcomes.push(`${answer}, ${left ? 'whole' : 'erased'}`)
      if (left) {
        expect(answer).toBe('interrupted')
        expect(await exported(id)).toEqual(before)
        // The erasure does what its dry run said before the kill.
        expect((await api.contacts.erase(id)).erased).toEqual(receipt.erased)
      }
      await expect(client.call('GET', `/v1/contacts/${id}/export`)).rejects.toThrow('404')
      const events: unknown[] = []
      for await (const event of api.events.list({ limit: 100 })) events.push(event)
      expect(JSON.stringify(events)).not.toContain(name)
      await expect.poll(() => filesWith(name), { timeout: 60_000 }).toEqual([])
      // Contracts stay, with their signatures.
      for (const [index, proposal] of proposals.slice(0, 3).entries()) {
        expect((await api.proposals.get(proposal)).status).toBe('completed')
        expect(await (await api.proposals.certificate(proposal)).text()).toBe(certificates[index])
      }
    }
    console.log(`${engineName()}: erasures of ${Math.round(durationMs)} ms that were killed: ${outcomes.join('; ')}`)
    expect(outcomes.some((outcome) => outcome.startsWith('interrupted'))).toBe(true)
  },
)

const contacts = Number(process.env['BULK_CONTACTS'] ?? 2000)
const killsOfJob = Math.max(1, Math.round(contacts / 20_000))

test(`after kill -9 a change of ${contacts} contacts changes each once, and so does its revert`, { timeout: 3_600_000 }, async () => {
  const client = await newClient('bulk')
  const emails = Array.from({ length: contacts }, (_, index) => `${index}@example.com`)
  await createContacts(client, emails, { tags: ['fair'] })
  const states = async (): Promise<Contact[]> => {
    const all: Contact[] = []
    for await (const contact of client.api.contacts.list({ limit: 100 })) all.push({ ...contact, updatedAt: '' })
    return all
  }
  const job = (id: string): Promise<ContactJob> => client.api.contactJobs.get(id)
  const ended = async ({ id }: ContactJob): Promise<ContactJob> => {
    while (['queued', 'running'].includes((await job(id)).status)) await pause(20)
    return job(id)
  }
  /** Kills the program while it runs the job. */
  const killed = async (started: ContactJob): Promise<ContactJob> => {
    for (let kills = 0, done = 0; kills < killsOfJob; kills += 1) {
      let { progress } = await job(started.id)
      while (progress.done === done) {
        await pause(10)
        progress = (await job(started.id)).progress
      }
      expect(progress.done).toBeLessThan(contacts)
      done = progress.done
      await restart()
    }
    return ended(started)
  }
  const updates = async (): Promise<Map<string, number>> => {
    const counts = new Map<string, number>()
    for await (const { data } of client.api.events.list({ type: 'contact.updated', limit: 100 }))
      counts.set(data.id, (counts.get(data.id) ?? 0) + 1)
    return counts
  }
  const timed = async (name: string, run: () => Promise<ContactJob>): Promise<ContactJob> => {
    const startedAt = performance.now()
    const result = await run()
    console.log(`${engineName()}: ${name} of ${contacts} contacts with kills: ${Math.round(performance.now() - startedAt)} ms`)
    return result
  }

  const before = await states()
  const filter = { key: 'tags', eq: 'fair' }
  const change = { filter, set: { source: 'fair' }, addTags: ['lead'], removeTags: ['fair'] }
  const dryRun = await ended(await client.api.contacts.bulk({ ...change, dryRun: true }))
  const bulk = await timed('bulk change', async () => killed(await client.api.contacts.bulk(change)))
  expect([bulk.status, bulk.counts]).toEqual(['completed', dryRun.counts])
  expect(bulk.counts).toMatchObject({ changed: contacts, unchanged: 0 })
  const once = new Map(before.map(({ id }) => [id, 1]))
  expect(await updates()).toEqual(once)
  expect((await states()).every(({ tags, source }) => tags.join(' ') === 'lead' && source === 'fair')).toBe(true)

  const reverted = await timed('revert', async () => killed(await client.api.contacts.revertMany({ jobId: bulk.id })))
  expect(reverted.counts).toMatchObject({ changed: contacts, unchanged: 0, valuesKept: 0, contactsKept: 0 })
  expect(await updates()).toEqual(new Map(before.map(({ id }) => [id, 2])))
  expect(await states()).toEqual(before)
})
