import { proposalStates, proposalTransitions, type ProposalActor, type ProposalStatus } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { AppError } from '../lib/errors.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { pageClient, sendProposalTo, type Sent } from '../testing/proposal-page.ts'
import { acceptProposal, declineProposal } from './answer.ts'
import { expireProposalWork } from './expiry.ts'
import { voidOfDeletedContactWork } from './of-deleted-contact.ts'
import { countersignProposal } from './signers/countersign.ts'
import { sendProposal, voidProposal } from './transitions.ts'
import { reviseProposal } from './versions/copy.ts'

const { app, organization, platform, database } = await testApp()
const page = pageClient(app)
const client = { address: '192.0.2.7', userAgent: null }
const hourMs = 3_600_000

type Transition = (typeof proposalTransitions)[number]
interface Way {
  action: Transition['action']
  actor: ProposalActor
  /** Fields of a proposal with which the action is possible. */
  fields?: object
}

/** Each action with each of its actors. */
const ways: readonly Way[] = [
  { action: 'send', actor: 'organization' },
  { action: 'sign', actor: 'recipient', fields: { recipients: [{ role: 'signer', name: 'Charles', email: 'charles@example.com' }] } },
  { action: 'accept', actor: 'recipient' },
  { action: 'accept', actor: 'organization', fields: { counterSignature: true } },
  { action: 'decline', actor: 'recipient' },
  { action: 'expire', actor: 'service' },
  { action: 'void', actor: 'organization' },
  { action: 'void', actor: 'service' },
  { action: 'supersede', actor: 'organization' },
]

type Tested = Sent & { contactId: string; counterSignature: boolean; recipients: { id: string; url: string }[] }

/** Creates a proposal and brings it into a state. If the organization signs too, all others have signed a pending one. */
async function inState(caller: Caller, state: ProposalStatus, fields: object = {}): Promise<Tested> {
  const expiresAt = new Date(Date.now() + hourMs).toISOString()
  const sent = (await sendProposalTo(caller, { draft: state === 'draft', expiresAt, ...fields })) as Tested
  const needsOrganization = sent.counterSignature
  if (state === 'completed' || (state === 'pending' && needsOrganization)) {
    for (const { url } of sent.recipients) await page.accept({ ...sent, url })
  }
  if (state === 'completed' && needsOrganization) await caller.call('POST', `/v1/proposals/${sent.id}/countersign`, { name: 'Grace' })
  if (state === 'rejected') await page.decline(sent)
  if (state === 'expired') await expire(caller, sent)
  if (state === 'voided') await caller.call('POST', `/v1/proposals/${sent.id}/void`, { reason: 'x' })
  const { body } = await caller.call('GET', `/v1/proposals/${sent.id}`)
  expect(body.status).toBe(state)
  return body
}

const expire = ({ organizationId }: Caller, { id }: Sent): Promise<void> =>
  expireProposalWork.run({ ...platform, organizationId, now: () => new Date(Date.now() + 2 * hourMs) }, { proposalId: id.slice(4) })

async function act(caller: Caller, { action, actor }: Way, proposal: Tested): Promise<unknown> {
  const ctx = { ...platform, organizationId: caller.organizationId }
  const [id, recipientId] = [proposal.id.slice(4), proposal.recipients[0]?.id.slice(4) ?? '']
  const { contentHash } = proposal
  switch (action) {
    case 'send':
      return sendProposal(ctx, id)
    case 'void':
      if (actor === 'organization') return voidProposal(ctx, id, { reason: 'x' })
      return voidOfDeletedContactWork.run(ctx, { contactId: proposal.contactId.slice(4) })
    case 'decline':
      return declineProposal(ctx, recipientId, { reason: null, contentHash })
    case 'supersede':
      return reviseProposal(ctx, id).then((revision) => sendProposal(ctx, revision.id.slice(4)))
    case 'expire':
      return expire(caller, proposal)
    default:
      if (actor === 'organization') return countersignProposal(ctx, id, { name: 'Grace Hopper' })
      return acceptProposal(ctx, recipientId, { name: 'Ada', drawing: null, wording: 'I accept.', contentHash }, client)
  }
}

/** Returns the types of the events of a proposal, newest first. */
const eventsOf = async ({ call }: Caller, { id }: { id: string }): Promise<string[]> =>
  (await call('GET', '/v1/events?limit=100')).body.data
    .filter(({ data }: { data: { id: string } }) => data.id === id)
    .map(({ type }: { type: string }) => type)

