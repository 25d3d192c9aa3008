import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, engineName, program } from './program.ts'

const secret = 'token-that-only-the-operator-knows'

test('requests with METRICS_TOKEN read queue lengths and counters; other requests are refused', async () => {
  const groundwork = await program(onTestFinished, { METRICS_TOKEN: secret })
  await groundwork.start()
  const { token } = await createToken(groundwork)
  const client = new Client(groundwork.url, token)
  const base = await client.createBase('measured')
  const source = await client.addFile(base.id, 'a.txt', 'text/plain', Buffer.from('The desk opens at nine.'))
  await client.settled(base.id, source.id)
  const read = (bearer: string): Promise<Response> => fetch(`${groundwork.url}/metrics`, { headers: { authorization: `Bearer ${bearer}` } })
  expect((await read(token)).status).toBe(401)
  const text = await (await read(secret)).text()
  expect(text).toContain('groundwork_jobs_total{queue="process-source",outcome="completed"} 1')
  expect(text).toContain('groundwork_queue_waiting_jobs{queue="process-source"} 0')
  expect(text).toContain('groundwork_http_request_duration_seconds_count{method="POST",route="/v1/bases/:baseId/sources",status="201"} 1')
  if (engineName() === 'embedded engine') {
    expect(Number(/^groundwork_database_hold_seconds_count (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(10)
    expect(Number(/^groundwork_database_longest_hold_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0)
  }
  expect(await groundwork.stop()).toBe(0)
}, 600_000)

test('without METRICS_TOKEN there are no metrics', async () => {
  const groundwork = await program(onTestFinished)
  await groundwork.start()
  expect((await fetch(`${groundwork.url}/metrics`)).status).toBe(404)
}, 600_000)
