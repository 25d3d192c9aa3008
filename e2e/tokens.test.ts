import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, program } from './program.ts'

interface Token {
  id: string
  lastUsedAt: string | null
  lastUsedAddress: string | null
}

test('the last use of a token outlives the end of the program, and so does its revocation', async () => {
  const groundwork = await program(onTestFinished)
  await groundwork.start()
  const [made, other] = [await createToken(groundwork), await createToken(groundwork)]
  await new Client(groundwork.url, made.token).call('GET', '/v1/contacts')
  await new Client(groundwork.url, other.token).call('DELETE', `/v1/tokens/${other.id}`)
  expect(await groundwork.stop()).toBe(0)

  await groundwork.start()
  const client = new Client(groundwork.url, made.token)
  const used = await client.call<Token>('GET', `/v1/tokens/${made.id}`)
  expect(used).toMatchObject({ lastUsedAt: expect.stringMatching(/Z$/), lastUsedAddress: '127.0.0.1' })
  expect((await new Client(groundwork.url, other.token).request('GET', '/v1/contacts')).status).toBe(401)
  expect(await groundwork.stop()).toBe(0)
})
