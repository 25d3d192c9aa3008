import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, program, root, type Program } from './program.ts'

/** Runs the command line and returns its exit code, stdout and stderr. */
const run = (groundwork: Program, ...words: string[]) => runFile(groundwork, 'server/dist/cli.js', ...words)

async function runFile({ env }: Program, ...words: string[]): Promise<{ stdout: string; stderr: string; code: number }> {
  const options = { cwd: root, env }
  return promisify(execFile)(process.execPath, words, options).then(
    ({ stdout, stderr }) => ({ stdout, stderr, code: 0 }),
    ({ stdout, stderr, code }: { stdout: string; stderr: string; code: number }) => ({ stdout, stderr, code }),
  )
}

test('a token is created while the program is running or stopped, with one organization per name', async () => {
  const groundwork = await program(onTestFinished)
  const before = await createToken(groundwork)
  await groundwork.start()
  const beside = await createToken(groundwork)
  expect(beside.organizationId).toBe(before.organizationId)
  expect(before).toEqual({
    token: expect.stringMatching(/^gw_[0-9A-Za-z]{38}$/),
    id: expect.stringMatching(/^tok_[0-9a-f-]{36}$/),
    organizationId: expect.stringMatching(/^org_[0-9a-f-]{36}$/),
  })
  const contact = await new Client(groundwork.url, before.token).call<{ id: string }>('POST', '/v1/contacts', { email: 'a@example.com' })
  expect((await new Client(groundwork.url, beside.token).request('GET', `/v1/contacts/${contact.id}`)).status).toBe(200)

  const plain = await run(groundwork, 'token', 'create', '--organization', 'Another')
  expect(plain.stdout).toMatch(/^gw_[0-9A-Za-z]{38}\n$/)
  const stranger = new Client(groundwork.url, plain.stdout.trim())
  expect((await stranger.request('GET', `/v1/contacts/${contact.id}`)).status).toBe(404)

  const reader = new Client(groundwork.url, (await createToken(groundwork, '--scopes', 'contacts:read, bases:read')).token)
  expect((await reader.request('GET', '/v1/contacts')).status).toBe(200)
  expect((await reader.request('POST', '/v1/contacts', { email: 'b@example.com' })).status).toBe(403)

  const short = new Client(groundwork.url, (await createToken(groundwork, '--expires', '0.00003')).token)
  await new Promise((passed) => setTimeout(passed, 2700))
  expect((await short.request('GET', '/v1/contacts')).status).toBe(401)
  expect(await groundwork.stop()).toBe(0)
}, 600_000)

test('the server refuses arguments, and names the command line', async () => {
  const { stderr, code, stdout } = await runFile(await program(onTestFinished), 'server/dist/main.js', 'help')
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^Unknown argument: help\..*\n.*groundwork -- --help\n$/)
})

test('errors are a single sentence with an exit code', async () => {
  const groundwork = await program(onTestFinished)
  for (const [words, sentence] of [
    [['token', 'create'], '--organization NAME is required'],
    [['token', 'create', '--organization', 'A', '--scopes', 'everything'], 'Unknown scope: everything'],
    [['token', 'create', '--organization', 'A', '--expires', 'soon'], '--expires must be a number of days'],
    [['token', 'create', '--organization', 'A', '--unknown'], '--unknown'],
    [['tokens'], 'Unknown command: tokens'],
  ] as const) {
    const { stderr, code, stdout } = await run(groundwork, ...words)
    expect([stderr.includes(sentence), code, stdout]).toEqual([true, 2, ''])
    expect(stderr).not.toMatch(/^\s+at /m)
  }
  expect((await run(groundwork, '--help')).stdout).toContain('token create')
}, 600_000)
