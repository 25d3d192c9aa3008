import { readdir, readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { newId } from '../lib/ids.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { testApp } from '../testing/app.ts'
import { mailServer } from '../testing/mail-server.ts'
import { browse, person } from '../testing/people.ts'
import { unitEmbedder } from '../testing/fixtures.ts'
import { MailError } from './mail-error.ts'
import { createMailer } from './mailer.ts'
import { sendMailWork } from './send.ts'
import { jobName } from '../testing/delayed-jobs.ts'
import { sendResetHandler } from '../identity/reset-mail.ts'

const server = await mailServer()
const { organization, database } = await testApp({ smtpUrl: server.url, embedder: unitEmbedder })
const files = await testApp()

const mailIds = async (organizationId: string): Promise<string[]> =>
  (await database.pool.query('select id from mail where organization_id = $1', [organizationId])).rows.map(({ id }) => id)

/** Invites someone and returns the id of the message. */
async function invited() {
  const caller = await organization()
  await caller.call('POST', '/v1/invitations', { email: 'kim@example.com', role: 'viewer' })
  const [mailId = ''] = await mailIds(caller.organizationId)
  const stored = async () => (await database.pool.query('select state, text, handed_over_at from mail where id = $1', [mailId])).rows[0]
  const own = () => server.received.filter(({ text }) => text.includes(mailId))
  return { ...caller, mailId, stored, own, get: async () => (await caller.call('GET', `/v1/mails/${mailId}`)).body }
}

describe('with a mail server', () => {
  it('an email is sent once, and stays listed without its content', async () => {
    const { call, ctx, mailId, get, stored, own } = await invited()
    const queued = {
      to: 'kim@example.com',
      kind: 'invitation',
      state: 'queued',
      text: '',
      attempts: 0,
      error: null,
      sentAt: null,
      proposalId: null,
    }
    expect(await get()).toMatchObject(queued)
    for (let times = 0; times < 2; times += 1) await sendMailWork.run(ctx, { mailId })
    expect(own()).toMatchObject([{ from: 'groundwork@example.com', to: ['kim@example.com'] }])
    expect(own()[0]?.text).toContain('/app/invitation#')
    expect(await get()).toMatchObject({ state: 'sent', text: '', attempts: 1, sentAt: expect.any(String) })
    expect((await call('GET', '/v1/mails?state=sent')).body.data).toEqual([await get()])
    expect((await call('GET', '/v1/mails?state=queued')).body.data).toEqual([])
    expect(await stored()).toMatchObject({ text: '' })
  })

  it('a rejected email is reported, and abandoned without its secrets', async () => {
    const { call, ctx, mailId, get, stored } = await invited()
    server.answer = () => ({ code: 550, text: 'the box is full' })
    await expect(sendMailWork.run(ctx, { mailId })).rejects.toThrow('the box is full')
    server.answer = () => null
    expect((await call('GET', '/v1/system')).body.mail).toEqual({ kind: 'smtp', lastError: expect.stringContaining('the box is full') })
    expect(await get()).toMatchObject({ state: 'failed', error: '550 the box is full' })
    expect(await stored()).toMatchObject({ text: '' })
    await sendMailWork.run(ctx, { mailId })
    expect(await get()).toMatchObject({ state: 'failed', attempts: 1 })
  })

  it('a temporary refusal at any step is retried for a day', async () => {
    const { ctx, mailId, get, stored, own } = await invited()
    for (const step of ['recipient', 'end'] as const) {
      server.answer = (at) => (at === step ? { code: 451, text: `later: ${step}` } : null)
      await expect(sendMailWork.run(ctx, { mailId })).rejects.toThrow('later')
      await sendMailWork.abandoned?.(ctx, { mailId })
      expect(await get()).toMatchObject({ state: 'queued', error: `451 later: ${step}` })
      expect(await stored()).toMatchObject({ handed_over_at: null, text: expect.stringContaining('/app/invitation#') })
    }
    await sendMailWork.abandoned?.({ ...ctx, now: () => new Date(Date.now() + 25 * 3_600_000) }, { mailId })
    server.answer = () => null
    await sendMailWork.run(ctx, { mailId })
    expect(await get()).toMatchObject({ state: 'failed', error: '451 later: end' })
    expect([await stored(), own()]).toMatchObject([{ text: '' }, []])
  })

  it('an email is not sent again if the connection ends after its end, and is named as unknown', async () => {
    const { ctx, mailId, get, own } = await invited()
    server.answer = (at) => (at === 'end' ? 'disconnect' : null)
    await expect(sendMailWork.run(ctx, { mailId })).rejects.toThrow(MailError)
    server.answer = () => null
    await sendMailWork.run(ctx, { mailId })
    expect(await get()).toMatchObject({ state: 'failed', error: expect.stringContaining('may have been delivered') })
    expect(own()).toHaveLength(1)
  })

  it('the mail server gets the end of an email only after its hand-over is committed', async () => {
    const { ctx, mailId, stored, own } = await invited()
    await database.pool.query(
      'create function refuse_hand_over() returns trigger language plpgsql as $$ begin raise exception $1; end $$'.replace(
        '$1',
        `'no space'`,
      ),
    )
    await database.pool.query(`create trigger refuse_hand_over before update of handed_over_at on mail for each row
      when (new.id = '${mailId}' and new.handed_over_at is not null) execute function refuse_hand_over()`)
    await expect(sendMailWork.run(ctx, { mailId })).rejects.toThrow('no space')
    expect([await stored(), own()]).toMatchObject([{ state: 'queued' }, []])
    await database.pool.query('drop trigger refuse_hand_over on mail')
    await sendMailWork.run(ctx, { mailId })
    expect([await stored(), own().length]).toMatchObject([{ state: 'sent' }, 1])
  })

  it.each([
    ['deleted', 'delete from mail where id = $1'],
    ['withheld', `update mail set state = 'failed', withheld = 'do_not_contact', error = 'do_not_contact', text = '' where id = $1`],
  ])('an email that is %s during its attempt is not sent, and the job has not failed', async (_how, withdraw) => {
    const { ctx, mailId, own } = await invited()
    const send: typeof ctx.mailer.send = async (message, beforeEnd) => {
      await database.pool.query(withdraw, [mailId])
      await ctx.mailer.send(message, beforeEnd)
    }
    await sendMailWork.run({ ...ctx, mailer: { ...ctx.mailer, send } }, { mailId })
    expect(own()).toEqual([])
  })

  it('two workers with the same email send it once', async () => {
    const { ctx, mailId, stored, own } = await invited()
    await Promise.allSettled([sendMailWork.run(ctx, { mailId }), sendMailWork.run(ctx, { mailId })])
    expect([await stored(), own().length]).toMatchObject([{ state: 'sent' }, 1])
  })
})

describe('a password reset email', () => {
  it('is retried, reported by GET /v1/system without the address, and sent once', async () => {
    const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
    const working = await testApp({ smtpUrl: server.url, embedder: unitEmbedder, worker: { outbound } })
    const { call } = await working.organization()
    const lastError = async (): Promise<string | null> => (await call('GET', '/v1/system')).body.mail.lastError
    const { email } = await person(working)
    server.answer = () => ({ code: 451, text: 'the box is full' })
    await browse(working.app, { method: 'POST', path: '/auth/request-password-reset', body: { email } })
    await vi.waitFor(async () => expect(await lastError()).toContain('password reset'), { timeout: 120_000 })
    expect(await lastError()).not.toContain(email)
    const { rows } = await working.database.pool.query(`select data - 'handler' as data from pgboss.job where ${jobName} = $1`, [
      sendResetHandler,
    ])
    expect(rows).toEqual([{ data: { resetId: expect.any(String) } }])
    server.answer = () => null
    const own = (): string[] => server.received.filter(({ to }) => to.includes(email)).map(({ text }) => text)
    await vi.waitFor(() => expect(own()).toEqual([expect.stringContaining('/app/reset-password#')]), { timeout: 120_000 })
    await vi.waitFor(async () => expect(await lastError()).toBeNull(), { timeout: 120_000 })
  })
})

describe('without a mail server', () => {
  it('an email is readable with the permission to invite', async () => {
    const { call } = await files.organization()
    await call('POST', '/v1/invitations', { email: 'kim@example.com', role: 'viewer' })
    const { data } = (await call('GET', '/v1/mails')).body
    expect(data).toMatchObject([{ to: 'kim@example.com', subject: expect.stringContaining('Invitation to join Test') }])
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

  it('an email becomes a valid .eml file without header injection', async () => {
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
