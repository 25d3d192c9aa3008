import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { createFixtures, unitEmbedder } from '../../testing/fixtures.ts'

const { app, organization } = await testApp({ embedder: unitEmbedder })

const asking = (messages: object[]) => ({ message: { type: 'knowledge-base-request', messages, call: { id: 'x' } } })
const opening = asking([
  { role: 'system', content: 'You answer the phone.' },
  { role: 'user', content: 'When are you there?' },
  { role: 'assistant', content: 'Whom do you mean?' },
  { role: 'user', content: 'opening hours' },
])

/** Sends the request as Vapi does, with Vapi's own headers, and authenticated by the secret or by a signature. */
function send(baseId: string | undefined, body: object, headers: Record<string, string>) {
  const payload = JSON.stringify(body)
  return app.inject({ method: 'POST', url: `/vapi/bases/${baseId}`, headers: { 'content-type': 'application/json', ...headers }, payload })
}

const signature = (body: object, secret: string): string => createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex')

describe("Vapi's knowledge base request", () => {
  it('returns documents for the latest message of the user', async () => {
    const caller = await organization()
    const { kb } = await createFixtures(caller)
    const { status, body } = await caller.call('POST', `/vapi/bases/${kb}`, opening)
    expect([status, body]).toEqual([
      200,
      { documents: [{ content: 'opening hours', similarity: expect.any(Number), uuid: expect.stringMatching(/^chk_/) }] },
    ])
    const parts = asking([
      { role: 'user', content: [{ type: 'text', text: 'opening' }, { type: 'image' }, { type: 'text', text: 'hours' }] },
    ])
    expect((await caller.call('POST', `/vapi/bases/${kb}`, parts)).body).toEqual(body)
    const odd = asking([{ role: 'user', content: 'opening\u0000\ud800 hours' }])
    expect((await caller.call('POST', `/vapi/bases/${kb}`, odd)).status).toBe(200)
    const last = asking([
      { role: 'user', content: 'opening hours' },
      { role: 'user', content: ' ' },
      { role: 'assistant', content: null },
    ])
    expect((await caller.call('POST', `/vapi/bases/${kb}`, last)).body).toEqual(body)
  })

  it('accepts nested parts, and refuses endless nesting', async () => {
    const caller = await organization()
    const { kb } = await createFixtures(caller)
    const nested = (depth: number): string => {
      const content = `${'[{"text":'.repeat(depth)}"opening hours"${'}]'.repeat(depth)}`
      return `{"message":{"type":"knowledge-base-request","messages":[{"role":"user","content":${content}}]}}`
    }
    expect((await caller.call('POST', `/vapi/bases/${kb}`, nested(40))).body.documents).toHaveLength(1)
    expect(await caller.call('POST', `/vapi/bases/${kb}`, nested(30_000))).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('nested'), requestId: expect.any(String) },
    })
  })

  it('returns no documents before the first message of the user', async () => {
    const caller = await organization()
    const { kb } = await createFixtures(caller)
    for (const messages of [[], [{ role: 'assistant', content: 'Hello' }], [{ role: 'user' }]]) {
      expect(await caller.call('POST', `/vapi/bases/${kb}`, asking(messages))).toMatchObject({ status: 200, body: { documents: [] } })
    }
  })

  it('accepts the token as the secret of the server', async () => {
    const caller = await organization()
    const { kb } = await createFixtures(caller)
    expect((await send(kb, opening, { 'x-vapi-secret': caller.token })).statusCode).toBe(200)
    expect((await send(kb, opening, { 'x-vapi-secret': 'wrong' })).statusCode).toBe(401)
    expect((await send(kb, opening, {})).statusCode).toBe(401)
  })

  it('refuses a signature of another body or token', async () => {
    const caller = await organization()
    const { kb } = await createFixtures(caller)
    const signed = (value: string) => send(kb, opening, { authorization: `Bearer ${caller.token}`, 'x-vapi-signature': value })
    const right = signature(opening, caller.token)
    for (const value of [right, `sha256=${right}`]) expect((await signed(value)).statusCode).toBe(200)
    const wrong = [signature(asking([]), caller.token), signature(opening, 'other'), '', 'sha256=', right.slice(2), `${right}00`, 'zz']
    for (const value of wrong) {
      const response = await signed(value)
      expect([response.statusCode, response.json()]).toEqual([
        401,
        { error: expect.stringContaining('x-vapi-signature'), requestId: expect.any(String) },
      ])
    }
    expect((await send(kb, opening, { 'x-vapi-signature': right })).statusCode).toBe(401)
  })

  it('refuses other message types', async () => {
    const caller = await organization()
    const { kb } = await createFixtures(caller)
    for (const body of [{}, { message: { type: 'end-of-call-report' } }, { message: { type: 'knowledge-base-request' } }]) {
      const answer = await caller.call('POST', `/vapi/bases/${kb}`, body)
      expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining('message')])
    }
  })
})
