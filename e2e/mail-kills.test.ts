import { EventEmitter } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Mail } from '@groundwork/sdk'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { mailsOf } from './list-mails.ts'
import { createToken, engineName, pause, program } from './program.ts'

const proposals = Number(process.env['MAILS'] ?? 100)

test(`${proposals} proposals are mailed once each although the program is killed twice and half are refused (${engineName()})`, async () => {
  const server = await mailServer()
  const groundwork = await program(onTestFinished, { SMTP_URL: server.url, LOG_LEVEL: 'fatal' })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  for (let index = 0; index < proposals; index += 1) {
    const email = `${index % 2 === 0 ? 'taken' : 'refused'}-${index}@example.com`
    const { id: contactId } = await client.call<{ id: string }>('POST', '/v1/contacts', { email })
    await client.call('POST', '/v1/proposals', { title: 'T', contactId, totalAmount: '1' })
  }
  server.open()
  for (const share of [0.1, 0.3]) {
    await until(() => server.received.length >= share * proposals)
    await groundwork.kill()
    await groundwork.start()
  }
  await until(async () => (await mailsOf(client.api, 'queued')).length === 0)

  const mails = await mailsOf(client.api)
  expect(mails).toHaveLength(proposals)
  const unknown = mails.filter(({ error }) => error?.includes('may have been delivered') === true)
  expect(unknown.length).toBeLessThanOrEqual(2)
  const times = (address: string): number => server.received.filter((to) => to === address).length
  for (const mail of mails) {
    if (unknown.includes(mail)) expect([mail.to, times(mail.to)]).toEqual([mail.to, expect.toBeOneOf([0, 1])])
    else if (mail.to.startsWith('taken')) expect([mail.to, mail.state, mail.error, times(mail.to)]).toEqual([mail.to, 'sent', null, 1])
    else expect([mail.to, mail.state, mail.error]).toEqual([mail.to, 'failed', '550 No such user here'])
  }
  const states = await statesOfDeliveries(client)
  const count = (state: Mail['state']): number => mails.filter((mail) => mail.state === state).length
  expect(states).toEqual({ sent: count('sent'), failed: count('failed') })
  console.log(
    `${engineName()}: ${proposals} messages, ${count('sent')} sent, ${count('failed')} failed, ${unknown.length} unknown, 2 kills`,
  )
  expect(await groundwork.stop()).toBe(0)
}, 900_000)

/** Refuses addresses that begin with `refused`, and nothing is answered before `open`. */
async function mailServer(): Promise<{ url: string; received: string[]; open: () => void }> {
  const received: string[] = []
  const gate = new EventEmitter().setMaxListeners(0)
  let isOpen = false
  const open = (): void => {
    isOpen = true
    gate.emit('open')
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => void (isOpen ? done() : gate.once('open', () => done())),
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('refused') ? Object.assign(new Error('No such user here'), { responseCode: 550 }) : null),
    onData(stream, { envelope }, done) {
      stream.resume()
      stream.on('end', () => {
        received.push(...envelope.rcptTo.map(({ address }) => address))
        done()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => new Promise<void>((closed) => server.close(closed)))
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, received, open }
}

async function statesOfDeliveries(client: Client): Promise<Record<string, number>> {
  const states: Record<string, number> = {}
  for await (const { delivery } of client.api.proposals.list({ limit: 100 })) {
    const state = delivery?.state ?? 'none'
    states[state] = (states[state] ?? 0) + 1
  }
  return states
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(200)
}
