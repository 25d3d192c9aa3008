import { describe, expect, it } from 'vitest'
import { AppError } from '../../lib/errors.ts'
import { testApp, type Caller } from '../../testing/app.ts'
import { pageClient, sendProposalTo, type Sent } from '../../testing/proposal-page.ts'
import { acceptProposal, declineProposal } from '../answer.ts'
import { expireProposalWork } from '../expiry.ts'
import { sendProposal, voidProposal } from '../transitions.ts'

const { app, organization, platform, database } = await testApp()
const page = pageClient(app)
const hourMs = 3_600_000

/** Creates and sends a proposal with lines. */
async function sent(fields: object = {}) {
  const caller = await organization()
  const items = [
    { description: 'Bicycle', quantity: '3', unitPrice: '19.99', taxRate: '19' },
    { description: 'Helmet', unitPrice: '5', optional: true, preselected: true, group: 'Extras' },
  ]
  const proposal = await sendProposalTo(caller, { totalAmount: undefined, items, discountPercent: '10', message: 'Hello', ...fields })
  const post = async (id: string, action: string, body?: object) => caller.call('POST', `/v1/proposals/${id}/${action}`, body)
  const get = async ({ id }: { id: string }) => (await caller.call('GET', `/v1/proposals/${id}`)).body
  return { caller, proposal: await get(proposal), post, get }
}

const mailsOf = async ({ call }: Caller, { id }: { id: string }): Promise<{ kind: string; to: string; text: string }[]> =>
  (await call('GET', `/v1/mails?proposalId=${id}`)).body.data

const content = ({ title, message, items, totalAmount, taxes, discountPercent, currency, contactId }: Record<string, unknown>) => ({
  title,
  message,
  items,
  totalAmount,
  taxes,
  discountPercent,
  currency,
  contactId,
})

describe('a duplicate', () => {
  it('is a draft with the same content and recipients', async () => {
    const { caller, proposal, post, get } = await sent({ externalId: 'order-7', expiresAt: new Date(Date.now() + hourMs).toISOString() })
    await page.accept(proposal)
    const accepted = await get(proposal)
    const { status, body: copy } = await post(proposal.id, 'duplicate')
    expect(status).toBe(201)
    expect(content(copy)).toEqual(content(accepted))
    expect(copy).toMatchObject({
      status: 'draft',
      number: null,
      externalId: null,
      url: null,
      sentAt: null,
      completedAt: null,
      viewedAt: null,
      supersedes: null,
      supersededBy: null,
      expiresAt: proposal.expiresAt,
      recipients: [{ role: 'signer', name: 'Ada Lovelace', email: 'ada@example.com', status: 'waiting', signedAt: null }],
    })
    expect(await get(proposal)).toEqual(accepted)
    expect((await post(copy.id, 'send')).body).toMatchObject({ status: 'pending', number: 'P-1002' })
    expect((await caller.call('GET', '/v1/events?type=proposal.created')).body.data[0].data).toEqual(copy)
  })

  it('of a former version is priced by the present rules', async () => {
    const { proposal, post } = await sent()
    await database.pool.query('update proposal set content_version = 1, totals = null, discount_percent = null where id = $1', [
      proposal.id.slice(4),
    ])
    expect((await post(proposal.id, 'duplicate')).body).toMatchObject({ contentVersion: 2, totalAmount: '76.36', taxTotal: '11.39' })
  })

  it('has no expiry that has passed, and no deleted contact', async () => {
    const { caller, proposal, post } = await sent({ expiresAt: new Date(Date.now() + hourMs).toISOString() })
    await database.pool.query(`update proposal set expires_at = now() - interval '1 day' where id = $1`, [proposal.id.slice(4)])
    expect((await post(proposal.id, 'duplicate')).body.expiresAt).toBeNull()
    await caller.call('DELETE', `/v1/contacts/${proposal.contactId}`)
    expect(await post(proposal.id, 'duplicate')).toMatchObject({ status: 409, body: { error: { field: 'contactId' } } })
  })
})

