import { parsePhone } from './phone.ts'

/** A word of a search in the form of `search_text`. `part` must occur there; a match ranks higher if it is the word `whole`. */
export interface SearchWord {
  readonly part: string
  readonly whole: string
}

/**
 * Returns the interpretations of a search, the most likely first: a phone number if the search could be one, then words. Words
 * are split like those of the SQL function `contact_words`, longest first, because the first word drives the index and is the
 * most selective. Empty for a search without letters and digits.
 */
export function searchReadings(query: string): SearchWord[][] {
  const phone = phoneTerm(query)
  const words = wordTerms(query)
  return [...(phone === undefined ? [] : [[phone]]), ...(words.length === 0 ? [] : [words])]
}

/**
 * Returns the digits without the trunk zero, which an international number does not have. `part` of an international number is
 * its national number, which also matches numbers that were stored with a trunk zero.
 */
function phoneTerm(query: string): SearchWord | undefined {
  const digits = query.replace(/\D/g, '')
  if (!/^\+?[\d\s().\-/]+$/.test(query) || digits.length < 5) return undefined
  const number = parsePhone(query)
  if (number !== undefined) return { part: number.nationalNumber, whole: number.number.slice(1) }
  const part = digits.replace(/^0+(?=\d)/, '')
  return { part, whole: part }
}

function wordTerms(query: string): SearchWord[] {
  const words = query.toLowerCase().replace(apostrophes, '').normalize('NFKD').replace(accents, '').split(punctuation)
  return [...new Set(words)]
    .filter((word) => word !== '')
    .toSorted((a, b) => b.length - a.length)
    .map((word) => ({ part: word, whole: word }))
}

const apostrophes = /['`\u00b4\u02bc\u2018\u2019\u2032\uff07]/g
const accents = /[\u0300-\u036f]+/g
// oxlint-disable-next-line no-control-regex -- the same class as in the SQL function contact_words
const punctuation = /[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+/
