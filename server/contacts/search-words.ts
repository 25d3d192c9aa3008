import { parsePhone } from './phone.ts'

/** A word of a search as it stands in `search_text`: `part` must be found there, and best is where `whole` is a word. */
export interface SearchWord {
  readonly part: string
  readonly whole: string
}

/**
 * Returns the words of a search (contact_words of migration 0063 makes those of a contact), longest first: the first one drives
 * the index and narrows most. A search that is all phone number is one word: the digits without the trunk zero that an
 * international number does not have. The part of an international number is its national one, which is also found in
 * numbers that were stored with a trunk zero.
 */
export function searchWords(query: string): SearchWord[] {
  const digits = query.replace(/\D/g, '')
  if (/^\+?[\d\s().\-/]+$/.test(query) && digits.length >= 5) {
    const number = parsePhone(query)
    if (number !== undefined) return [{ part: number.nationalNumber, whole: number.number.slice(1) }]
    const part = digits.replace(/^0+(?=\d)/, '')
    return [{ part, whole: part }]
  }
  const words = query.toLowerCase().replace(apostrophes, '').normalize('NFKD').replace(accents, '').split(punctuation)
  return [...new Set(words)]
    .filter((word) => word !== '')
    .toSorted((a, b) => b.length - a.length)
    .map((word) => ({ part: word, whole: word }))
}

const apostrophes = /['`\u00b4\u02bc\u2018\u2019\u2032\uff07]/g
const accents = /[\u0300-\u036f]+/g
// oxlint-disable-next-line no-control-regex -- the class of migration 0063
const punctuation = /[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+/
