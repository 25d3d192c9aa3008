import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { cut } from '../testing/faults.ts'
import { browse, password, person } from '../testing/people.ts'
import { onStatement } from '../testing/statements.ts'

const service = await testApp()
const { app, organization } = service

/** Runs `fn` while the connection of the nth matching statement is lost before the statement is sent. */
async function whileLost<T>(statement: RegExp, fn: () => Promise<T>, nth = 1): Promise<T> {
  let matched = 0
  const stop = onStatement(({ client, text }) => {
    if (!statement.test(text)) return
    matched += 1
    if (matched === nth) cut(client)
  })
  const result = await fn().finally(stop)
  expect(matched).toBeGreaterThanOrEqual(nth)
  return result
}

describe('a request that loses its database connection', () => {
  it.each([
    ['GET', '/v1/contacts', undefined, /from "contact"/],
    ['POST', '/v1/contacts', { email: 'b@example.com' }, /insert into "contact"/],
    ['GET', '/v1/overview', undefined, /from "?contact"?/],
  ])('is answered with 503, and the next request succeeds: %s %s', async (method, path, body, statement) => {
    const { call } = await organization()
    expect((await call('POST', '/v1/contacts', { email: 'a@example.com' })).status).toBe(201)
    const lost = await whileLost(statement, () => call(method, path, body))
    expect([lost.status, lost.body.error?.code, lost.headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    expect((await call(method, path, body)).status).toBeLessThan(300)
  })

  it.each([1, 2, 3, 4])('is answered with 503 below /auth too, at transaction %i', async (nth) => {
    const { email } = await person(service)
    const signIn = { method: 'POST', path: '/auth/sign-in/email', body: { email, password } }
    const lost = await whileLost(/^begin; set local role groundwork_identity/, () => browse(app, signIn), nth)
    expect([lost.status, lost.body.error?.code]).toEqual([503, 'unavailable'])
    expect((await browse(app, signIn)).status).toBe(200)
  })
})
