import { describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../../testing/app.ts'
import { pdfText } from '../../testing/pdf-text.ts'
import { person } from '../../testing/people.ts'
import { pageClient, proposeTo, sendProposalTo, type Sent } from '../../testing/proposal-page.ts'
import { voidOfDeletedContactWork } from '../of-deleted-contact.ts'

const service = await testApp()
const { app, organization, platform, database } = service
const page = pageClient(app)
const charles = { role: 'signer', name: 'Charles Babbage', email: 'Charles@Example.com' }
const mary = { role: 'copy', name: 'Mary Somerville', email: 'mary@example.com', language: 'de' }

interface Recipient {
  id: string
  role: string
  name: string
  status: string
  url: string
  delivery: object | null
  signedAt: string | null
}
interface Signed extends Sent {
  status: string
  title: string
  totalAmount: string
  recipients: Recipient[]
  counterSignedBy: string | null
  updatedAt: string
}

const send = (caller: Caller, fields: object): Promise<Signed> => sendProposalTo(caller, fields) as Promise<Signed>
const recordOf = async ({ call }: Caller, { id }: Sent): Promise<Signed> => (await call('GET', `/v1/proposals/${id}`)).body
/** Returns the link of the recipient at this position, with the present content. */
const asRecipient = (proposal: Signed, position: number): Sent => ({ ...proposal, url: proposal.recipients[position]?.url ?? '' })
const statusesOf = ({ recipients }: Signed): string[] => recipients.map(({ status }) => status)
const eventsOf = async ({ call }: Caller, { id }: Sent): Promise<string[]> =>
  (await call('GET', '/v1/events?limit=100')).body.data
    .filter(({ type, data }: { type: string; data: { id: string } }) => type.startsWith('proposal.') && data.id === id)
    .map(({ type, data }: { type: string; data: { status: string } }) => `${type} ${data.status}`)
    .toReversed()
const mailsTo = async ({ call }: Caller, { id }: Sent): Promise<string[]> =>
  (await call('GET', `/v1/mails?proposalId=${id}&limit=100`)).body.data
    .map(({ kind, to }: { kind: string; to: string }) => `${kind} ${to}`)
    .toSorted()
const certificateOf = async ({ call }: Caller, { id }: Sent) => {
  const { status, body } = await call('GET', `/v1/proposals/${id}/certificate`)
  return status === 200 ? (typeof body === 'string' ? JSON.parse(body) : body).certificate : undefined
}

describe('further recipients', () => {
  it('change the proposal when each of them opens it first', async () => {
    const caller = await organization()
    const sent = await send(caller, { recipients: [charles] })
    const longAgo = '2026-01-01T00:00:00.000Z'
    /** Returns whether the opening changes `updatedAt`. */
    const changesAt = async (position: number): Promise<boolean> => {
      await database.pool.query('update proposal set updated_at = $1 where id = $2', [longAgo, sent.id.slice(4)])
      await page.post(asRecipient(sent, position).url, 'view')
      return (await recordOf(caller, sent)).updatedAt !== longAgo
    }
    expect([await changesAt(0), await changesAt(1), await changesAt(1)]).toEqual([true, true, false])
    expect((await eventsOf(caller, sent)).filter((event) => event.startsWith('proposal.viewed'))).toHaveLength(1)
  })

  it('follow the contact in their order, and can be replaced and removed in a draft', async () => {
    const caller = await organization()
    const { call } = caller
    const grace = (await call('POST', '/v1/contacts', { firstName: 'Grace', lastName: 'Hopper', phone: '+442079460018' })).body.id
    const draft = await send(caller, { draft: true, recipients: [charles, { role: 'signer', contactId: grace }, mary] })
    expect(draft.recipients).toEqual([
      expect.objectContaining({ role: 'signer', name: 'Ada Lovelace' }),
      expect.objectContaining({
        role: 'signer',
        name: 'Charles Babbage',
        email: 'charles@example.com',
        contactId: null,
        status: 'waiting',
      }),
      expect.objectContaining({ role: 'signer', name: 'Grace Hopper', email: null, contactId: grace }),
      expect.objectContaining({ role: 'copy', name: 'Mary Somerville', email: 'mary@example.com' }),
    ])
    expect(draft).toMatchObject({ signingOrder: 'parallel', counterSignature: false, counterSignedBy: null, counterSignedAt: null })
    const path = `/v1/proposals/${draft.id}`
    const changed = await call('PATCH', path, { recipients: [mary], signingOrder: 'sequential', counterSignature: true })
    expect(changed.body).toMatchObject({ signingOrder: 'sequential', counterSignature: true })
    expect(changed.body.recipients).toHaveLength(2)
    expect((await call('PATCH', path, { title: 'U' })).body.recipients).toEqual(changed.body.recipients)
    expect((await call('PATCH', path, { recipients: null })).body.recipients).toEqual([draft.recipients[0]])
  })

  it('do not change the hash of the content', async () => {
    const caller = await organization()
    const alone = await send(caller, { draft: true })
    const together = await send(caller, { draft: true, recipients: [charles, mary], signingOrder: 'sequential', counterSignature: true })
    expect(together.contentHash).toBe(alone.contentHash)
  })

  it('are refused if they are incomplete, unknown or already there', async () => {
    const { call } = await organization()
    const ada = (await call('POST', '/v1/contacts', { email: 'ada@example.com' })).body.id
    const grace = (await call('POST', '/v1/contacts', { email: 'grace@example.com' })).body.id
    const unknown = 'ctc_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'
    const refused: [recipient: object, field: string][] = [
      [{ role: 'signer' }, 'recipients.0.contactId'],
      [{ role: 'signer', name: 'Charles' }, 'recipients.0.contactId'],
      [{ role: 'signer', email: 'charles@example.com' }, 'recipients.0.email'],
      [{ role: 'signer', contactId: grace, email: 'charles@example.com', name: 'Charles' }, 'recipients.0.email'],
      [{ role: 'owner', contactId: grace }, 'recipients.0.role'],
      [{ role: 'copy', contactId: unknown }, 'recipients.0.contactId'],
      [{ role: 'copy', contactId: ada }, 'recipients.0.contactId'],
    ]
    for (const [recipient, field] of refused) {
      for (const path of ['/v1/proposals', '/v1/proposals/preview']) {
        const { status, body } = await call('POST', path, { title: 'T', contactId: ada, totalAmount: '1', recipients: [recipient] })
        expect([recipient, status, body.error?.field]).toEqual([recipient, 422, field])
      }
    }
    const draft = { title: 'T', contactId: ada, totalAmount: '1', recipients: [{ role: 'copy', contactId: grace }], draft: true }
    const { id } = (await call('POST', '/v1/proposals', draft)).body
    const moved = await call('PATCH', `/v1/proposals/${id}`, { contactId: grace })
    expect([moved.status, moved.body.error?.field]).toEqual([422, 'contactId'])
    const swapped = await call('PATCH', `/v1/proposals/${id}`, { contactId: grace, recipients: [{ role: 'signer', contactId: ada }] })
    expect(swapped.body.recipients.map(({ contactId }: { contactId: string }) => contactId)).toEqual([grace, ada])
  })

  it('have the data of their contacts at the time of sending', async () => {
    const caller = await organization()
    const { call } = caller
    const grace = (await call('POST', '/v1/contacts', { email: 'grace@example.com' })).body.id
    const draft = await send(caller, { draft: true, recipients: [{ role: 'signer', contactId: grace }] })
    await call('PATCH', `/v1/contacts/${grace}`, { email: 'hopper@example.com', firstName: 'Grace' })
    const { body: sent } = await call('POST', `/v1/proposals/${draft.id}/send`)
    expect(sent.recipients[1]).toMatchObject({ name: 'Grace', email: 'hopper@example.com', status: 'pending' })
    const other = await send(caller, { draft: true, recipients: [{ role: 'signer', contactId: grace }] })
    await call('DELETE', `/v1/contacts/${grace}`)
    const refused = await call('POST', `/v1/proposals/${other.id}/send`)
    expect([refused.status, refused.body.error.field]).toEqual([409, 'recipients'])
  })

  it('without an address are a warning of the preview, and requireDelivery refuses them', async () => {
    const { call } = await organization()
    const ada = (await call('POST', '/v1/contacts', { email: 'ada@example.com' })).body.id
    const grace = (await call('POST', '/v1/contacts', { phone: '+442079460018' })).body.id
    const offer = { title: 'T', contactId: ada, totalAmount: '1', recipients: [charles, { role: 'signer', contactId: grace }] }
    const { body } = await call('POST', '/v1/proposals/preview', offer)
    expect(body.warnings).toEqual([expect.objectContaining({ code: 'no_email', field: 'recipients.1.contactId' })])
    const refused = await call('POST', '/v1/proposals', { ...offer, requireDelivery: true })
    expect([refused.status, refused.body.error]).toEqual([
      422,
      expect.objectContaining({ field: 'requireDelivery', message: expect.stringContaining('A recipient has no email address') }),
    ])
  })
})

describe('several signers', () => {
  it('in parallel: each signature is an event, and the last one completes the proposal', async () => {
    const caller = await organization()
    const sent = await send(caller, { recipients: [charles, mary] })
    expect(statusesOf(sent)).toEqual(['pending', 'pending', 'pending'])
    expect((await page.accept(asRecipient(sent, 1), { name: 'Charles Babbage' })).status).toBe(303)
    const half = await recordOf(caller, sent)
    expect([half.status, statusesOf(half)]).toEqual(['pending', ['pending', 'signed', 'pending']])
    expect(await certificateOf(caller, sent)).toBeUndefined()
    await page.accept(asRecipient(half, 0), { name: 'Ada Lovelace' })
    const done = await recordOf(caller, sent)
    expect([done.status, statusesOf(done), done.contentHash]).toEqual(['completed', ['signed', 'signed', 'pending'], sent.contentHash])
    expect(await eventsOf(caller, sent)).toEqual([
      'proposal.created pending',
      'proposal.sent pending',
      'proposal.viewed pending',
      'proposal.signed pending',
      'proposal.signed completed',
      'proposal.completed completed',
    ])
    const { signers, contentHash } = await certificateOf(caller, sent)
    expect(signers.map(({ name, email }: { name: string; email: string }) => [name, email])).toEqual([
      ['Ada Lovelace', 'ada@example.com'],
      ['Charles Babbage', 'charles@example.com'],
    ])
    expect(contentHash).toBe(sent.contentHash)
    const all = ['ada', 'charles', 'mary'].map((name) => `${name}@example.com`)
    // Messages that were still queued are withdrawn when the proposal is closed.
    expect((await mailsTo(caller, sent)).filter((mail) => mail.startsWith('accepted'))).toEqual(all.map((address) => `accepted ${address}`))
  })

  it('in sequence: each waits for the one before, without an email', async () => {
    const caller = await organization()
    const sent = await send(caller, { recipients: [charles, mary], signingOrder: 'sequential' })
    expect(statusesOf(sent)).toEqual(['pending', 'waiting', 'pending'])
    expect(sent.recipients[1]?.delivery).toBeNull()
    expect(await mailsTo(caller, sent)).toEqual(['sent ada@example.com', 'sent mary@example.com'])
    const early = await page.accept(asRecipient(sent, 1))
    expect([early.status, early.html]).toEqual([409, expect.stringContaining('Waiting for Ada Lovelace</p>')])
    expect((await page.decline(asRecipient(sent, 1))).status).toBe(409)
    expect((await page.get(asRecipient(sent, 1).url)).html).not.toContain('action="/p/.*/accept')
    expect((await page.accept(asRecipient(sent, 0))).status).toBe(303)
    const half = await recordOf(caller, sent)
    expect(statusesOf(half)).toEqual(['signed', 'pending', 'pending'])
    expect(half.recipients[1]?.delivery).toMatchObject({ state: 'queued' })
    expect(await mailsTo(caller, sent)).toEqual(['sent ada@example.com', 'sent charles@example.com', 'sent mary@example.com'])
    expect((await page.accept(asRecipient(sent, 1))).status).toBe(303)
    expect((await recordOf(caller, sent)).status).toBe('completed')
  })

  it('sign once, and cannot decline afterwards', async () => {
    const caller = await organization()
    const sent = await send(caller, { recipients: [charles] })
    await page.accept(sent)
    const events = await eventsOf(caller, sent)
    const again = await page.accept(sent)
    expect([again.status, again.html]).toEqual([409, expect.stringContaining('You signed this proposal on')])
    expect((await page.decline(sent)).status).toBe(409)
    expect(await eventsOf(caller, sent)).toEqual(events)
    const { html } = await page.get(sent.url)
    expect(html).toContain('Waiting for Charles Babbage')
    expect(html).not.toContain('/accept"')
  })

  it('one who declines ends the proposal for all', async () => {
    const caller = await organization()
    const sent = await send(caller, { recipients: [charles] })
    await page.accept(sent)
    await page.decline(asRecipient(sent, 1), { reason: 'Too late' })
    expect(await recordOf(caller, sent)).toMatchObject({ status: 'rejected', rejectReason: 'Too late' })
    expect(await certificateOf(caller, sent)).toBeUndefined()
    expect((await page.get(sent.url)).html).toContain('<h2>Declined</h2>')
  })

  it('agree to the options that the first one chose', async () => {
    const caller = await organization()
    const items = [
      { description: 'Bicycle', unitPrice: '100' },
      { description: 'Seat', unitPrice: '20', optional: true },
    ]
    const sent = await send(caller, { recipients: [charles], items, totalAmount: undefined })
    const chosen = { choices: 'yes', line: '1' }
    expect((await page.accept(sent, { ...chosen, total: '120.00' })).status).toBe(303)
    const half = await recordOf(caller, sent)
    expect(half).toMatchObject({ status: 'pending', totalAmount: '120.00' })
    expect(half.contentHash).not.toBe(sent.contentHash)
    const outdated = await page.accept({ ...asRecipient(half, 1), contentHash: sent.contentHash })
    expect([outdated.status, outdated.html]).toEqual([409, expect.stringContaining('This proposal has changed.')])
    // Another choice for the content that is fixed.
    const other = await page.accept(asRecipient(half, 1), { choices: 'yes', total: '100.00' })
    expect([other.status, other.html]).toEqual([409, expect.stringContaining('This proposal has changed.')])
    const { html } = await page.get(asRecipient(half, 1).url)
    expect(html).toContain('Optional: chosen')
    expect(html).not.toMatch(/name="line"|name="choices"/)
    expect((await page.accept(asRecipient(half, 1))).status).toBe(303)
    const { contentHash, content } = await certificateOf(caller, sent)
    expect([contentHash, content.totalAmount]).toEqual([half.contentHash, '120.00'])
  })

  it('all at once, three times each: every signature once, one completion and one certificate', async () => {
    const caller = await organization()
    const recipients = Array.from({ length: 16 }, (_, index) => ({
      role: 'signer',
      name: `Signer ${index}`,
      email: `s${index}@example.com`,
    }))
    const sent = await send(caller, { recipients })
    const attempts = [0, 1, 2].flatMap(() => sent.recipients.map((_recipient, position) => position))
    const statuses = await Promise.all(attempts.map(async (position) => (await page.accept(asRecipient(sent, position))).status))
    expect(statuses.filter((status) => status === 303)).toHaveLength(17)
    expect(new Set(statuses)).toEqual(new Set([303, 409]))
    const done = await recordOf(caller, sent)
    expect([done.status, new Set(statusesOf(done))]).toEqual(['completed', new Set(['signed'])])
    const events = await eventsOf(caller, sent)
    expect(events.filter((event) => event.startsWith('proposal.signed'))).toHaveLength(17)
    expect(events.filter((event) => event.startsWith('proposal.completed'))).toHaveLength(1)
    expect((await certificateOf(caller, sent)).signers.map(({ name }: { name: string }) => name)).toHaveLength(17)
    const { rows } = await database.pool.query('select count(*)::int as count from certificate where organization_id = $1', [
      caller.organizationId,
    ])
    expect(rows).toEqual([{ count: 1 }])
  })
})

it('a draft is not sent twice to one person, after two of its contacts were merged', async () => {
  const caller = await organization()
  const contact = async (email: string) => (await caller.call('POST', '/v1/contacts', { email })).body.id
  const [ada, other] = [await contact('ada@example.com'), await contact('lovelace@example.com')]
  const { id } = await proposeTo(caller, { contactId: ada, recipients: [{ role: 'signer', contactId: other }], draft: true })
  expect((await caller.call('POST', `/v1/contacts/${ada}/merge`, { otherIds: [other] })).status).toBe(200)
  const { status, body } = await caller.call('POST', `/v1/proposals/${id}/send`)
  expect([status, body.error?.field]).toEqual([409, 'recipients'])
  await caller.call('PATCH', `/v1/proposals/${id}`, { recipients: null })
  expect((await caller.call('POST', `/v1/proposals/${id}/send`)).status).toBe(200)
})

it('each recipient has the language given for it, or else that of its contact', async () => {
  const caller = await organization()
  const contact = async (fields: object) => (await caller.call('POST', '/v1/contacts', fields)).body.id
  const [french, german] = [
    await contact({ email: 'f@example.com', language: 'fr' }),
    await contact({ email: 'g@example.com', language: 'de' }),
  ]
  const recipients = [
    { role: 'signer', contactId: german },
    { role: 'copy', contactId: await contact({ email: 'h@example.com', language: 'de' }), language: 'es' },
  ]
  const proposal = await proposeTo(caller, { contactId: french, recipients, draft: true })
  const { body } = await caller.call('POST', `/v1/proposals/${proposal.id}/send`)
  expect([proposal, body].map((record) => record.recipients.map(({ language }: { language: string }) => language))).toEqual([
    ['fr', 'de', 'es'],
    ['fr', 'de', 'es'],
  ])
  expect((await page.get(body.url)).html).toContain('<html lang="fr"')
})

it('the seller stays as the first signer saw it', async () => {
  const caller = await organization()
  const profile = (legalName: string, language: string) => ({
    legalName,
    language,
    timeZone: 'Europe/Berlin',
    address: 'Quay 1',
    taxId: null,
  })
  await caller.call('PATCH', '/v1/organization', profile('Harbour Cycles Ltd', 'en'))
  const sent = await sendProposalTo(caller, { recipients: [charles] })
  const pdf = async () => (await caller.call('GET', `/v1/proposals/${sent.id}/pdf`)).headers['etag']
  const [before] = [await pdf(), await page.accept(sent)]
  const signed = await pdf()
  await caller.call('PATCH', '/v1/organization', {
    ...profile('Moss Bicycles GmbH', 'de'),
    timeZone: 'Asia/Tokyo',
    taxId: 'DE1',
    address: null,
  })
  expect(await pdf()).toBe(signed)
  expect(signed).not.toBe(before)
  const { html } = await page.get(sent.url)
  expect([html.includes('Harbour Cycles Ltd'), html.includes('Quay 1'), html.includes('Moss'), html.includes('DE1')]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

describe('a copy', () => {
  it('has a page without forms in its language, and counts as a view', async () => {
    const caller = await organization()
    const sent = await send(caller, { recipients: [mary] })
    const copy = asRecipient(sent, 1)
    const { status, html } = await page.get(copy.url)
    expect([status, html]).toEqual([200, expect.stringContaining('Sie haben eine Kopie dieses Angebots erhalten.')])
    expect(html).not.toMatch(/\/accept"|\/decline"/)
    for (const action of ['accept', 'decline'])
      expect((await page.post(copy.url, action, { contentHash: sent.contentHash })).status).not.toBe(303)
    expect((await recordOf(caller, sent)).status).toBe('pending')
    await page.post(copy.url, 'view')
    expect(statusesOf(await recordOf(caller, sent))).toEqual(['pending', 'viewed'])
    await page.accept(sent)
    expect(await eventsOf(caller, sent)).toEqual([
      'proposal.created pending',
      'proposal.sent pending',
      'proposal.viewed pending',
      'proposal.completed completed',
    ])
  })
})

describe('the counter-signature', () => {
  const countersign = ({ call }: Caller, { id }: Sent, name = 'Grace Hopper') => call('POST', `/v1/proposals/${id}/countersign`, { name })

  it('is asked of the owners by email and in the overview, once all signers have signed', async () => {
    const caller = await organization()
    const owner = await person(service, { [caller.organizationId]: 'owner' })
    const sent = await send(caller, { recipients: [charles], counterSignature: true })
    const due = async (): Promise<string[]> =>
      (await caller.call('GET', '/v1/overview')).body.attention.countersign.data.map(({ id }: { id: string }) => id)
    const asked = async () =>
      (await caller.call('GET', `/v1/mails?proposalId=${sent.id}`)).body.data.filter(({ kind }: { kind: string }) => kind === 'countersign')
    await page.accept(sent)
    expect([await due(), await asked()]).toEqual([[], []])
    await page.accept(asRecipient(sent, 1))
    expect(await due()).toEqual([sent.id])
    expect(await asked()).toEqual([expect.objectContaining({ to: owner.email, subject: 'Ready for your signature: Website' })])
    expect((await asked())[0].text).toContain(`/proposals/${sent.id}`)
    await countersign(caller, sent)
    expect([await due(), (await asked()).length]).toEqual([[], 1])
  })

  it('completes the proposal after all signers, and is part of the certificate', async () => {
    const caller = await organization()
    const sent = await send(caller, { recipients: [charles], counterSignature: true })
    const early = await countersign(caller, sent)
    expect([early.status, early.body.error.message]).toEqual([409, expect.stringContaining('Ada Lovelace, Charles Babbage')])
    await page.accept(sent)
    await page.accept(asRecipient(sent, 1))
    expect(await recordOf(caller, sent)).toMatchObject({ status: 'pending', counterSignedAt: null })
    expect((await page.get(sent.url)).html).toMatch(/Waiting for \S/)
    const { status, body } = await countersign(caller, sent)
    expect([status, body]).toEqual([200, expect.objectContaining({ status: 'completed', counterSignedBy: 'Grace Hopper' })])
    expect(body.counterSignedAt).toBe(body.completedAt)
    expect((await eventsOf(caller, sent)).slice(-4)).toEqual([
      'proposal.signed pending',
      'proposal.signed pending',
      'proposal.signed completed',
      'proposal.completed completed',
    ])
    const { signers } = await certificateOf(caller, sent)
    expect(signers.at(-1)).toEqual({
      name: 'Grace Hopper',
      email: null,
      method: 'typed',
      wording: 'I sign this proposal for the organization, for a total of 1200.00 EUR.',
      signedAt: body.completedAt,
      address: '127.0.0.1',
      userAgent: null,
    })
    expect((await page.get(sent.url)).html).toContain('Signed by Grace Hopper, ')
    expect((await countersign(caller, sent)).status).toBe(409)
  })

  it.each([
    ['en', 'I sign this proposal for the organization, for a total of 1200.00 EUR.'],
    ['de', 'Ich unterzeichne dieses Angebot für die Organisation über insgesamt 1200.00 EUR.'],
    ['fr', 'Je signe ce devis au nom de l’organisation, pour un montant total de 1200.00 EUR.'],
    ['es', 'Firmo este presupuesto en nombre de la organización, por un importe total de 1200.00 EUR.'],
  ])('agrees in the language of the organization, %s, and keeps the sentence', async (language, sentence) => {
    const caller = await organization()
    expect((await caller.call('PATCH', '/v1/organization', { language })).status).toBe(200)
    const sent = await send(caller, { counterSignature: true })
    await page.accept(sent)
    expect((await countersign(caller, sent)).status).toBe(200)
    expect((await certificateOf(caller, sent)).signers.at(-1).wording).toBe(sentence)
    await caller.call('PATCH', '/v1/organization', { language: 'en' })
    const { rawPayload } = await app.inject({
      url: `/v1/proposals/${sent.id}/pdf`,
      headers: { authorization: `Bearer ${caller.token}` },
    })
    expect((await pdfText(rawPayload)).join(' ').replace(/\s+/g, ' ')).toContain(sentence)
  })

  it('of a single signer waits for the organization too', async () => {
    const caller = await organization()
    const sent = await send(caller, { counterSignature: true })
    await page.accept(sent)
    expect((await recordOf(caller, sent)).status).toBe('pending')
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => countersign(caller, sent)))
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await eventsOf(caller, sent)).filter((event) => event.startsWith('proposal.completed'))).toHaveLength(1)
  })

  it('is refused for a proposal without it', async () => {
    const caller = await organization()
    const { status, body } = await countersign(caller, await send(caller, {}))
    expect([status, body.error.field]).toEqual([409, 'counterSignature'])
  })
})

