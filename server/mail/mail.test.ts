import { readdir, readFile, mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { newId } from '../lib/ids.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp } from '../testing/app.ts'
import { browse, person } from '../testing/people.ts'
import { unitEmbedder } from '../testing/fixtures.ts'
import { createMailer } from './mailer.ts'
import { sendMailWork } from './send.ts'
import { jobName } from '../testing/delayed-jobs.ts'
import { sendResetHandler } from '../identity/reset-mail.ts'

/** Starts a mail server on loopback that records messages and can reject them. */
async function mailServer() {
  const received: { from: string; to: string[]; text: string }[] = []
  const state = { received, refuses: false, url: '' }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => done(state.refuses ? new Error('the box is full') : null),
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(parts).toString() })
        done()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  state.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  afterAll(() => new Promise<void>((closed) => server.close(closed)))
  return state
}

const server = await mailServer()
const { organization, database } = await testApp({ smtpUrl: server.url, embedder: unitEmbedder })
const files = await testApp()

const mailIds = async (organizationId: string): Promise<string[]> =>
  (await database.pool.query('select id from mail where organization_id = $1', [organizationId])).rows.map(({ id }) => id)

describe('with a mail server', () => {
  it('an e-mail is sent once and then deleted', async () => {
    const { call, ctx, organizationId } = await organization()
    await call('POST', '/v1/invitations', { email: 'kim@example.com', role: 'viewer' })
    const [mailId = ''] = await mailIds(organizationId)
    expect((await call('GET', '/v1/mails')).body.data).toEqual([])
    expect((await call('GET', `/v1/mails/${mailId}`)).status).toBe(404)
    for (let times = 0; times < 2; times += 1) await sendMailWork.run(ctx, { mailId })
    const own = server.received.filter(({ text }) => text.includes(mailId))
    expect(own).toMatchObject([{ from: 'groundwork@example.com', to: ['kim@example.com'] }])
    expect(own[0]?.text).toContain('/app/invitation#')
    expect(await mailIds(organizationId)).toEqual([])
  })

  it('a rejected e-mail is reported, and abandoned without its secrets', async () => {
    const { call, ctx, organizationId } = await organization()
    await call('POST', '/v1/invitations', { email: 'kim@example.com', role: 'viewer' })
    const [mailId = ''] = await mailIds(organizationId)
    server.refuses = true
    await expect(sendMailWork.run(ctx, { mailId })).rejects.toThrow('the box is full')
    server.refuses = false
    expect((await call('GET', '/v1/system')).body.mail).toEqual({ kind: 'smtp', lastError: expect.stringContaining('the box is full') })
    await sendMailWork.abandoned?.(ctx, { mailId })
    const { rows } = await database.pool.query('select text from mail where id = $1', [mailId])
    expect(rows).toEqual([{ text: '' }])
  })
})

describe('a password reset e-mail', () => {
  it('is retried, reported by GET /v1/system without the address, and sent once', async () => {
    const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
    const working = await testApp({ smtpUrl: server.url, embedder: unitEmbedder, worker: { outbound } })
    const { call } = await working.organization()
    const lastError = async (): Promise<string | null> => (await call('GET', '/v1/system')).body.mail.lastError
    const { email } = await person(working)
    server.refuses = true
    await browse(working.app, { method: 'POST', path: '/auth/request-password-reset', body: { email } })
    await vi.waitFor(async () => expect(await lastError()).toContain('password reset'), { timeout: 120_000 })
    expect(await lastError()).not.toContain(email)
    const { rows } = await working.database.pool.query(`select data - 'handler' as data from pgboss.job where ${jobName} = $1`, [
      sendResetHandler,
    ])
    expect(rows).toEqual([{ data: { resetId: expect.any(String) } }])
    server.refuses = false
    const own = (): string[] => server.received.filter(({ to }) => to.includes(email)).map(({ text }) => text)
    await vi.waitFor(() => expect(own()).toEqual([expect.stringContaining('/app/reset-password#')]), { timeout: 120_000 })
    await vi.waitFor(async () => expect(await lastError()).toBeNull(), { timeout: 120_000 })
  })
})

describe('without a mail server', () => {
  it('an e-mail is readable with the permission to invite', async () => {
    const { call } = await files.organization()
    await call('POST', '/v1/invitations', { email: 'kim@example.com', role: 'viewer' })
    const { data } = (await call('GET', '/v1/mails')).body
    expect(data).toMatchObject([{ to: 'kim@example.com', subject: expect.stringContaining('Invitation to Test') }])
    expect((await call('GET', `/v1/mails/${data[0].id}`)).body).toEqual(data[0])
  })

  it('an invitation is readable only with the permission to grant its role', async () => {
    const { organizationId } = await files.organization()
    const [owner, admin] = [await person(files, { [organizationId]: 'owner' }), await person(files, { [organizationId]: 'admin' })]
    await owner.of(organizationId)('POST', '/v1/invitations', { email: 'kim@example.com', role: 'owner' })
    await owner.of(organizationId)('POST', '/v1/invitations', { email: 'sam@example.com', role: 'member' })
    const readers = await Promise.all([owner, admin].map((reader) => reader.of(organizationId)('GET', '/v1/mails')))
    const [all, some] = readers.map(({ body }) => body.data.map(({ to }: { to: string }) => to))
    expect([all, some]).toEqual([['sam@example.com', 'kim@example.com'], ['sam@example.com']])
    const { id } = readers[0]?.body.data[1] ?? { id: '' }
    expect((await admin.of(organizationId)('GET', `/v1/mails/${id}`)).status).toBe(404)
  })

  it('an e-mail becomes a valid .eml file without header injection', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'groundwork-mail-'))
    const mailer = createMailer({ smtpUrl: undefined, folder, from: 'Groundwork <groundwork@example.com>' })
    const id = newId()
    await mailer.send({ id, to: 'kim@example.com', subject: 'Ärger\r\nBcc: other@example.com', text: 'Guten Tag\n' })
    const [file = ''] = await readdir(folder)
    expect(file).toBe(`${id}.eml`)
    const text = await readFile(join(folder, file), 'utf8')
    expect(text).toMatch(/^From: Groundwork <groundwork@example.com>\r\nTo: kim@example.com\r\n/m)
    expect(text).not.toMatch(/^Bcc:/m)
    await rm(folder, { recursive: true })
  })
})
