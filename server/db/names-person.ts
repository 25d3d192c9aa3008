import { sql, type RawBuilder } from 'kysely'
import { likePattern } from '../lib/like.ts'
import type { PersonalTerms, PhoneTerm } from '../lib/personal-terms.ts'

/**
 * Returns the SQL condition that a text contains one of the terms as a whole: `ann@x.example` is not part of `joann@x.example`, and
 * `Ann Lee` is not part of `Joann Leeds`. Names ignore case, accents and punctuation, and numbers can be of any form. In scripts without
 * spaces between words, a name can be anywhere in a text.
 */
export function namesPerson(text: RawBuilder<unknown>, { phrases, unspacedNames, addresses, numbers }: PersonalTerms): RawBuilder<boolean> {
  // Few people have such a name, and texts of a whole event log are folded for it.
  const hasUnspacedName =
    unspacedNames.length === 0
      ? sql``
      : sql`or replace(contact_fold(${text}), ' ', '') like any (${unspacedNames.map(likePattern)}::text[])`
  return sql`(' ' || contact_fold(${text}) || ' ' like any (${phrases.map((phrase) => likePattern(` ${phrase} `))}::text[])
    or lower(${text}) ~ any (${pattern(addresses.map(escaped), boundaries.address)}::text[])
    or contact_fold(${text}) ~ any (${pattern(numbers.map(written), boundaries.number)}::text[]) ${hasUnspacedName})`
}

const boundaries = {
  address: ['(?<![[:alnum:]._+-])', '(?![[:alnum:]-]|\\.[[:alnum:]])'],
  number: ['(?<![0-9])', '(?![0-9])'],
} as const

/** Returns one pattern for all terms, since PostgreSQL keeps only 32 compiled patterns; none without terms. */
const pattern = (terms: readonly string[], [before, after]: readonly [string, string]): string[] =>
  terms.length === 0 ? [] : [`${before}(?:${terms.join('|')})${after}`]

const escaped = (term: string): string => term.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')

/** Returns the pattern of a number in folded text: spaces between digits, calling code and trunk prefix are optional. */
const written = ({ callingCode, national }: PhoneTerm): string =>
  `${callingCode === '' ? '' : `(?:(?:(?:00|011) ?)?${callingCode} ?)?`}(?:[08] ?)?${[...national].join(' ?')}`
