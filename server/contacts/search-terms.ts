import { parsePhone } from './phone.ts'

/** A word of a search as it stands in `search_text`: `part` must be found there, and best is where `whole` is a word. */
export interface SearchWord {
  readonly part: string
  readonly whole: string
}

/**
 * Returns the ways to read a search, the likeliest first: a phone number if the search could be one, then words. The words
 * are those of contact_words in migration 0063, longest first, because the first word drives the index and narrows most.
 * Empty for a search without letters and digits.
 */
export function searchReadings(query: string): SearchWord[][] {
  const phone = phoneTerm(query)
  const words = wordTerms(query)
  return [...(phone === undefined ? [] : [[phone]]), ...(words.length === 0 ? [] : [words])]
}

/**
 * Returns the digits without the trunk zero, which an international number does not have. The part of an international
 * number is its national one, which also matches numbers that were stored with a trunk zero.
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
// oxlint-disable-next-line no-control-regex -- the class of migration 0063
const punctuation = /[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+/