describe('a revision', () => {
  it('replaces a pending proposal when it is sent, and the former link leads to it', async () => {
    const { caller, proposal, post, get } = await sent()
    const { status, body: revision } = await post(proposal.id, 'revise')
    expect([status, revision.status, revision.supersedes]).toEqual([201, 'draft', proposal.id])
    expect(await get(proposal)).toEqual(proposal)
    await caller.call('PATCH', `/v1/proposals/${revision.id}`, { title: 'Website and shop' })
    const { body: second } = await post(revision.id, 'send')
    expect(second).toMatchObject({ status: 'pending', number: 'P-1002', supersedes: proposal.id, supersededBy: null })
    const former = await get(proposal)
    expect(former).toMatchObject({
      status: 'voided',
      supersededBy: revision.id,
      voidReason: 'Replaced by P-1002.',
      allowedTransitions: [],
    })
    const { data: events } = (await caller.call('GET', '/v1/events')).body
    expect(events.slice(0, 2).map(({ type, data }: { type: string; data: unknown }) => [type, data])).toEqual([
      ['proposal.superseded', former],
      ['proposal.sent', second],
    ])
    const { html } = await page.get(proposal.url)
    expect(html).toContain(`href="${second.url}"`)
    expect(html).toContain('A newer version replaces this proposal.')
    expect(html).not.toContain('Bicycle')
    expect(await page.accept(proposal)).toMatchObject({ status: 409, html: expect.stringContaining(second.url) })
    expect((await page.get(second.url)).html).toContain('Website and shop')
    const mails = await mailsOf(caller, second)
    expect(mails).toMatchObject([{ kind: 'sent', text: expect.stringContaining('This version replaces proposal P-1001.') }])
    expect((await mailsOf(caller, proposal)).map(({ kind }) => kind)).not.toContain('voided')
  })

  it('leads through several versions to the newest one', async () => {
    const { proposal, post } = await sent()
    let newest = proposal
    for (let version = 0; version < 3; version += 1) newest = (await post((await post(newest.id, 'revise')).body.id, 'send')).body
    expect((await page.get(proposal.url)).html).toContain(newest.url)
    expect((await post(proposal.id, 'revise')).body.error.message).toContain('was replaced by')
  })

  it.each(['rejected', 'expired'])('of a %s proposal leaves its status', async (state) => {
    const { caller, proposal, post, get } = await sent({ expiresAt: new Date(Date.now() + hourMs).toISOString() })
    if (state === 'rejected') await page.decline(proposal)
    const late = { ...platform, organizationId: caller.organizationId, now: () => new Date(Date.now() + 2 * hourMs) }
    if (state === 'expired') await expireProposalWork.run(late, { proposalId: proposal.id.slice(4) })
    const { body: revision } = await post(proposal.id, 'revise')
    await post(revision.id, 'send')
    expect(await get(proposal)).toMatchObject({ status: state, supersededBy: revision.id, voidReason: null })
    const { html } = await page.get(proposal.url)
    expect(html).toContain('Open the newer version')
    expect(html).toContain('Bicycle')
  })

  it('shows the link of a signer neither to a copy recipient nor to a relative with the same address', async () => {
    const kid = { role: 'copy', name: 'Kid', email: 'ada@example.com' }
    const { proposal, post, caller } = await sent({ recipients: [kid] })
    const { body: revision } = await post(proposal.id, 'revise')
    const { body: second } = await post(revision.id, 'send')
    const [signer, copy] = second.recipients
    const former = (await page.get(proposal.recipients[1].url)).html
    expect([former.includes(copy.url), former.includes(signer.url)]).toEqual([true, false])
    expect((await page.get(proposal.url)).html).toContain(signer.url)
    const { body: third } = await post(second.id, 'revise')
    await caller.call('PATCH', `/v1/proposals/${third.id}`, { recipients: [] })
    const { body: last } = await post(third.id, 'send')
    for (const { recipients } of [proposal, second]) expect((await page.get(recipients[1].url)).html).not.toContain(last.url)
  })

  it('does not lead a copy recipient to the form for signing, and tells nobody that it was withdrawn', async () => {
    const mary = { role: 'copy', name: 'Mary', email: 'mary@example.com' }
    const { caller, proposal, post } = await sent({ recipients: [mary] })
    const { body: revision } = await post(proposal.id, 'revise')
    await caller.call('PATCH', `/v1/proposals/${revision.id}`, { recipients: [{ ...mary, role: 'signer' }] })
    await database.pool.query(`update mail set state = 'sent' where proposal_id = $1`, [proposal.id.slice(4)])
    const { body: second } = await post(revision.id, 'send')
    expect((await page.get(proposal.recipients[1].url)).html).not.toContain(second.recipients[1].url)
    expect((await mailsOf(caller, second)).map(({ to }) => to).toSorted()).toEqual(['ada@example.com', 'mary@example.com'])
    expect((await mailsOf(caller, proposal)).map(({ kind }) => kind)).not.toContain('voided')
  })

  it('shows its link to no one else, and tells recipients without it that the proposal was withdrawn', async () => {
    const { caller, proposal, post } = await sent()
    const { body: revision } = await post(proposal.id, 'revise')
    const { body: other } = await caller.call('POST', '/v1/contacts', { email: 'sam@example.com' })
    await caller.call('PATCH', `/v1/proposals/${revision.id}`, { contactId: other.id })
    await database.pool.query(`update mail set state = 'sent' where proposal_id = $1`, [proposal.id.slice(4)])
    const { body: second } = await post(revision.id, 'send')
    const { html } = await page.get(proposal.url)
    expect(html).toContain('A newer version replaces this proposal.')
    expect(html).not.toContain(second.url)
    const [mail, ...before] = await mailsOf(caller, proposal)
    expect(mail).toMatchObject({ kind: 'voided', to: 'ada@example.com' })
    expect(before.map(({ kind }) => kind)).toEqual(['sent'])
    expect(mail?.text).not.toContain('P-1002')
  })

  it('is the only open one; deleting or voiding it makes room for another', async () => {
    const { caller, proposal, post } = await sent()
    const { body: first } = await post(proposal.id, 'revise')
    const again = await post(proposal.id, 'revise')
    expect([again.status, again.body.error.message]).toEqual([
      409,
      `The draft ${first.id} already revises this proposal. Change or delete it.`,
    ])
    expect((await caller.call('DELETE', `/v1/proposals/${first.id}`)).status).toBe(204)
    const { body: second } = await post(proposal.id, 'revise')
    await post(second.id, 'void', { reason: 'x' })
    expect((await post(proposal.id, 'revise')).status).toBe(201)
  })

  it('of a proposal that was accepted or voided meanwhile cannot be sent, but duplicated', async () => {
    for (const end of ['accept', 'void']) {
      const { proposal, post, get } = await sent()
      const { body: revision } = await post(proposal.id, 'revise')
      if (end === 'accept') await page.accept(proposal)
      else await post(proposal.id, 'void', { reason: 'x' })
      const before = await get(proposal)
      expect(await post(revision.id, 'send')).toMatchObject({ status: 409, body: { error: { field: 'status' } } })
      expect([await get(proposal), (await get(revision)).status]).toEqual([before, 'draft'])
      const { body: copy } = await post(revision.id, 'duplicate')
      expect(await post(copy.id, 'send')).toMatchObject({ status: 200, body: { supersedes: null } })
    }
  })
})

