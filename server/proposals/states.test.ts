import { proposalStates } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { allowedTransitions, requireDraft, requireSupersedable, requireTransition } from './states.ts'

describe('proposal states', () => {
  it('allow the documented transitions', () => {
    expect(Object.fromEntries(proposalStates.map((state) => [state, allowedTransitions(state)]))).toEqual({
      draft: ['pending', 'voided'],
      pending: ['completed', 'rejected', 'expired', 'voided'],
      completed: [],
      rejected: [],
      expired: [],
      voided: [],
    })
  })

  it('are refused with an error that names the state and the allowed next states', () => {
    expect(() => requireTransition('pending', 'voided')).not.toThrow()
    expect(() => requireTransition('draft', 'completed')).toThrow(
      'The proposal is draft and cannot become completed. It can only become pending, voided.',
    )
    expect(() => requireTransition('voided', 'voided')).toThrow('The proposal is voided and cannot become voided. It is final.')
    expect(() => requireSupersedable('expired')).not.toThrow()
    expect(() => requireSupersedable('completed')).toThrow('The proposal is completed, and only a pending, rejected or expired')
    expect(() => requireDraft('draft')).not.toThrow()
    expect(() => requireDraft('pending')).toThrow(/pending.*completed, rejected, expired, voided/)
  })

  it('return a copy that callers can modify', () => {
    allowedTransitions('draft').push('completed')
    expect(allowedTransitions('draft')).toEqual(['pending', 'voided'])
  })
})
