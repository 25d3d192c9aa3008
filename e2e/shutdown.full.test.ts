import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, engineName, pause, program, root } from './program.ts'

test(`SIGTERM under load, with open streams and running sources, ends the program within its limit (${engineName()})`, async () => {
  const groundwork = await program(onTestFinished, { DRAIN_SECONDS: '5' })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const base = await client.createBase('busy')
  const ending = new AbortController()
  const callers = Array.from({ length: 8 }, async () => {
    while (!ending.signal.aborted) await client.request('POST', '/v1/contacts', { email: 'a@example.com' }).catch(() => pause(10))
  })
  const streams = Array.from({ length: 20 }, async () => (await client.request('GET', '/v1/events/stream')).text())
  for (let n = 0; n < 12; n += 1) await client.addPath(base.id, join(root, 'examples/handbook.pdf'))
  await pause(1000)
  const began = Date.now()
  // The exit code is 1 if the program does not end cleanly within 10 seconds after DRAIN_SECONDS.
  expect(await groundwork.stop()).toBe(0)
  console.log(`ended after ${Date.now() - began} ms`)
  ending.abort()
  // An interrupted stream rejects.
  for (const text of await Promise.all(streams)) expect(text).toMatch(/\n\n$/)
  await Promise.all(callers)

  await groundwork.start()
  const { data } = await client.call<{ data: { id: string }[] }>('GET', `/v1/bases/${base.id}/sources`)
  for (const { id } of data) expect(await client.settled(base.id, id)).toMatchObject({ status: 'completed' })
  expect(data).toHaveLength(12)
  expect(await groundwork.stop()).toBe(0)
}, 300_000)
