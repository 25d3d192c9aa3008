import { z } from 'zod'

export const channels = ['email', 'phone', 'sms', 'post'] as const
export type Channel = (typeof channels)[number]
export const consentStates = ['granted', 'denied', 'unknown'] as const
export type ConsentState = (typeof consentStates)[number]

const stateOf = (channel: string) => z.enum(consentStates).describe(`Consent to ${channel}: \`granted\`, \`denied\` or \`unknown\`.`)

export const Consent = z
  .object({ email: stateOf('email'), phone: stateOf('phone calls'), sms: stateOf('text messages'), post: stateOf('post') })
  .meta({ id: 'Consent', description: 'Present consent of a contact for each channel.' })
