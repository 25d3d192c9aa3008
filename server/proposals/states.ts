import type { ProposalStatus } from '@groundwork/api'
import { AppError } from '../lib/errors.ts'

/** From each state, those that can follow it. */
const transitions: Readonly<Record<ProposalStatus, readonly ProposalStatus[]>> = {
  draft: ['pending', 'voided'],
  pending: ['completed', 'rejected', 'expired', 'voided'],
  completed: [],
  rejected: [],
  expired: [],
  voided: [],
}

export const allowedTransitions = (from: ProposalStatus): ProposalStatus[] => [...transitions[from]]

/** @throws AppError `conflict` that names the state and those that it can still reach */
export function requireTransition(from: ProposalStatus, to: ProposalStatus): void {
  const allowed = transitions[from]
  if (allowed.includes(to)) return
  const legal = allowed.length === 0 ? 'it is final' : `it can only become ${allowed.join(', ')}`
  throw new AppError('conflict', `the proposal is ${from} and cannot become ${to}: ${legal}`, { field: 'status' })
}

/** @throws AppError `conflict` when the proposal has been sent: its recipient relies on it as it is */
export function requireDraft(status: ProposalStatus): void {
  if (status === 'draft') return
  const allowed = transitions[status]
  const legal = allowed.length === 0 ? 'it is final' : `it can only become ${allowed.join(', ')}`
  throw new AppError('conflict', `the proposal is ${status}, and only a draft can be changed or deleted: ${legal}`, { field: 'status' })
}
