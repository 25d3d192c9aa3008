import { wireId, type Channel, type ConsentState } from '@groundwork/api'
import type { NewConsent } from '../consent/add-consents.ts'
import type { ContactRow } from '../contacts/record.ts'

interface State {
  readonly channel: Channel
  readonly state: ConsentState
}

/** What a row does with the consent of its contact. */
export interface PlannedConsent {
  readonly recorded: readonly State[]
  /** Number of refusals that stay although the row has another state. */
  readonly denialsKept: number
}

/** Plans the states that differ from those of the contact. A refusal stays unless the caller wants it replaced. */
export function planConsent(
  given: Partial<Record<Channel, ConsentState>> = {},
  present: ContactRow['consent'] | undefined,
  replacesDenials: boolean,
): PlannedConsent {
  const differing = Object.entries(given)
    // Safe cast: the keys of the parameter.
    .map(([channel, state]) => ({ channel: channel as Channel, state }))
    .filter(({ channel, state }) => state !== (present?.[channel] ?? 'unknown'))
  const recorded = differing.filter(({ channel }) => replacesDenials || present?.[channel] !== 'denied')
  return { recorded, denialsKept: differing.length - recorded.length }
}

/** Returns the entries of an import for the histories of contacts. */
export function newConsents(planned: readonly { contactId: string; states: readonly State[] }[], importId: string, at: Date): NewConsent[] {
  const reference = wireId('imp', importId)
  return planned.flatMap(({ contactId, states }) =>
    states.map(({ channel, state }) => ({ contactId, channel, state, at, source: `import ${reference}`, wording: null, reference })),
  )
}
