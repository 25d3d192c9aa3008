import { proposalTransitions, type ProposalStatus } from '@groundwork/api'
import { AppError } from '../lib/errors.ts'

/** Returns the states that a proposal in this state can change to. */
export const allowedTransitions = (from: ProposalStatus): ProposalStatus[] => [
  ...new Set(proposalTransitions.filter((transition) => transition.from === from && transition.to !== from).map(({ to }) => to)),
]

/** @throws AppError `conflict` that names the state and its possible next states */
export function requireTransition(from: ProposalStatus, to: ProposalStatus): void {
  if (allowedTransitions(from).includes(to)) return
  throw new AppError('conflict', `The proposal is ${from} and cannot become ${to}. ${describeTransitions(from)}`, { field: 'status' })
}

/** @throws AppError `conflict` unless a new version can replace a proposal in this state */
export function requireSupersedable(from: ProposalStatus): void {
  if (proposalTransitions.some((transition) => transition.from === from && transition.action === 'supersede')) return
  const reason = `The proposal is ${from}, and only a pending, rejected or expired proposal can be revised.`
  throw new AppError('conflict', reason, { field: 'status' })
}

/** @throws AppError `conflict` if the proposal has been sent: its recipient relies on its content */
export function requireDraft(status: ProposalStatus): void {
  if (status === 'draft') return
  throw new AppError('conflict', `The proposal is ${status}, and only a draft can be changed or deleted. ${describeTransitions(status)}`, {
    field: 'status',
  })
}

function describeTransitions(status: ProposalStatus): string {
  const allowed = allowedTransitions(status)
  return allowed.length === 0 ? 'It is final.' : `It can only become ${allowed.join(', ')}.`
}
