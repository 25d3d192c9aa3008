import { Groundwork, parseSigningKeys, verifyCertificates } from '@groundwork/sdk'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createToken, engineName, program, root, shell, type Program } from './program.ts'

/** Runs the command line without a token. Returns its output and exit code. */
const run = (env: Record<string, string>, ...words: string[]): Promise<{ stdout: string; code: number }> =>
  promisify(execFile)(process.execPath, ['cli/bin/groundwork.js', ...words], { cwd: root, env }).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    ({ stdout, code }: { stdout: string; code: number }) => ({ stdout, code }),
  )

const startOf = async (): Promise<{ groundwork: Program; api: Groundwork }> => {
  const groundwork = await program(onTestFinished)
  await groundwork.start()
  return { groundwork, api: new Groundwork({ baseUrl: groundwork.url, token: (await createToken(groundwork)).token, maxRetries: 0 }) }
}

/** Creates pending proposals and returns their ids. */
async function send(api: Groundwork, count: number): Promise<string[]> {
  const contact = await api.contacts.create({ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' })
  const items = [
    { description: 'Cargo bicycle', quantity: '3', unitPrice: '2100', discount: '300', taxRate: '19' },
    { description: 'Child seat', quantity: '3', unitPrice: '80', optional: true },
  ]
  const ids: string[] = []
  for (let n = 0; n < count; n += 1)
    ids.push((await api.proposals.create({ title: 'Bicycles', contactId: contact.id, currency: 'EUR', items })).id)
  return ids
}

/** Accepts a proposal on its page, as a browser without JavaScript does. Returns the status of the answer, or null without one. */
async function accept({ url: origin }: Program, { url, contentHash }: { url: string | null; contentHash: string }): Promise<number | null> {
  const body = new URLSearchParams({ name: 'Ada Lovelace', method: 'typed', consent: 'yes', contentHash })
  const address = `${origin}${new URL(url ?? '').pathname}/accept`
  return fetch(address, { method: 'POST', body, redirect: 'manual' }).then(
    ({ status }) => status,
    () => null,
  )
}

const keysOf = async ({ url }: Program): Promise<string> => (await fetch(`${url}/.well-known/groundwork-keys.json`)).text()

async function certificateOf(api: Groundwork, id: string): Promise<{ name: string; content: string }> {
  return { name: `${id}.json`, content: await (await api.proposals.certificate(id)).text() }
}

describe(`certificates on the ${engineName()}`, { timeout: 600_000 }, () => {
  test('of proposals that are accepted while the program is killed form one chain without gaps', async () => {
    const { groundwork, api } = await startOf()
    const ids = await send(api, 16)
    const proposals = await Promise.all(ids.map((id) => api.proposals.get(id)))
    const answers = proposals.map((proposal) => accept(groundwork, proposal))
    await Promise.race(answers)
    await groundwork.kill()
    const statuses = await Promise.all(answers)
    await groundwork.start()
    for (const [index, proposal] of proposals.entries()) {
      const { status } = await api.proposals.get(proposal.id)
      // An acknowledged acceptance is durable.
      if (statuses[index] === 303) expect(status).toBe('completed')
      if (status === 'pending') expect(await accept(groundwork, proposal)).toBe(303)
    }
    const files = await Promise.all(ids.map((id) => certificateOf(api, id)))
    const checks = await verifyCertificates(files, { keys: await parseSigningKeys(await keysOf(groundwork)) })
    expect(checks.filter(({ holds }) => holds !== true)).toEqual([])
    expect(checks.at(-1)).toMatchObject({ check: 'chain', detail: expect.stringMatching(/^Certificates 1 to 16 of .* are complete/) })
  })

  test('are verified by the command line without a token, also after the signing key was replaced', async () => {
    const { groundwork, api } = await startOf()
    const folder = await mkdtemp(join(tmpdir(), 'groundwork-certificates-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const save = async (name: string, content: string | Uint8Array): Promise<string> => {
      await writeFile(join(folder, name), content)
      return join(folder, name)
    }
    const files: string[] = []
    const ids = await send(api, 3)
    const [first = ''] = ids
    for (const id of ids) {
      if (files.length === 2) {
        const { stdout } = await run(groundwork.env, 'signing-key', 'rotate', '--json')
        expect(JSON.parse(stdout)).toEqual({ id: expect.stringMatching(/^[\w-]{43}$/), retired: expect.stringMatching(/^[\w-]{43}$/) })
      }
      expect(await accept(groundwork, await api.proposals.get(id))).toBe(303)
      const { name, content } = await certificateOf(api, id)
      files.push(await save(name, content))
    }
    const keys = await save('keys.json', await keysOf(groundwork))
    const valid = await run(shell(), 'verify', ...files, '--keys', keys)
    expect(valid).toEqual({ code: 0, stdout: expect.stringMatching(/Certificates 1 to 3 of .* are complete and in order\.\n$/) })
    expect(await run(shell(), 'verify', ...files.toSpliced(1, 1), '--keys', keys)).toEqual({
      code: 1,
      stdout: expect.stringContaining('FAIL  chain      Certificate 2 is missing.'),
    })
    const pdf = await save('proposal.pdf', new Uint8Array(await (await api.proposals.pdf(first)).arrayBuffer()))
    expect(await run(shell(), 'verify', pdf, ...files.slice(1), '--keys', keys)).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /ok    seal       The file is unchanged .*ok    pdf        The attached .*Certificates 1 to 3 of .* are complete and in order\.\n$/s,
      ),
    })
    const doctor = await run(groundwork.env, 'doctor')
    expect(doctor).toEqual({ code: 0, stdout: 'No problems found.\n' })
  })
})
