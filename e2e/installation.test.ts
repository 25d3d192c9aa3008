import { execFile } from 'node:child_process'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, freePort, program, root, type Program } from './program.ts'

const otherKey = 'another key, of thirty-two or more characters'

/** Returns the same program with other settings. The first program removes the data. */
const again = async (first: Program, settings: Record<string, string>): Promise<Program> =>
  program(onTestFinished, { ...first.env, PORT: String(await freePort()), ...settings })

async function operator({ env }: Program, ...words: string[]): Promise<{ code: number; output: string }> {
  return promisify(execFile)(process.execPath, ['cli/dist/main.js', ...words], { cwd: root, env }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, output: error.stdout + error.stderr }),
  )
}

test('a changed, empty or missing SECRET_KEY stops the start with its name, and can be replaced', async () => {
  const first = await program(onTestFinished)
  await first.start()
  const { token } = await createToken(first)
  const client = new Client(first.url, token)
  const endpoint = await client.call<{ id: string }>('POST', '/v1/webhooks', { url: 'https://example.com/hook' })
  expect(await first.stop()).toBe(0)
  const keyFile = join(first.env['DATA_DIR'] ?? '', 'secret.key')

  await expect((await again(first, { SECRET_KEY: otherKey })).start()).rejects.toThrow(
    /SECRET_KEY: the key in the environment is not the one that this database was set up with/,
  )
  await writeFile(keyFile, '')
  await expect(first.start()).rejects.toThrow(/SECRET_KEY: the key in .*secret\.key is empty/)
  await rm(keyFile)
  await expect(first.start()).rejects.toThrow(/SECRET_KEY: is not set, and .*secret\.key does not exist/)
  const doctor = await operator(first, 'doctor')
  expect(doctor).toMatchObject({ code: 1, output: expect.stringContaining('secret_key') })

  const replaced = await operator({ ...first, env: { ...first.env, SECRET_KEY: otherKey } }, 'secret-key', 'replace')
  expect(replaced).toMatchObject({ code: 0, output: expect.stringContaining(endpoint.id) })
  expect(replaced.output).toContain('The secret key has been replaced by the one in SECRET_KEY. 1 secrets were lost.')
  const withOther = await again(first, { SECRET_KEY: otherKey })
  expect((await operator(withOther, 'secret-key', 'replace')).output).toContain('The secret key has not changed: the one in SECRET_KEY was')
  await withOther.start()
  expect((await new Client(withOther.url, token).request('GET', '/v1/contacts')).status).toBe(200)
  expect(await operator(withOther, 'doctor')).toMatchObject({ code: 1, output: expect.stringContaining('unreadable_secret') })
  await new Client(withOther.url, token).call('POST', `/v1/webhooks/${endpoint.id}/rotate-secret`, {})
  expect(await operator(withOther, 'doctor')).toMatchObject({ code: 0 })
  expect(await withOther.stop()).toBe(0)
}, 600_000)

test('a program without the files of its database does not start and names the setting', async () => {
  const first = await program(onTestFinished, { SECRET_KEY: otherKey })
  await first.start()
  const client = new Client(first.url, (await createToken(first)).token)
  const base = await client.createBase('files')
  const { id } = await client.addPath(base.id, join(root, 'examples/faq.md'))
  expect(await client.settled(base.id, id)).toMatchObject({ status: 'completed' })
  expect(await first.stop()).toBe(0)

  const files = join(first.env['DATA_DIR'] ?? '', 'files')
  const kept = await mkdtemp(join(tmpdir(), 'groundwork-moved-'))
  onTestFinished(() => rm(kept, { recursive: true, force: true }))
  await rename(files, join(kept, 'files'))
  await expect(first.start()).rejects.toThrow(/DATA_DIR: the files in .*files are not those of this database/)
  expect(await operator(first, 'doctor', '--repair')).toMatchObject({ code: 1, output: expect.stringContaining('DATA_DIR: ') })
  await rm(files, { recursive: true, force: true })
  await rename(join(kept, 'files'), files)
  await first.start()
  expect(await client.search(base.id, 'Do I need to book?')).not.toEqual([])
  expect(await first.stop()).toBe(0)
}, 600_000)
