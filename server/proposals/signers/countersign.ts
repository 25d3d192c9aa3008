import { counterSignatureWording, type Proposal } from '@groundwork/api'
import { withTransaction } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { membersIn } from '../../members/members.ts'
import { changeProposal, readProposal } from '../change.ts'
import { requireUnexpired } from '../checks.ts'
import type { ProposalContext } from '../context.ts'
import { lockProposal } from '../rows.ts'
import { requireTransition } from '../states.ts'
import { certify } from './certify.ts'
import { signersOf } from './turns.ts'

/**
 * Signs a pending proposal for the organization, which completes it.
 * @throws AppError `not_found`; `conflict` in any other state, if it has expired or has no counter-signature, or if a signer has not
 * signed yet
 */
export function countersignProposal(ctx: ProposalContext, id: string, { name }: { name: string }): Promise<Proposal> {
  return withTransaction(ctx, async (trx) => {
    const { status, expires_at } = await lockProposal(trx, id)
    requireTransition(status, 'completed')
    const now = ctx.now()
    requireUnexpired(expires_at, now)
    const proposal = await readProposal(ctx, trx, id)
    requireCounterSignature(proposal)
    const { language } = await trx.selectFrom('organization').select('language').executeTakeFirstOrThrow()
    const signature = {
      organization_id: ctx.organizationId,
      proposal_id: id,
      name,
      email: await emailOfActor(ctx, trx),
      wording: counterSignatureWording(proposal, language),
      signed_at: now,
      address: ctx.actor?.address ?? '',
    }
    await trx.insertInto('proposal_counter_signature').values(signature).execute()
    await certify(ctx, trx, id, proposal, now)
    const changes = { status: 'completed', completed_at: now, updated_at: now, counter_signed_by: name, counter_signed_at: now } as const
    return changeProposal(ctx, trx, id, changes, 'proposal.completed', { after: 'proposal.signed' })
  })
}

function requireCounterSignature(proposal: Proposal): void {
  if (!proposal.counterSignature) throw new AppError('conflict', 'The proposal has no counter-signature.', { field: 'counterSignature' })
  const missing = signersOf(proposal).filter(({ signedAt }) => signedAt === null)
  if (missing.length === 0) return
  const names = missing.map(({ id, name, email }) => name ?? email ?? id)
  throw new AppError('conflict', `The organization signs last. These signers have not signed yet: ${names.join(', ')}.`, {
    field: 'recipients',
  })
}

async function emailOfActor({ actor }: ProposalContext, trx: Transaction): Promise<string | null> {
  if (actor?.kind !== 'user') return null
  return (await membersIn(trx).where('member.id', '=', actor.userId).executeTakeFirst())?.email ?? null
}
