import { AppError } from '../../lib/errors.ts'
import type { ProposalContext } from '../context.ts'

/** @throws AppError `validation_error`, field `requireDelivery`, if the proposal cannot be mailed to each recipient */
export function requireDelivery({ mailer }: ProposalContext, [first, ...further]: readonly { email?: string | null }[]): void {
  const field = 'requireDelivery'
  if (further.some(({ email }) => email == null)) {
    throw new AppError('validation_error', 'A recipient has no email address. Add one, or send the proposal without requireDelivery.', {
      field,
    })
  }
  if (first?.email == null) {
    throw new AppError('validation_error', 'The contact has no email address. Add one, or send the proposal without requireDelivery.', {
      field,
    })
  }
  if (mailer.kind === 'files') {
    throw new AppError('validation_error', 'No mail server is configured (SMTP_URL), so the proposal cannot be mailed.', { field })
  }
}
