import type { PoolClient } from 'pg'
import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { cut } from '../testing/faults.ts'
import { browse, password, person } from '../testing/people.ts'

const service = await testApp()
const { app, database, organization } = service

/** Runs `fn` while the nth connection from the pool is lost after its first statement. */
async function whileLost<T>(fn: () => Promise<T>, nth = 1): Promise<T> {
  let acquired = 0
  const onAcquire = (client: PoolClient): void => {
    acquired += 1
    if (acquired === nth) setImmediate(() => cut(client))
  }
  database.pool.on('acquire', onAcquire)
  const result = await fn()
  database.pool.off('acquire', onAcquire)
  return result
}

describe('a request that loses its database connection', () => {
  it('is answered with 503, and the next request succeeds', async () => {
    const { call } = await organization()
    const contact = { email: 'a@example.com' }
    expect((await call('POST', '/v1/contacts', contact)).status).toBe(201)
    for (const [method, path, body] of [
      ['GET', '/v1/contacts'],
      ['POST', '/v1/contacts', contact],
      ['GET', '/v1/overview'],
    ] as const) {
      const lost = await whileLost(() => call(method, path, body))
      expect([path, lost.status, lost.body.error?.code, lost.headers['retry-after']]).toEqual([path, 503, 'unavailable', '1'])
      expect((await call(method, path, body)).status).toBeLessThan(300)
    }
  })

  it.each([1, 2, 3, 4, 5])('is answered with 503 below /auth too, at connection %i', async (nth) => {
    const { email } = await person(service)
    const signIn = { method: 'POST', path: '/auth/sign-in/email', body: { email, password } }
    const lost = await whileLost(() => browse(app, signIn), nth)
    expect([lost.status, lost.body.error?.code]).toEqual([503, 'unavailable'])
    expect((await browse(app, signIn)).status).toBe(200)
  })
})
