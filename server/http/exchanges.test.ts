import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { exchangesOf, linesOf } from '../testing/exchanges.ts'
import { unitEmbedder } from '../testing/fixtures.ts'
import { upload } from '../testing/sources.ts'

// On the embedded engine a transaction keeps all others waiting, and each of its exchanges with the engine waits for the processor
// twice. EXCHANGES=1 prints the statements.

const { app, organization } = await testApp({ embedder: unitEmbedder })
const caller = await organization()
const keyed = () => ({ 'idempotency-key': newId() })
const contact = async ({ call }: Caller): Promise<string> =>
  (await call('POST', '/v1/contacts', { email: `${newId()}@example.com`, firstName: 'A' }, keyed())).body.id
const [contactId, baseId] = [await contact(caller), (await caller.call('POST', '/v1/bases', { name: 'B' })).body.id as string]

interface Case {
  name: string
  /** Of the longest transaction, with its commit. */
  exchanges: number
  request: () => Promise<[method: string, path: string, body?: unknown, headers?: Record<string, string>]>
}
const cases: Case[] = [
  {
    name: 'a contact',
    exchanges: 2,
    request: async () => ['POST', '/v1/contacts', { email: 'a@example.com' }],
  },
  {
    name: 'a contact with a key',
    exchanges: 3,
    request: async () => ['POST', '/v1/contacts', { email: 'a@example.com' }, keyed()],
  },
  {
    name: 'a change of a contact',
    exchanges: 3,
    request: async () => ['PATCH', `/v1/contacts/${contactId}`, { lastName: 'B' }],
  },
  {
    name: 'the deletion of a contact',
    exchanges: 2,
    request: async () => ['DELETE', `/v1/contacts/${await contact(caller)}`],
  },
  {
    name: 'a source with a key',
    exchanges: 4,
    request: async () => {
      const storageUrl = await upload(app, caller, Buffer.from('# A'), 'a.md')
      return ['POST', `/v1/bases/${baseId}/sources`, { name: 'S', type: 'file', storageUrl }, keyed()]
    },
  },
  {
    name: 'a draft of a proposal',
    exchanges: 5,
    request: async () => ['POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '1', draft: true }],
  },
  {
    name: 'a proposal with a key',
    exchanges: 7,
    request: async () => ['POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '1' }, keyed()],
  },
  {
    name: 'a search',
    exchanges: 1,
    request: async () => ['POST', `/v1/bases/${baseId}/search`, { query: 'A' }],
  },
]

describe('the exchanges of the longest transaction', () => {
  it.each(cases)('of $name: at most $exchanges', async ({ request, exchanges }) => {
    // The first request of each kind loads modules and enqueues the jobs of the day.
    for (const round of [0, 1]) {
      const [method, path, body, headers] = await request()
      let status = 0
      const transactions = await exchangesOf(async () => {
        status = (await caller.call(method, path, body, headers)).status
      })
      expect(status).toBeLessThan(300)
      if (round === 0) continue
      if (process.env['EXCHANGES'] !== undefined) console.log(`${method} ${path}\n${linesOf(transactions)}`)
      expect(Math.max(...transactions.map(({ length }) => length))).toBeLessThanOrEqual(exchanges)
    }
  })
})
