import { proposalStates, proposalTransitions, type ProposalStatus } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { AppError } from '../lib/errors.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { pageClient, sendProposalTo, type Sent } from '../testing/proposal-page.ts'
import { acceptProposal, declineProposal } from './answer.ts'
import { expireProposalWork } from './expiry.ts'
import { sendProposal, voidProposal } from './transitions.ts'
import { reviseProposal } from './versions/copy.ts'

const { app, organization, platform, database } = await testApp()
const page = pageClient(app)
const client = { address: '192.0.2.7', userAgent: null }
const hourMs = 3_600_000

type Action = (typeof proposalTransitions)[number]['action']
const actions = ['send', 'accept', 'decline', 'expire', 'void', 'supersede'] as const satisfies readonly Action[]

/** Creates a proposal and brings it into a state. */
async function inState(caller: Caller, state: ProposalStatus): Promise<Sent & { recipients: { id: string }[] }> {
  const sent = await sendProposalTo(caller, { draft: state === 'draft', expiresAt: new Date(Date.now() + hourMs).toISOString() })
  if (state === 'completed') await page.accept(sent)
  if (state === 'rejected') await page.decline(sent)
  if (state === 'expired') await expire(caller, sent)
  if (state === 'voided') await caller.call('POST', `/v1/proposals/${sent.id}/void`, { reason: 'x' })
  const { body } = await caller.call('GET', `/v1/proposals/${sent.id}`)
  expect(body.status).toBe(state)
  return body
}

const expire = ({ organizationId }: Caller, { id }: Sent): Promise<void> =>
  expireProposalWork.run({ ...platform, organizationId, now: () => new Date(Date.now() + 2 * hourMs) }, { proposalId: id.slice(4) })

function act(caller: Caller, action: Action, proposal: Sent & { recipients: { id: string }[] }): Promise<unknown> {
  const ctx = { ...platform, organizationId: caller.organizationId }
  const [id, recipientId] = [proposal.id.slice(4), proposal.recipients[0]?.id.slice(4) ?? '']
  const { contentHash } = proposal
  switch (action) {
    case 'send':
      return sendProposal(ctx, id)
    case 'void':
      return voidProposal(ctx, id, { reason: 'x' })
    case 'accept':
      return acceptProposal(ctx, recipientId, { name: 'Ada', drawing: null, wording: 'I accept.', contentHash }, client)
    case 'decline':
      return declineProposal(ctx, recipientId, { reason: null, contentHash })
    case 'supersede':
      return reviseProposal(ctx, id).then((revision) => sendProposal(ctx, revision.id.slice(4)))
    default:
      return expire(caller, proposal)
  }
}

/** Returns the types of the events of a proposal, newest first. */
const eventsOf = async ({ call }: Caller, { id }: { id: string }): Promise<string[]> =>
  (await call('GET', '/v1/events?limit=100')).body.data
    .filter(({ data }: { data: { id: string } }) => data.id === id)
    .map(({ type }: { type: string }) => type)

describe('every pair of state and action', () => {
  const pairs = proposalStates.flatMap((from) => actions.map((action) => ({ from, action })))

  it.each(pairs)('$from, $action', async ({ from, action }) => {
    const caller = await organization()
    const proposal = await inState(caller, from)
    const events = await eventsOf(caller, proposal)
    const allowed = proposalTransitions.find((transition) => transition.from === from && transition.action === action)
    const outcome = await act(caller, action, proposal).then(
      () => 'done',
      (error: unknown) => (error instanceof AppError ? error.code : error),
    )
    const { body: after } = await caller.call('GET', `/v1/proposals/${proposal.id}`)
    const emitted = (await eventsOf(caller, proposal)).slice(0, -events.length)
    if (allowed === undefined) {
      // The job of a proposal that has ended otherwise does nothing.
      expect([outcome, after, emitted]).toEqual([action === 'expire' ? 'done' : 'conflict', proposal, []])
    } else {
      expect([outcome, after.status]).toEqual(['done', allowed.to])
      expect(emitted.filter((type) => type !== 'proposal.viewed')).toEqual([allowed.event])
    }
  })

  it('covers every action of the table', () => {
    expect(new Set(proposalTransitions.map(({ action }) => action))).toEqual(new Set(actions))
  })
})

describe('50 concurrent answers, voids and expiries', () => {
  it('have one winner, one event and at most one signature', async () => {
    const caller = await organization()
    for (let round = 0; round < 3; round += 1) {
      const proposal = await inState(caller, 'pending')
      const attempts = Array.from(
        { length: 50 },
        (_, index) => (['accept', 'decline', 'void', 'expire'] as const)[(index + round) % 4] ?? 'void',
      )
      await Promise.all(attempts.map((action) => act(caller, action, proposal).catch(expectConflict)))
      const { body } = await caller.call('GET', `/v1/proposals/${proposal.id}`)
      expect(body.status).toBeOneOf(['completed', 'rejected', 'voided', 'expired'])
      const ends = (await caller.call('GET', '/v1/events?limit=100')).body.data.filter(
        ({ type, data }: { type: string; data: { id: string } }) =>
          data.id === proposal.id && !['proposal.created', 'proposal.sent', 'proposal.viewed'].includes(type),
      )
      expect(ends.map(({ type }: { type: string }) => type)).toEqual([`proposal.${body.status}`])
      const { rows } = await database.pool.query(
        `select (select count(*)::int from proposal_acceptance where proposal_id = $1) as acceptances,
           (select count(*)::int from proposal_signature where recipient_id = $2) as signatures`,
        [proposal.id.slice(4), proposal.recipients[0]?.id.slice(4)],
      )
      const count = body.status === 'completed' ? 1 : 0
      expect(rows).toEqual([{ acceptances: count, signatures: count }])
    }
  })
})

function expectConflict(error: unknown): void {
  expect(error).toMatchObject({ code: 'conflict' })
}
