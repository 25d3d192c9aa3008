import { Agent, request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, engineName, pause, program, type Program } from './program.ts'

/** Time within which every process refuses a token that was revoked in another one. */
const boundMs = 1000

interface Made {
  id: string
  token: string
}

/** Starts two programs on one database; `owner` can revoke tokens through either. */
async function twoPrograms(): Promise<{ here: Program; there: Program; owner: Client }> {
  const here = await program(onTestFinished)
  const { PORT: _port, ...shared } = here.env
  const there = await program(onTestFinished, { ...shared, ROLE: 'api' })
  await here.start()
  await there.start()
  return { here, there, owner: new Client(here.url, (await createToken(here)).token) }
}

const newToken = (owner: Client): Promise<Made> => owner.call('POST', '/v1/tokens', { name: 'T', scopes: ['contacts:read', 'events:read'] })

/** Sends requests over one kept connection until `stop`, and returns their statuses and start times. */
function busy(url: string, token: string): { asked: { at: number; status: number }[]; stop: () => Promise<void> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const asked: { at: number; status: number }[] = []
  const stopping = new AbortController()
  const ask = (): Promise<number> =>
    new Promise((answered, failed) => {
      const asking = request(`${url}/v1/contacts`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
        response.resume()
        response.on('end', () => answered(response.statusCode ?? 0))
      })
      asking.on('error', failed)
      asking.end()
    })
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const at = performance.now()
      asked.push({ at, status: await ask() })
    }
  })()
  return {
    asked,
    async stop() {
      stopping.abort()
      await loop
      agent.destroy()
    },
  }
}

/** Revokes a token while both programs receive requests with it. Returns the statuses of requests sent after the time bound. */
async function endedWhileBusy({ here, there }: { here: Program; there: Program }, token: string, end: () => Promise<unknown>) {
  const readers = [here, there].map(({ url }) => busy(url, token))
  while (readers.some(({ asked }) => asked.length < 20)) await pause(10)
  const before = readers.map(({ asked }) => new Set(asked.map(({ status }) => status)))
  await end()
  const ended = performance.now()
  const late = (): number[][] => readers.map(({ asked }) => asked.filter(({ at }) => at >= ended + boundMs).map(({ status }) => status))
  while (late().some((statuses) => statuses.length < 5)) await pause(10)
  await Promise.all(readers.map(({ stop }) => stop()))
  return { before, after: late().map((statuses) => new Set(statuses)) }
}

const refused = { before: [new Set([200]), new Set([200])], after: [new Set([401]), new Set([401])] }

describe.skipIf(engineName() !== 'PostgreSQL')('a token that is revoked in one of two programs (PostgreSQL)', () => {
  test('is refused by both within a second under load: revoked, rotated without overlap, revoked by its secret', async () => {
    const { owner, ...programs } = await twoPrograms()
    const [revoked, rotated, presented, overlapping] = [
      await newToken(owner),
      await newToken(owner),
      await newToken(owner),
      await newToken(owner),
    ]
    expect(await endedWhileBusy(programs, revoked.token, () => owner.call('DELETE', `/v1/tokens/${revoked.id}`))).toEqual(refused)
    expect(await endedWhileBusy(programs, rotated.token, () => owner.call('POST', `/v1/tokens/${rotated.id}/rotate`, {}))).toEqual(refused)
    const present = () => owner.call('POST', '/v1/tokens/revoke', { token: presented.token })
    expect(await endedWhileBusy(programs, presented.token, present)).toEqual(refused)
    const overlap = () => owner.call('POST', `/v1/tokens/${overlapping.id}/rotate`, { overlapSeconds: 600 })
    expect(await endedWhileBusy(programs, overlapping.token, overlap)).toEqual({ before: refused.before, after: refused.before })
    for (const each of [programs.here, programs.there]) expect(await each.stop()).toBe(0)
  }, 300_000)

  test('gets no more events on its open streams', async () => {
    const { here, there, owner } = await twoPrograms()
    const { id, token } = await newToken(owner)
    const streams = await Promise.all([here, there].map(({ url }) => new Client(url, token).request('GET', '/v1/events/stream')))
    expect(streams.map(({ status }) => status)).toEqual([200, 200])
    await owner.createBase('before')
    await owner.call('DELETE', `/v1/tokens/${id}`)
    await pause(boundMs)
    await owner.createBase('after')
    // The server ends both streams.
    const told = await Promise.all(streams.map((stream) => stream.text()))
    for (const text of told) {
      expect(text).toContain('"name":"before"')
      expect(text).not.toContain('"name":"after"')
    }
    for (const each of [here, there]) expect(await each.stop()).toBe(0)
  }, 300_000)
})
