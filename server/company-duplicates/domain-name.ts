import { isSharedDomain } from '../companies/shared-domains.ts'
import { isCommonWord } from './company-name.ts'

/** Second levels under which countries register names, such as `co.uk`. */
const secondLevels = new Set(
  'ac co com edu gob gov gouv gub go gv ltd me mil ne net nom or org plc asn id school web ind firm sch nhs police lg info biz'.split(' '),
)

/**
 * Returns the name that a company registered, without its ending: `moss` of `shop.moss.co.uk`, or of `moss.wordpress.com`; undefined if
 * many companies can have it.
 */
export function registrableName(domain: string): string | undefined {
  if (isSharedDomain(domain)) return undefined
  const labels = domain.split('.')
  const [second = '', last = ''] = labels.slice(-2)
  const isLongEnding = (last.length === 2 && secondLevels.has(second)) || isSharedDomain(`${second}.${last}`)
  const name = labels.at(labels.length > 2 && isLongEnding ? -3 : -2)
  return name === undefined || name.length < 3 || isCommonWord(name) ? undefined : name
}