describe('a deleted contact', () => {
  it('voids the proposals that it signs, and disappears from others and from their events', async () => {
    const caller = await organization()
    const { call, organizationId } = caller
    const grace = (await call('POST', '/v1/contacts', { firstName: 'Grace', email: 'grace@example.com' })).body.id
    const [signs, reads] = [
      await send(caller, { recipients: [{ role: 'signer', contactId: grace }] }),
      await send(caller, { recipients: [{ role: 'copy', contactId: grace }] }),
    ]
    await page.accept(asRecipient(signs, 1), { name: 'Grace Hopper' })
    await call('DELETE', `/v1/contacts/${grace}`)
    await voidOfDeletedContactWork.run({ ...platform, organizationId }, { contactId: grace.slice(4) })
    const voided = await recordOf(caller, signs)
    expect(voided).toMatchObject({ status: 'voided', recipients: [{ name: 'Ada Lovelace' }, { name: null, email: null, delivery: {} }] })
    const open = await recordOf(caller, reads)
    expect(open).toMatchObject({ status: 'pending', recipients: [{ name: 'Ada Lovelace' }, { name: null, email: null }] })
    for (const path of [signs.url, asRecipient(signs, 1).url, reads.url]) expect((await page.get(path)).html).not.toContain('Grace')
    const events = (await call('GET', '/v1/events?limit=100')).body.data.filter(({ type }: { type: string }) =>
      type.startsWith('proposal.'),
    )
    expect(JSON.stringify(events)).not.toMatch(/grace/i)
    await page.accept(reads)
    expect((await recordOf(caller, reads)).recipients[1]).toMatchObject({ name: null, email: null })
  })
})