describe('50 concurrent answers, voids, expiries and sends of a revision', () => {
  it('have one winner, and the revision is sent only if it replaced the proposal', async () => {
    const { caller, get, post, proposal: first } = await sent({ expiresAt: new Date(Date.now() + hourMs).toISOString() })
    const ctx = { ...platform, organizationId: caller.organizationId }
    for (let round = 0; round < 4; round += 1) {
      const { body: proposal } = await post((await post(first.id, 'duplicate')).body.id, 'send')
      const { body: revision } = await post(proposal.id, 'revise')
      await Promise.all(attempts(ctx, proposal, revision, round).map((attempt) => attempt().catch(expectConflict)))
      const [former, newer] = [await get(proposal), await get(revision)]
      const { data } = (await caller.call('GET', '/v1/events?limit=100')).body
      const ends: string[] = data
        .filter((event: { data: { id: string } }) => event.data.id === proposal.id)
        .map(({ type }: { type: string }) => type)
        .filter((type: string) => !['proposal.created', 'proposal.sent', 'proposal.viewed'].includes(type))
        .toReversed()
      const isReplaced = former.supersededBy !== null
      expect(newer.status).toBe(isReplaced ? 'pending' : 'draft')
      if (isReplaced) expect(former.status).toBeOneOf(['voided', 'rejected', 'expired'])
      const byItself = former.status === 'voided' && isReplaced ? [] : [`proposal.${former.status}`]
      expect(ends).toEqual([...byItself, ...(isReplaced ? ['proposal.superseded'] : [])])
    }
  })
})

type Ctx = Parameters<typeof sendProposal>[0]

function attempts(ctx: Ctx, proposal: Sent & { recipients: { id: string }[] }, revision: { id: string }, round: number) {
  const [id, recipientId] = [proposal.id.slice(4), proposal.recipients[0]?.id.slice(4) ?? '']
  const { contentHash } = proposal
  const client = { address: '192.0.2.7', userAgent: null }
  const actions = [
    () => sendProposal(ctx, revision.id.slice(4)),
    () => acceptProposal(ctx, recipientId, { name: 'Ada', drawing: null, wording: 'I accept.', contentHash }, client),
    () => declineProposal(ctx, recipientId, { reason: null, contentHash }),
    () => voidProposal(ctx, id, { reason: 'x' }),
    () => expireProposalWork.run({ ...ctx, now: () => new Date(Date.now() + 2 * hourMs) }, { proposalId: id }),
  ]
  return Array.from({ length: 50 }, (_, index) => actions[(index + round) % actions.length] ?? (() => Promise.resolve()))
}

function expectConflict(error: unknown): void {
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code: 'conflict' })
}
