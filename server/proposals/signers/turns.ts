import type { Proposal } from '@groundwork/api'

interface Signer {
  readonly role: 'signer' | 'copy'
  readonly signed_at: unknown
}

/** Returns the signers who can sign only after another one. The recipients are in their order. */
export const waitingSigners = <R extends Signer>(order: Proposal['signingOrder'], recipients: readonly R[]): R[] =>
  order === 'parallel' ? [] : missing(recipients).slice(1)

const missing = <R extends Signer>(recipients: readonly R[]): R[] =>
  recipients.filter(({ role, signed_at }) => role === 'signer' && signed_at === null)

/** Returns the signers of a proposal, in their order. */
export const signersOf = ({ recipients }: Pick<Proposal, 'recipients'>): Proposal['recipients'] =>
  recipients.filter(({ role }) => role === 'signer')

/** Returns whether somebody has signed the proposal, which fixes its options and quantities. */
export const isSigned = ({ recipients }: Pick<Proposal, 'recipients'>): boolean => recipients.some(({ signedAt }) => signedAt !== null)

/** Returns whether the proposal needs more than one signature. */
export const needsSeveral = (proposal: Pick<Proposal, 'recipients' | 'counterSignature'>): boolean =>
  proposal.counterSignature || signersOf(proposal).length > 1
