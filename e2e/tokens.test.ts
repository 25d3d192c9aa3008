import { AuthenticationError, Groundwork } from '@groundwork/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { createToken, program } from './program.ts'

test('the last use of a token and its revocation survive a restart of the program', async () => {
  const groundwork = await program(onTestFinished)
  await groundwork.start()
  const [made, other] = [await createToken(groundwork), await createToken(groundwork)]
  const client = new Groundwork({ baseUrl: groundwork.url, token: made.token })
  const revoked = new Groundwork({ baseUrl: groundwork.url, token: other.token })
  await client.contacts.list().page()
  await revoked.tokens.delete(other.id)
  expect(await groundwork.stop()).toBe(0)

  await groundwork.start()
  expect(await client.tokens.get(made.id)).toMatchObject({ lastUsedAt: expect.stringMatching(/Z$/), lastUsedAddress: '127.0.0.1' })
  await expect(revoked.contacts.list().page()).rejects.toBeInstanceOf(AuthenticationError)
  expect(await groundwork.stop()).toBe(0)
})
