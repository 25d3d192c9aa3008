import { expect, it, vi } from 'vitest'
import { createMetrics } from '../metrics/metrics.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { crawlSiteQueue, processSourceQueue } from '../knowledge/ingest/queue.ts'
import { moduleHandlers } from '../modules.ts'
import { testApp } from '../testing/app.ts'
import { newBase } from '../testing/sources.ts'
import { authenticator } from '../tokens/authenticator.ts'
import { createAuthenticationThrottle } from '../limits/authentication-throttle.ts'
import { startWorker } from '../worker.ts'
import { createApp } from './app.ts'
import { createMetricsApp } from './serve-metrics.ts'

const now = (): Date => new Date()
const token = 'token-of-the-operator'
const metrics = createMetrics({ queues: () => platform.jobs.depths() })
const { app, platform, database, organization } = await testApp({ onJobEnded: metrics.job })
const measured = await createApp({
  platform,
  authenticate: authenticator(database, { now, throttle: createAuthenticationThrottle(now) }).authenticate,
  handlers: moduleHandlers,
  metrics: { metrics, token },
})

const read = (server = measured, authorization = `Bearer ${token}`) => server.inject({ url: '/metrics', headers: { authorization } })

/** Returns the value of a line such as `name{label="value"} 3`. */
const valueOf = (text: string, line: string): number =>
  Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length + 1),
  )

it('metrics require the token: 401 without it, 404 if none is set', async () => {
  const { token: tenant } = await organization()
  for (const authorization of ['', `Bearer ${tenant}`, `Bearer ${token}x`, 'Bearer ', token])
    expect([authorization, (await read(measured, authorization)).statusCode]).toEqual([authorization, 401])
  expect((await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(404)
  const answer = await read()
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, expect.stringContaining('text/plain; version=0.0.4')])
})

it('metrics label requests by route and status, never by URL', async () => {
  const { token: tenant } = await organization()
  const headers = { authorization: `Bearer ${tenant}` }
  await measured.inject({ url: '/v1/contacts/ctc_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8', headers })
  await measured.inject({ url: '/no/such/path' })
  const { body } = await read()
  const count = 'groundwork_http_request_duration_seconds_count'
  expect(valueOf(body, `${count}{method="GET",route="/v1/contacts/:id",status="404"}`)).toBe(1)
  expect(valueOf(body, `${count}{method="GET",route="none",status="404"}`)).toBe(1)
  expect(body).not.toContain('0197a2c4')
  expect(valueOf(body, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
  expect(body).toContain('nodejs_eventloop_lag_seconds')
})

it('metrics report waiting jobs, their age and the outcomes of jobs', async () => {
  const owner = await organization()
  const baseId = await newBase(owner)
  const waiting = `groundwork_queue_waiting_jobs{queue="${processSourceQueue.name}"}`
  const age = `groundwork_queue_oldest_waiting_seconds{queue="${processSourceQueue.name}"}`
  const url = 'http://127.0.0.1:1/'
  expect(valueOf((await read()).body, waiting)).toBe(0)
  for (const name of ['one', 'two']) await owner.call('POST', `/v1/bases/${baseId}/sources`, { name, type: 'url', url })
  await database.pool.query(`update pgboss.job set start_after = now() - interval '100 seconds' where name = $1`, [processSourceQueue.name])
  const { body } = await read()
  expect(valueOf(body, waiting)).toBe(2)
  expect(valueOf(body, age)).toBeGreaterThanOrEqual(100)
  expect(valueOf(body, `groundwork_queue_waiting_jobs{queue="${crawlSiteQueue.name}"}`)).toBe(0)
  const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
  const worker = startWorker(platform, { outbound, renderer: null })
  await vi.waitUntil(async () => valueOf((await read()).body, waiting) === 0, { timeout: 120_000 })
  const completed = `groundwork_jobs_total{queue="${processSourceQueue.name}",outcome="completed"}`
  await vi.waitUntil(async () => valueOf((await read()).body, completed) === 2, { timeout: 120_000 })
  expect(valueOf((await read()).body, age)).toBe(0)
  await platform.jobs.stop()
  await worker.close()
  await outbound.close()
})

it('a worker serves metrics and probes', async () => {
  const issues: { field: string; code: string; message: string }[] = []
  const server = createMetricsApp({ metrics, token }, { reasons: async () => issues, isDraining: () => false }, platform.log)
  expect((await server.inject('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await server.inject('/readyz')).statusCode).toBe(200)
  issues.push({ field: 'webhook delivery', code: 'background_work_failing', message: 'It has failed 3 times.' })
  expect((await server.inject('/readyz')).json()).toMatchObject({ error: { code: 'unavailable', issues } })
  expect([(await read(server, '')).statusCode, (await read(server)).statusCode]).toEqual([401, 200])
  expect((await server.inject('/v1/contacts')).json()).toMatchObject({ error: { code: 'not_found' } })
})