describe('every pair of state and action', () => {
  const pairs = proposalStates.flatMap((from) => ways.map((way) => ({ from, ...way })))

  it.each(pairs)('$from, $action by the $actor', async ({ from, ...way }) => {
    const caller = await organization()
    const proposal = await inState(caller, from, way.fields)
    // The service voids the proposals of deleted contacts.
    if (way.actor === 'service' && way.action === 'void') await caller.call('DELETE', `/v1/contacts/${proposal.contactId}`)
    const { body: before } = await caller.call('GET', `/v1/proposals/${proposal.id}`)
    const events = await eventsOf(caller, proposal)
    const allowed = proposalTransitions.find(
      ({ from: state, action, actors }) =>
        state === from && action === way.action && (actors as readonly ProposalActor[]).includes(way.actor),
    )
    const outcome = await act(caller, way, proposal).then(
      () => 'done',
      (error: unknown) => (error instanceof AppError ? error.code : error),
    )
    const { body: after } = await caller.call('GET', `/v1/proposals/${proposal.id}`)
    const emitted = (await eventsOf(caller, proposal)).slice(0, -events.length).toReversed()
    if (allowed === undefined) {
      // The job of a proposal that has ended otherwise does nothing.
      expect([outcome, after, emitted]).toEqual([way.actor === 'service' ? 'done' : 'conflict', before, []])
    } else {
      expect([outcome, after.status]).toEqual(['done', allowed.to])
      const others = way.actor === 'organization' && way.action === 'accept' ? ['proposal.signed'] : []
      expect(emitted.filter((type) => type !== 'proposal.viewed')).toEqual([...others, allowed.event])
    }
  })

  it('covers every action and actor of the table', () => {
    const pairsOf = (all: readonly { action: string; actors: readonly string[] }[]): string[] =>
      all.flatMap(({ action, actors }) => actors.map((actor) => `${action} ${actor}`))
    const tested = ways.map(({ action, actor }) => `${action} ${actor}`)
    expect(new Set(tested)).toEqual(new Set(pairsOf(proposalTransitions)))
  })
})

describe('50 concurrent answers, voids and expiries', () => {
  const actions = ways.filter(
    ({ action, actor }) => ['accept', 'decline', 'void', 'expire'].includes(action) && !(action === 'void' && actor === 'service'),
  )

  it.each([
    { name: 'a signer', fields: {}, signed: false },
    { name: 'a signer and the organization', fields: { counterSignature: true }, signed: true },
  ])('of $name have one winner, one event and at most one certificate', async ({ fields, signed }) => {
    const caller = await organization()
    for (let round = 0; round < 3; round += 1) {
      const proposal = await inState(caller, 'pending', fields)
      const attempts = Array.from(
        { length: 50 },
        (_, index) => actions[(index + round) % actions.length] ?? ({ action: 'void', actor: 'organization' } as const),
      )
      await Promise.all(attempts.map((way) => act(caller, way, proposal).catch(expectConflict)))
      const { body } = await caller.call('GET', `/v1/proposals/${proposal.id}`)
      expect(body.status).toBeOneOf(['completed', 'rejected', 'voided', 'expired'])
      const ends = (await caller.call('GET', '/v1/events?limit=100')).body.data.filter(
        ({ type, data }: { type: string; data: { id: string } }) =>
          data.id === proposal.id && !['proposal.created', 'proposal.sent', 'proposal.viewed', 'proposal.signed'].includes(type),
      )
      expect(ends.map(({ type }: { type: string }) => type)).toEqual([`proposal.${body.status}`])
      const { rows } = await database.pool.query(
        `select (select count(*)::int from proposal_acceptance where proposal_id = $1) as acceptances,
           (select count(*)::int from proposal_signature where recipient_id = $2) as signatures,
           (select count(*)::int from proposal_counter_signature where proposal_id = $1) as counter,
           (select count(*)::int from certificate where proposal_id = $1) as certificates`,
        [proposal.id.slice(4), proposal.recipients[0]?.id.slice(4)],
      )
      const completed = body.status === 'completed' ? 1 : 0
      const ofSigner = signed ? 1 : completed
      expect(rows).toEqual([{ acceptances: ofSigner, signatures: ofSigner, counter: signed ? completed : 0, certificates: completed }])
    }
  })
})

function expectConflict(error: unknown): void {
  expect(error).toMatchObject({ code: 'conflict' })
}
