import { AppError } from '../../lib/errors.ts'
import type { ProposalContext } from '../context.ts'

/** @throws AppError `validation_error`, field `requireDelivery`, if the proposal cannot be mailed to the address */
export function requireDelivery({ mailer }: ProposalContext, email: string | null): void {
  const field = 'requireDelivery'
  if (email === null) {
    throw new AppError('validation_error', 'The contact has no e-mail address. Add one, or send the proposal without requireDelivery.', {
      field,
    })
  }
  if (mailer.kind === 'files') {
    throw new AppError('validation_error', 'No mail server is configured (SMTP_URL), so the proposal cannot be mailed.', { field })
  }
}
