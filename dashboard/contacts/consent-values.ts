import type { RecordConsent } from '@groundwork/api'

export const channels = ['email', 'phone', 'sms', 'post'] as const
export const consentStates = ['granted', 'denied', 'unknown'] as const

export interface ConsentValues {
  channel: RecordConsent['channel']
  state: RecordConsent['state']
  source: string
  wording: string
}

export const newConsent: ConsentValues = { channel: 'email', state: 'granted', source: '', wording: '' }

/** Returns the body of a request that records the consent. */
export const consentBody = ({ channel, state, source, wording }: ConsentValues): RecordConsent => ({
  channel,
  state,
  ...(source.trim() !== '' && { source }),
  ...(wording.trim() !== '' && { wording }),
})
