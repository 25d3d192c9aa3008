import type { RecordConsent } from '@groundwork/api'

export const channels = ['email', 'phone', 'sms', 'post'] as const
export const consentStates = ['granted', 'denied', 'unknown'] as const

export interface ConsentValues {
  channel: RecordConsent['channel']
  state: RecordConsent['state']
  /** When the contact said so, as of a `datetime-local` input; empty for the present. */
  at: string
  source: string
  wording: string
}

export const newConsent: ConsentValues = { channel: 'email', state: 'granted', at: '', source: '', wording: '' }

/** Returns the body of a request that records the consent. */
export const consentBody = ({ channel, state, at, source, wording }: ConsentValues): RecordConsent => ({
  channel,
  state,
  ...(at !== '' && { at: isoTime(at) }),
  ...(source.trim() !== '' && { source }),
  ...(wording.trim() !== '' && { wording }),
})

/** Returns a local time with its offset. The API refuses the others, such as those of the year 20250. */
function isoTime(local: string): string {
  const time = new Date(local)
  return Number.isNaN(time.getTime()) ? local : time.toISOString()
}
