import { allEventIds, type Receiver } from '@groundwork/e2e/receiver'
import { documentAt } from '@groundwork/e2e/mixed-load'
import { mailsOf } from '@groundwork/e2e/list-mails'
import type { Client } from '@groundwork/e2e/client'
import { pause } from '@groundwork/e2e/program'
import type { RetryingClient } from './retrying-client.ts'

/** All acknowledged writes of an organization. */
export interface Ledger {
  /** Last names by the id of the contact; null after the deletion. */
  readonly contacts: Map<string, { email: string; lastName: string | null; deleted: boolean }>
  readonly proposals: Map<string, { title: string; sent: boolean; to: string }>
  readonly sources: Map<string, { baseId: string; text: string; deleted: boolean }>
}

export interface LedgerLoad {
  readonly ledger: Ledger
  /** Stops the callers after their current operation, which has then been acknowledged. */
  stop(): Promise<void>
}

/** Sources that exist at a time: from then on, each new one replaces the oldest, so that the indexes stay as large. */
const liveSources = 200
const bases = 4

/**
 * Starts callers that write, read, search and delete, and record what was acknowledged. Together they send about 25 requests a second,
 * which leaves half of a machine with two cores idle.
 */
export async function startLedgerLoad(client: RetryingClient): Promise<LedgerLoad> {
  const ledger: Ledger = { contacts: new Map(), proposals: new Map(), sources: new Map() }
  const stopping = new AbortController()
  let serial = 0
  const call = async <T>(method: string, path: string, body?: object, key?: string): Promise<T> => {
    const { status, body: text } = await client.send(method, path, body, key)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  const create = <T>(path: string, body: object): Promise<T> => call('POST', path, body, `endurance-${(serial += 1)}`)
  const remove = async (path: string): Promise<void> => {
    const { status, body } = await client.send('DELETE', path)
    // The first attempt may have been answered to a killed connection.
    if (status !== 204 && status !== 404) throw new Error(`DELETE ${path}: ${status} ${body}`)
  }

  const baseIds: string[] = []
  for (let n = 0; n < bases; n += 1) baseIds.push((await create<{ id: string }>('/v1/bases', { name: `Base ${n}` })).id)

  const contacts = async (round: number, caller: number): Promise<void> => {
    const email = `contact-${caller}-${round}@example.com`
    const { id } = await create<{ id: string }>('/v1/contacts', { email, firstName: 'Rental' })
    const contact = { email, lastName: null as string | null, deleted: false }
    ledger.contacts.set(id, contact)
    if (round % 2 === 0) {
      await call('PATCH', `/v1/contacts/${id}`, { lastName: `Desk ${round}` })
      contact.lastName = `Desk ${round}`
    }
    await call('GET', `/v1/contacts?q=${encodeURIComponent(email)}`)
    if (round % 3 === 0) {
      const title = `Offer ${caller}-${round}`
      const sent = round % 2 === 0
      const proposal = { title, contactId: id, totalAmount: '10.00', draft: !sent }
      ledger.proposals.set((await create<{ id: string }>('/v1/proposals', proposal)).id, { title, sent, to: email })
    } else if (round % 5 === 0) {
      await remove(`/v1/contacts/${id}`)
      contact.deleted = true
    }
    await pause(400)
  }

  const sources = async (round: number): Promise<void> => {
    const text = `${documentAt(round)}\n\nThe code of document ${round} is marker${round}.\n`
    const baseId = baseIds[round % bases] ?? ''
    const file = { fileName: `${round}.md`, sizeBytes: Buffer.byteLength(text) }
    const upload = await create<{ uploadUrl: string; storageUrl: string }>('/v1/uploads', file)
    const { pathname, search } = new URL(upload.uploadUrl)
    const put = await client.send('PUT', pathname + search, text)
    if (put.status >= 300) throw new Error(`PUT of an upload: ${put.status} ${put.body}`)
    const body = { name: `Document ${round}`, type: 'file', storageUrl: upload.storageUrl }
    const { id } = await create<{ id: string }>(`/v1/bases/${baseId}/sources`, body)
    ledger.sources.set(id, { baseId, text, deleted: false })
    const live = [...ledger.sources].filter(([, source]) => !source.deleted)
    const [oldest] = live
    if (live.length > liveSources && oldest !== undefined) {
      await remove(`/v1/bases/${oldest[1].baseId}/sources/${oldest[0]}`)
      oldest[1].deleted = true
    }
    await pause(700)
  }

  const searches = async (round: number, caller: number): Promise<void> => {
    const query = `What is the code of document ${round * 7 + caller}?`
    await call('POST', `/v1/bases/${baseIds[round % bases]}/search`, { query, topK: 5 })
    await pause(200)
  }

  const reads = async (round: number): Promise<void> => {
    const paths = [
      '/v1/overview',
      '/v1/events?limit=100',
      '/v1/audit?limit=100',
      '/v1/proposals?limit=50',
      `/v1/bases/${baseIds[0]}/sources`,
    ]
    await call('GET', paths[round % paths.length] ?? '')
    await pause(400)
  }

  const repeat = async (act: (round: number, caller: number) => Promise<void>, caller: number): Promise<void> => {
    for (let round = 0; !stopping.signal.aborted; round += 1) await act(round, caller)
  }
  const calling = [contacts, contacts, sources, searches, searches, reads].map(repeat)
  // A caller that fails is reported by `stop`.
  const ended = Promise.all(calling)
  ended.catch(() => undefined)
  return {
    ledger,
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

/** Waits until everything is settled, and returns all differences between the ledger and the service. */
export async function compareLedger(client: Client, { contacts, proposals, sources }: Ledger, receiver: Receiver): Promise<string[]> {
  const differences: string[] = []
  const compare = (name: string, expected: readonly string[], found: readonly string[]): void => {
    const [expectedSet, foundSet] = [new Set(expected), new Set(found)]
    const lost = expected.filter((each) => !foundSet.has(each))
    const added = found.filter((each) => !expectedSet.has(each))
    const twice = found.filter((each, at) => found.indexOf(each) !== at)
    for (const [kind, those] of Object.entries({ lost, added, twice }))
      if (those.length > 0) differences.push(`${name}: ${those.length} ${kind}, such as ${those[0]}`)
  }
  const live = [...contacts.values()].filter(({ deleted }) => !deleted)
  const listed = await all(client.api.contacts.list({ limit: 100 }))
  const names = (each: { email?: string | null | undefined; lastName?: string | null | undefined }): string =>
    `${each.email} ${each.lastName}`
  compare('contacts', live.map(names), listed.map(names))

  const listedProposals = await all(client.api.proposals.list({ limit: 100 }))
  compare(
    'proposals',
    [...proposals.values()].map(({ title, sent }) => `${title} ${sent ? 'pending' : 'draft'}`),
    listedProposals.map(({ title, status }) => `${title} ${status}`),
  )
  const numbers = listedProposals.flatMap(({ number }) => (number === null ? [] : [number]))
  const sent = [...proposals.values()].filter((proposal) => proposal.sent)
  compare(
    'numbers of proposals',
    sent.map((_, at) => `P-${1001 + at}`),
    numbers,
  )
  await until(async () => (await mailsOf(client.api, 'queued')).length === 0, 'messages are queued')
  const mails = await mailsOf(client.api)
  compare(
    'messages',
    sent.map(({ to }) => `${to} sent`),
    mails.map(({ to, state }) => `${to} ${state}`),
  )

  const settled: string[] = []
  for (const [id, { baseId, deleted, text }] of sources) {
    if (deleted) continue
    const { status, error } = await client.settled(baseId, id)
    if (status !== 'completed') differences.push(`source ${id}: ${status} ${error}`)
    const extracted = await client.call<{ text: string }>('GET', `/v1/bases/${baseId}/sources/${id}/content`)
    if (!extracted.text.includes(text.slice(-40).trim())) differences.push(`source ${id}: its text has no end`)
    settled.push(id)
  }
  const listedSources: string[] = []
  for (const baseId of new Set([...sources.values()].map((source) => source.baseId)))
    for (const { id } of await all(client.api.bases.sources.list(baseId, { limit: 100 }))) listedSources.push(id)
  compare('sources', settled, listedSources)

  const completed: string[] = []
  const created: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const types = ['contact.created', 'contact.deleted', 'proposal.created', 'proposal.sent', 'source.completed', 'source.deleted']
    const filter = types.map((type) => `type=${type}`).join('&')
    const page: { data: { type: string; data: { id: string } }[]; nextCursor: string | null } = await client.call(
      'GET',
      `/v1/events?limit=100&${filter}${cursor && `&cursor=${cursor}`}`,
    )
    for (const { type, data } of page.data) (type === 'source.completed' ? completed : created).push(`${type} ${data.id}`)
    cursor = page.nextCursor
  }
  compare(
    'events',
    [
      ...[...contacts].flatMap(([id, { deleted }]) => [`contact.created ${id}`, ...(deleted ? [`contact.deleted ${id}`] : [])]),
      ...[...proposals].flatMap(([id, proposal]) => [`proposal.created ${id}`, ...(proposal.sent ? [`proposal.sent ${id}`] : [])]),
      ...[...sources].flatMap(([id, { deleted }]) => (deleted ? [`source.deleted ${id}`] : [])),
    ],
    created,
  )
  // A source that was deleted while it was processed may have none.
  compare(
    'events of sources',
    settled.map((id) => `source.completed ${id}`),
    completed.filter((each) => sources.get(each.slice(17))?.deleted === false),
  )

  const missing = async (): Promise<string[]> => [...(await allEventIds(client))].filter((id) => !receiver.accepted.has(id))
  await until(async () => (await missing()).length === 0, 'events are not delivered').catch(async () => {
    const some = await missing()
    differences.push(`webhooks: ${some.length} events were not delivered, such as ${some[0]}`)
  })
  return differences
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}

async function until(condition: () => Promise<boolean>, problem: string): Promise<void> {
  const deadline = Date.now() + 300_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(problem)
    await pause(1000)
  }
}
