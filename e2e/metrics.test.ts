import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { importedPackages, printsImports } from './imported-packages.ts'
import { commandsOf, runInShell } from './page-commands.ts'
import { createToken, engineName, freePort, program } from './program.ts'

const secret = 'token-that-only-the-operator-knows'

test('requests with METRICS_TOKEN read queue lengths, counters and durations by step, and the commands of the pages about operation work', async () => {
  const closedPort = await freePort()
  const groundwork = await program(onTestFinished, { METRICS_TOKEN: secret, FETCH_ALLOW_HOSTS: `127.0.0.1:${closedPort}` })
  await groundwork.start()
  const { token } = await createToken(groundwork)
  const client = new Client(groundwork.url, token)
  const base = await client.createBase('measured')
  const source = await client.addFile(base.id, 'a.txt', 'text/plain', Buffer.from('The desk opens at nine.'))
  await client.settled(base.id, source.id)
  for (const query of ['When does the desk open?', 'Who opens it?']) await client.call('POST', `/v1/bases/${base.id}/search`, { query })
  await client.call('POST', '/v1/webhooks', { url: `http://127.0.0.1:${closedPort}/hook` })
  await client.call('POST', '/v1/contacts', { email: 'a@example.com' })
  const read = (bearer: string): Promise<Response> => fetch(`${groundwork.url}/metrics`, { headers: { authorization: `Bearer ${bearer}` } })
  expect((await read(token)).status).toBe(401)
  const unreachable = /^groundwork_webhook_attempt_duration_seconds_count\{outcome="unreachable"\} [1-9]/m
  const failing = /^groundwork_webhook_endpoints\{state="failing"\} 1$/m
  let text = ''
  const hasAttempted = async (): Promise<boolean> => {
    text = await (await read(secret)).text()
    return unreachable.test(text) && failing.test(text)
  }
  await expect.poll(hasAttempted).toBe(true)
  expect(text).toMatch(/^groundwork_webhook_pending_deliveries [1-9]/m)
  expect(text).toContain('groundwork_search_duration_seconds_count 2\n')
  for (const step of ['embed', 'index', 'terms', 'rank', 'passages', 'assemble'])
    expect(
      Number(new RegExp(`^groundwork_search_step_duration_seconds_count\\{step="${step}"\\} (\\d+)$`, 'm').exec(text)?.[1]),
    ).toBeGreaterThan(1)
  expect(text).toContain('groundwork_search_index_load_duration_seconds_count{kind="cold"} 1\n')
  for (const step of ['fetch', 'extract', 'chunk', 'index', 'publish'])
    expect(text).toContain(`groundwork_ingestion_step_duration_seconds_count{step="${step}"} 1\n`)
  expect(text).toContain('groundwork_ingestions_total{outcome="completed"} 1\n')
  expect(text).toContain('groundwork_embedded_chunks_total{reused="false"} 1\n')
  expect(text).toMatch(/^groundwork_search_index_memory_bytes [1-9]/m)
  expect(text).not.toContain('groundwork_backup_age_seconds')
  expect(text).toContain('groundwork_jobs_total{queue="process-source",outcome="completed"} 1')
  expect(text).toContain('groundwork_queue_waiting_jobs{queue="process-source"} 0')
  expect(text).toContain('groundwork_http_request_duration_seconds_count{method="POST",route="/v1/bases/:baseId/sources",status="201"} 1')
  if (engineName() === 'embedded engine') {
    expect(Number(/^groundwork_database_hold_seconds_count (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(10)
    expect(Number(/^groundwork_database_longest_hold_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0)
  }
  const env = { ...groundwork.env, API: groundwork.url, TOKEN: token, BASE: base.id, PAGE: source.id }
  const printed: string[] = []
  for (const name of ['monitor', 'scale', 'troubleshoot', '../security']) {
    for (const command of await commandsOf(`docs/operations/${name}.md`)) {
      if (others.test(command)) continue
      printed.push(await runInShell(command.replaceAll('http://127.0.0.1:4000', groundwork.url), env))
    }
  }
  expect(printed).toEqual([
    expect.stringContaining('groundwork_search_duration_seconds_count'),
    'No problems found.\n',
    expect.stringMatching(/^groundwork_search_index_memory_bytes \d+$/m),
    expect.stringMatching(/^\{"status":"ready"\}\n?No problems found\.\n\s*$/),
    expect.stringMatching(/^204\n?\{"error":\{"code":"not_found"/),
  ])
  expect(await groundwork.stop()).toBe(0)
}, 600_000)

/** Other programs, which this machine may not have, and a second start. server/metrics/metrics.test.ts runs promtool. */
const others = /^(?:promtool|journalctl|OTEL_\w+=\S+ npm start)/

test('without settings there are no metrics, and the libraries of traces are not loaded', async () => {
  const groundwork = await program(onTestFinished, {}, 'migrated', printsImports)
  await groundwork.start()
  expect((await fetch(`${groundwork.url}/metrics`)).status).toBe(404)
  expect(await groundwork.stop()).toBe(0)
  // The output is no terminal.
  expect(groundwork.output()).toMatch(/^\{"level":30,.*"msg":"Groundwork is ready"\}$/m)
  // better-auth imports the names of attributes, which are constants.
  expect(importedPackages(groundwork.output()).filter((name) => name !== '@opentelemetry/semantic-conventions')).toEqual([])
}, 600_000)
