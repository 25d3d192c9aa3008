import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, program, root, type Program } from './program.ts'
import { allEventIds, openReceiver } from './receiver.ts'
import { writers } from './writers.ts'

const [former, current] = ['the former secret key, long enough for it', 'the new secret key, which is long enough too']

interface Count {
  readonly name: string
  readonly former: number
  readonly resealed: number
  readonly unreadable: number
}

async function rotate({ env }: Pick<Program, 'env'>, ...options: string[]): Promise<{ finished: boolean; values: Count[] }> {
  const words = ['cli/dist/main.js', 'key', 'rotate', '--json', ...options]
  // A check that finds values exits with 1.
  const ended = promisify(execFile)(process.execPath, words, { cwd: root, env }).catch((error: { stdout: string }) => error)
  return JSON.parse((await ended).stdout) as { finished: boolean; values: Count[] }
}

test('the secret key is rotated while requests and webhook deliveries go on', async () => {
  const receiver = await openReceiver(onTestFinished)
  const groundwork = await program(onTestFinished, { FETCH_ALLOW_HOSTS: receiver.host, SECRET_KEY: former })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const endpoint = await client.call<{ secret: string }>('POST', '/v1/webhooks', { url: receiver.url, eventTypes: ['contact.created'] })
  receiver.secret = endpoint.secret
  const callers = writers(client, 2)
  await callers.any(300)

  expect(await groundwork.stop()).toBe(0)
  Object.assign(groundwork.env, { SECRET_KEY: current, SECRET_KEY_PREVIOUS: former })
  await groundwork.start()
  await callers.more(1)
  callers.refusals.clear()
  const before = await rotate(groundwork, '--check')
  expect(before).toMatchObject({
    finished: false,
    values: expect.arrayContaining([expect.objectContaining({ name: 'webhook secrets', former: 1 })]),
  })
  const { finished, values } = await rotate(groundwork)
  await callers.more(1)
  expect([finished, [...callers.refusals]]).toEqual([true, []])
  expect(values.map(({ former: left, unreadable }) => [left, unreadable])).toEqual(values.map(() => [0, 0]))
  expect(values.find(({ name }) => name === 'stored responses (Idempotency-Key)')?.resealed).toBeGreaterThanOrEqual(300)
  expect(await rotate(groundwork, '--check')).toMatchObject({ finished: true })

  expect(await groundwork.stop()).toBe(0)
  delete groundwork.env['SECRET_KEY_PREVIOUS']
  await groundwork.start()
  await callers.more(1)
  const emails = await callers.stop()
  const [first = ''] = emails
  const repeated = await fetch(`${client.url}/v1/contacts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json', 'idempotency-key': first },
    body: JSON.stringify({ email: first }),
  })
  expect([repeated.status, await repeated.json()]).toEqual([201, expect.objectContaining({ email: first })])
  const events = await allEventIds(client)
  expect(events.size).toBe(emails.length)
  await expect.poll(() => receiver.accepted.size, { timeout: 120_000 }).toBe(events.size)
  expect(receiver.accepted).toEqual(events)
  expect(await groundwork.stop()).toBe(0)

  groundwork.env['SECRET_KEY'] = former
  await expect(groundwork.start()).rejects.toThrow(
    'SECRET_KEY: the key in the environment is not the one that this database was set up with.',
  )
}, 900_000)
