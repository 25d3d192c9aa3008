import { Groundwork } from '@groundwork/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { mailsOf } from './list-mails.ts'
import { openMailbox } from './mailbox.ts'
import { createToken, engineName, pause, program } from './program.ts'

const proposals = 200
const callers = 8
/** Shares of the proposals after which the program is killed. */
const kills = [0.2, 0.5, 0.8]

test(`${proposals} proposals that are sent while the program is killed ${kills.length} times have numbers without gaps and one email each (${engineName()})`, async () => {
  const mailbox = await openMailbox(onTestFinished)
  const groundwork = await program(onTestFinished, { SMTP_URL: mailbox.url, LOG_LEVEL: 'fatal' })
  await groundwork.start()
  const { token } = await createToken(groundwork)
  const api = new Groundwork({ baseUrl: groundwork.url, token, maxRetries: 100 })
  const { id: contactId } = await api.contacts.create({ email: 'ada@example.com' })

  const titles = Array.from({ length: proposals }, (_, index) => `Offer-${index + 1}-of-${proposals}`)
  const waiting = [...titles]
  const sent = new Map<string, { id: string; number: string | null }>()
  const send = async (): Promise<void> => {
    for (let title = waiting.shift(); title !== undefined; title = waiting.shift())
      sent.set(title, await api.proposals.create({ title, contactId, totalAmount: '1' }, { idempotencyKey: title }))
  }
  const sending = Promise.all(Array.from({ length: callers }, send))
  for (const share of kills) {
    while (sent.size < share * proposals) await Promise.race([pause(5), sending])
    await groundwork.kill()
    await groundwork.start()
  }
  await sending

  const numbers = new Map<string, string>()
  for await (const { title, number, status } of api.proposals.list({ limit: 100 })) {
    expect([title, numbers.has(title), status]).toEqual([title, false, 'pending'])
    numbers.set(title, number ?? '')
    expect([title, number]).toEqual([title, sent.get(title)?.number])
  }
  const inOrder = Array.from({ length: proposals }, (_, index) => `P-${1001 + index}`)
  expect([...numbers.values()].toSorted()).toEqual(inOrder)

  while ((await mailsOf(api, 'queued')).length > 0) await pause(200)
  const listed = await mailsOf(api)
  expect(new Set(listed.map(({ proposalId }) => proposalId)).size).toBe(proposals)
  expect(listed).toHaveLength(proposals)
  // A message whose delivery a kill interrupted is not sent again, and its state says so.
  const unknown = listed.filter(({ error }) => error?.includes('may have been delivered') === true)
  expect(unknown.length).toBeLessThanOrEqual(kills.length)
  const subjects = (await mailbox.received()).map(({ subject }) => subject)
  for (const title of titles) {
    const isUnknown = unknown.some(({ proposalId }) => proposalId === sent.get(title)?.id)
    const times = subjects.filter((subject) => subject.endsWith(`: ${title}`)).length
    expect([title, times]).toEqual([title, isUnknown ? expect.toBeOneOf([0, 1]) : 1])
  }
  expect(await groundwork.stop()).toBe(0)
}, 900_000)
