import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { commandsOf, runInShell } from './page-commands.ts'
import { createToken, program } from './program.ts'

test('the commands of docs/operations/administer.md work in a shell beside the running program', { timeout: 600_000 }, async () => {
  const commands = await commandsOf('docs/operations/administer.md')
  expect(commands.length).toBeGreaterThan(1)
  const groundwork = await program(onTestFinished)
  await groundwork.start()
  const run = (words: string): Promise<string> => runInShell(words, groundwork.env)
  const { token } = await createToken(groundwork, '--organization', 'Example Ltd')
  const client = new Client(groundwork.url, token)
  const setup = { name: 'Ada', email: 'ada@example.com', password: 'a password of five words', organizationName: 'Example Ltd' }
  const response = await fetch(`${groundwork.url}/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: groundwork.url },
    body: JSON.stringify({ ...setup, token: /\/app\/setup#(\S+)/.exec(groundwork.output())?.[1] }),
  })
  expect(response.status).toBe(201)
  await client.call('POST', '/v1/contacts', { email: 'a@example.com' })

  const printed = await run(commands.join('\n'))
  expect(printed).toContain('Example Ltd  1 members, 1 tokens')
  expect(printed).toContain('storage  0 bytes of 10 GB\nchunks  0 of 2000000\nsources  0 of 50000\n')
  expect(printed).toMatch(/Deleted org_[0-9a-f-]{36}: \d+ rows, 0 files and 1 users\./)
  expect(printed).toMatch(/ada@example\.com {2}Ada {2}Example Ltd \(owner\)/)
  expect(printed).toContain(`${groundwork.url}/app/reset-password#`)
  expect(printed).toContain('ada@example.com had no second factor.')
  await expect.poll(async () => (await client.request('GET', '/v1/contacts')).status).toBe(401)
  expect(JSON.parse(await run('npm run --silent groundwork -- organizations list --json'))).toEqual({ organizations: [] })
  expect(await groundwork.stop()).toBe(0)
})
