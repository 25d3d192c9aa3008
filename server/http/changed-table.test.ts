import { expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp, type Called } from '../testing/app.ts'

const { organization, database } = await testApp()

/** Tables whose rows the requests below read or return whole. */
const tables = ['contact', 'upload', 'base', 'source', 'event', 'audit_entry', 'organization', 'api_token', 'idempotency_answer']
const callers = 8

it('requests get their answers while migrations add columns to the tables that they use', async () => {
  const { call } = await organization()
  const answers: { request: string; answer: Called }[] = []
  const ended = new AbortController()
  const ask = async (...request: Parameters<typeof call>): Promise<Called> => {
    const answer = await call(...request)
    answers.push({ request: `${request[0]} ${request[1]}`, answer })
    return answer
  }
  const requests = async (round: number): Promise<void> => {
    const keyed = (): Record<string, string> => (round % 2 === 0 ? { 'idempotency-key': newId() } : {})
    const { body: base } = await ask('POST', '/v1/bases', { name: 'B' }, keyed())
    const { body: contact, headers } = await ask('POST', '/v1/contacts', { email: `${newId()}@example.com` }, keyed())
    await ask('PATCH', `/v1/contacts/${contact.id}`, { firstName: 'A' }, round % 2 === 0 ? { 'if-match': String(headers['etag']) } : {})
    await ask('POST', '/v1/uploads', { fileName: 'a.txt', sizeBytes: 1 }, keyed())
    await ask('PATCH', `/v1/bases/${base.id}`, { name: 'C' })
    await ask('GET', `/v1/contacts/${contact.id}`)
    await ask('DELETE', `/v1/contacts/${contact.id}`)
    await ask('DELETE', `/v1/bases/${base.id}`)
  }
  const calling = Array.from({ length: callers }, async (_, caller) => {
    for (let round = caller; !ended.signal.aborted; round += 1) await requests(round)
  })
  try {
    for (let migration = 1; migration <= 4; migration += 1) {
      for (const table of tables) {
        const before = answers.length
        await database.pool.query(`alter table ${table} add column later_${migration} text`)
        await expect.poll(() => answers.length, { interval: 10 }).toBeGreaterThan(before + callers)
      }
    }
  } finally {
    ended.abort()
    await Promise.all(calling)
  }
  const failed = answers.filter(({ answer }) => answer.status >= 400)
  expect(failed.map(({ request, answer }) => [request, answer.status, answer.body])).toEqual([])
})
