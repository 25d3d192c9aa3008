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

interface Sent {
  readonly url: string | null
  readonly contentHash: string
}

/** Accepts a proposal on its page, as a browser without JavaScript does. Returns the status of the answer, or null without one. */
function accept(groundwork: Program, sent: Sent): Promise<number | null> {
  return post(groundwork, sent, 'accept', { name: 'Ada Lovelace', method: 'typed', consent: 'yes' })
}

/** Declines a proposal on its page. Returns the status of the answer, or null without one. */
const decline = (groundwork: Program, sent: Sent): Promise<number | null> => post(groundwork, sent, 'decline', {})

function post(
  { url: origin }: Program,
  { url, contentHash }: Sent,
  action: string,
  fields: Record<string, string>,
): Promise<number | null> {
  const body = new URLSearchParams({ ...fields, contentHash })
  return fetch(`${origin}${new URL(url ?? '').pathname}/${action}`, { method: 'POST', body, redirect: 'manual' }).then(
    ({ status }) => status,
    () => null,
  )
}

/** Returns 200 for a request that succeeds, the status of an error, or null without an answer. */
const statusOf = (request: Promise<unknown>): Promise<number | null> =>
  request.then(
    () => 200,
    (error: { status?: number }) => error.status ?? null,
  )

/** Heading of the page of a proposal by its end. */
const headings: Record<string, string> = { completed: 'Accepted', rejected: 'Declined', voided: 'Withdrawn', expired: 'Expired' }

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

  test('of proposals with concurrent signatures, refusals, voids and expiries while the program is killed: one end for each', async () => {
    const { groundwork, api } = await startOf()
    const keys = async () => parseSigningKeys(await keysOf(groundwork))
    const recipients = ['Charles', 'Grace'].map((name) => ({ role: 'signer' as const, name, email: `${name}@example.com` }))
    const ends: string[] = []
    for (const round of [0, 1, 2, 3]) {
      const contact = await api.contacts.create({ firstName: 'Ada', email: 'ada@example.com' })
      const sent = await api.proposals.create({
        title: 'Bicycles',
        contactId: contact.id,
        totalAmount: '10',
        currency: 'EUR',
        recipients,
        counterSignature: round % 2 === 1,
        ...(round === 3 && { expiresAt: new Date(Date.now() + 1_000).toISOString() }),
      })
      const pageOf = (signer: number): string => `${groundwork.url}${new URL(sent.recipients[signer]?.url ?? '').pathname}`
      const ofSigner = (signer: number): Sent => ({ ...sent, url: sent.recipients[signer]?.url ?? null })
      const actions: readonly (() => Promise<number | null>)[] = [
        ...[0, 1, 2].map((signer) => () => accept(groundwork, ofSigner(signer))),
        () => statusOf(api.proposals.countersign(sent.id, { name: 'Owner' })),
        // In the other rounds, all signers can finish.
        ...(round < 2
          ? []
          : [() => decline(groundwork, ofSigner(round - 2)), () => statusOf(api.proposals.void(sent.id, { reason: 'x' }))]),
      ]
      const attempts = Array.from({ length: 50 }, (_, index) => actions[index % actions.length]?.() ?? Promise.resolve(null))
      await Promise.race(attempts)
      await groundwork.kill()
      const statuses = await Promise.all(attempts)
      expect(statuses.filter((status) => ![null, 200, 303, 409, 429].includes(status))).toEqual([])
      await groundwork.start()
      for (const [signer, { signedAt }] of (await api.proposals.get(sent.id)).recipients.entries()) {
        // An acknowledged signature is durable.
        const acknowledged = attempts.some((_attempt, index) => index % actions.length === signer && statuses[index] === 303)
        if (acknowledged) expect(signedAt).not.toBeNull()
      }
      if (round === 3) await expect.poll(async () => (await api.proposals.get(sent.id)).status, { timeout: 60_000 }).not.toBe('pending')
      if (round < 2) for (const action of actions) await action()
      await statusOf(api.proposals.void(sent.id, { reason: 'x' }))
      const ended = await api.proposals.get(sent.id)
      ends.push(ended.status)
      expect(await (await fetch(pageOf(0))).text()).toContain(`<h2>${headings[ended.status]}</h2>`)
      const events = (await api.events.list({ limit: 100 }).page()).data.filter(({ data }) => data.id === sent.id)
      const count = (type: string): number => events.filter((event) => event.type === type).length
      const isEnd = (end: string): number => (end === ended.status ? 1 : 0)
      expect(Object.keys(headings).map((end) => count(`proposal.${end}`))).toEqual(Object.keys(headings).map(isEnd))
      const signatures = ended.recipients.filter(({ signedAt }) => signedAt !== null).length + (ended.counterSignedAt === null ? 0 : 1)
      expect(count('proposal.signed')).toBe(signatures)
      expect(await statusOf(api.proposals.certificate(sent.id))).toBe(ended.status === 'completed' ? 200 : 404)
      const pdf = new Uint8Array(await (await api.proposals.pdf(sent.id)).arrayBuffer())
      if (ended.status !== 'completed') continue
      expect(signatures).toBe(ended.counterSignature ? 4 : 3)
      const checks = await verifyCertificates([{ name: 'proposal.pdf', content: pdf }], { keys: await keys() })
      expect(checks.filter(({ holds }) => holds === false)).toEqual([])
    }
    expect(ends.slice(0, 2)).toEqual(['completed', 'completed'])
  })

  test('of proposals that are revised while others answer and the program is killed: one end, and links to the newest version', async () => {
    const { groundwork, api } = await startOf()
    const contact = await api.contacts.create({ firstName: 'Ada', email: 'ada@example.com' })
    const pageText = async ({ url }: { url: string | null }): Promise<string> =>
      (await fetch(`${groundwork.url}${new URL(url ?? '').pathname}`)).text()
    const isSuperseded: boolean[] = []
    for (const round of [0, 1, 2, 3]) {
      const expiresAt = round === 3 ? new Date(Date.now() + 2_000).toISOString() : null
      const sent = await api.proposals.create({ title: 'Bicycles', contactId: contact.id, totalAmount: '10', currency: 'EUR', expiresAt })
      const draft = await api.proposals.revise(sent.id)
      await api.proposals.update(draft.id, { title: 'Better bicycles', expiresAt: null })
      const replace = (): Promise<number | null> => statusOf(api.proposals.send(draft.id))
      const others = [
        () => accept(groundwork, sent),
        () => decline(groundwork, sent),
        () => statusOf(api.proposals.void(sent.id, { reason: 'x' })),
      ]
      const actions = [replace, () => statusOf(api.proposals.revise(sent.id)), ...(round === 0 ? [] : others.slice(0, round))]
      const attempts = Array.from({ length: 50 }, (_, index) => actions[index % actions.length]?.() ?? Promise.resolve(null))
      await Promise.race(attempts)
      await groundwork.kill()
      const statuses = await Promise.all(attempts)
      expect(statuses.filter((status) => ![null, 200, 303, 409, 429].includes(status))).toEqual([])
      await groundwork.start()
      const isAcknowledged = statuses.some((status, index) => index % actions.length === 0 && status === 200)
      if (isAcknowledged) expect((await api.proposals.get(sent.id)).supersededBy).toBe(draft.id)
      if (round === 3) await expect.poll(async () => (await api.proposals.get(sent.id)).status, { timeout: 60_000 }).not.toBe('pending')
      // A completed or voided proposal cannot be replaced, and the draft stays.
      await replace()

      const former = await api.proposals.get(sent.id)
      const revision = await api.proposals.get(draft.id)
      isSuperseded.push(former.supersededBy !== null)
      expect([former.supersededBy, revision.status]).toEqual(former.supersededBy === null ? [null, 'draft'] : [draft.id, 'pending'])
      const drafts = (await api.proposals.list({ status: 'draft' }).page()).data.filter(({ supersedes }) => supersedes === sent.id)
      expect(drafts.map(({ id }) => id)).toEqual(former.supersededBy === null ? [draft.id] : [])
      const types = (await api.events.list({ limit: 100 }).page()).data.filter(({ data }) => data.id === sent.id).map(({ type }) => type)
      const count = (type: string): number => types.filter((each) => each === `proposal.${type}`).length
      const hasOwnEnd = (end: string): boolean => end === former.status && (end !== 'voided' || former.supersededBy === null)
      expect(Object.keys(headings).map(count)).toEqual(Object.keys(headings).map((end) => (hasOwnEnd(end) ? 1 : 0)))
      expect(count('superseded')).toBe(former.supersededBy === null ? 0 : 1)
      expect(await pageText(sent)).toContain(`<h2>${former.supersededBy === null ? headings[former.status] : 'Replaced'}</h2>`)
      expect(await statusOf(api.proposals.certificate(sent.id))).toBe(former.status === 'completed' ? 200 : 404)
      const pdf = Buffer.from(await (await api.proposals.pdf(sent.id)).arrayBuffer())
      expect(pdf.includes('/ByteRange')).toBe(former.status === 'completed')
      if (former.supersededBy === null) continue
      expect(await pageText(sent)).toContain(new URL(revision.url ?? '').pathname)
      const newest = await api.proposals.send((await api.proposals.revise(revision.id)).id)
      for (const { url } of [sent, revision]) expect(await pageText({ url })).toContain(new URL(newest.url ?? '').pathname)
      expect(await accept(groundwork, revision)).toBe(409)
      expect(await accept(groundwork, newest)).toBe(303)
    }
    // Without other answers, the revision always wins.
    expect(isSuperseded[0]).toBe(true)
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
