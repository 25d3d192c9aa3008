import type { ConsentField, ConsentState } from '@groundwork/api'
import { words } from './guess.ts'

const list = (texts: string): ReadonlySet<string> => new Set(texts.split('|'))

/** Common cells of columns about consent, also of HubSpot and Mailchimp, in the form of `words`. */
const yes = list('yes|y|true|1|x|ja|oui|si')
const no = list('no|n|false|0|nein|non')
const consents = list('granted|opt in|opted in|optin|subscribed|consented|agreed|accepted')
const refusals = list('denied|opt out|opted out|optout|unsubscribed|refused|withdrawn|revoked')
const neither = list('unknown|not specified|not set|none|pending|non subscribed|nonsubscribed|unbekannt')

/**
 * Returns the state of a cell; undefined for an unknown word. An opt-out that is not set says nothing, so it is null.
 * @param field `consent.…` of columns with consents, `optOut.…` of columns that are yes for a refusal
 */
export function consentState(field: ConsentField, text: string): ConsentState | null | undefined {
  const word = words(text)
  const isOptOut = field.startsWith('optOut.')
  if (refusals.has(word) || (isOptOut ? yes : no).has(word)) return 'denied'
  if (consents.has(word) || (isOptOut ? no : yes).has(word)) return isOptOut ? null : 'granted'
  return neither.has(word) ? (isOptOut ? null : 'unknown') : undefined
}

const strictness: readonly ConsentState[] = ['unknown', 'granted', 'denied']

/** Returns the state of two columns: a refusal in one of them counts. */
export const stricter = (one: ConsentState | undefined, other: ConsentState): ConsentState =>
  one !== undefined && strictness.indexOf(one) > strictness.indexOf(other) ? one : other
