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
async function twoPrograms(): Promise<{ first: Program; second: Program; owner: Client }> {
  const first = await program(onTestFinished)
  const { PORT: _port, ...shared } = first.env
  const second = await program(onTestFinished, { ...shared, ROLE: 'api' })
  await first.start()
  await second.start()
  return { first, second, owner: new Client(first.url, (await createToken(first)).token) }
}

const newToken = (owner: Client): Promise<Made> => owner.call('POST', '/v1/tokens', { name: 'T', scopes: ['contacts:read', 'events:read'] })

/** Sends requests over one kept connection until `stop`, and returns their statuses and start times. */
function busy(url: string, token: string): { replies: { at: number; status: number }[]; stop: () => Promise<void> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const replies: { at: number; status: number }[] = []
  const stopping = new AbortController()
  const send = (): Promise<number> =>
    new Promise((answered, failed) => {
      const outgoing = request(`${url}/v1/contacts`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
        response.resume()
        response.on('end', () => answered(response.statusCode ?? 0))
      })
      outgoing.on('error', failed)
      outgoing.end()
    })
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const at = performance.now()
      replies.push({ at, status: await send() })
    }
  })()
  return {
    replies,
    async stop() {
      stopping.abort()
      await loop
      agent.destroy()
    },
  }
}

/** Revokes a token while both programs receive requests with it. Returns the statuses of requests sent after the time bound. */
async function endedWhileBusy({ first, second }: { first: Program; second: Program }, token: string, end: () => Promise<unknown>) {
  const readers = [first, second].map(({ url }) => busy(url, token))
  while (readers.some(({ replies }) => replies.length < 20)) await pause(10)
  const before = readers.map(({ replies }) => new Set(replies.map(({ status }) => status)))
  await end()
  const ended = performance.now()
  const late = (): number[][] => readers.map(({ replies }) => replies.filter(({ at }) => at >= ended + boundMs).map(({ status }) => status))
  while (late().some((statuses) => statuses.length < 5)) await pause(10)
  await Promise.all(readers.map(({ stop }) => stop()))
  return { before, after: late().map((statuses) => new Set(statuses)) }
}

/** Reads a stream until it ends. `text` returns the part that has arrived. */
function read({ body }: Response): { text: () => string; ended: Promise<void> } {
  let text = ''
  const decoder = new TextDecoder()
  const ended = (async () => {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true })
  })()
  return { text: () => text, ended }
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
    for (const each of [programs.first, programs.second]) expect(await each.stop()).toBe(0)
  }, 600_000)

  test('gets no more events on its open streams', async () => {
    const { first, second, owner } = await twoPrograms()
    const { id, token } = await newToken(owner)
    const streams = await Promise.all([first, second].map(({ url }) => new Client(url, token).request('GET', '/v1/events/stream')))
    expect(streams.map(({ status }) => status)).toEqual([200, 200])
    const readers = streams.map(read)
    await owner.createBase('before')
    await expect.poll(() => readers.every(({ text }) => text().includes('"name":"before"'))).toBe(true)
    await owner.call('DELETE', `/v1/tokens/${id}`)
    await pause(boundMs)
    await owner.createBase('after')
    // The server ends both streams.
    await Promise.all(readers.map(({ ended }) => ended))
    for (const { text } of readers) expect(text()).not.toContain('"name":"after"')
    for (const each of [first, second]) expect(await each.stop()).toBe(0)
  }, 600_000)
})
