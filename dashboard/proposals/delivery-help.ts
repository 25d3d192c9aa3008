import type { ProposalDelivery } from '@groundwork/api'

/** Reasons of the API (server/proposals/mail/delivery.ts) by the message that explains them. */
export const withheldReasons = {
  doNotContact: 'do_not_contact',
  noMailServer: 'No mail server is configured, so the message was stored as a file.',
  noAddress: 'The recipient has no email address.',
} as const

type Help = keyof typeof withheldReasons | 'notSent' | 'notDelivered'

/** Returns the message that says why an email was not sent or delivered, and what to do. */
export function deliveryHelp({ state, reason }: ProposalDelivery): Help {
  const known = Object.entries(withheldReasons).find(([, text]) => text === reason)?.[0]
  if (known !== undefined) return known as keyof typeof withheldReasons
  return state === 'withheld' ? 'notSent' : 'notDelivered'
}
