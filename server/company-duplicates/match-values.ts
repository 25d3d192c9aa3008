import { addressText } from '../contact-duplicates/match-values.ts'
import type { CompanyRow } from '../companies/record.ts'
import { isDistinctive, lettersOf, minTypedLength, sortedWords, type NameForm } from './company-name.ts'
import { registrableName } from './domain-name.ts'

/** A company in the form in which it is compared. */
export interface MatchValues {
  readonly name: readonly NameForm[]
  /** What companies can share: `vat_id`, `phone`, `address` or `domain`, and its value. */
  readonly shared: readonly SharedValue[]
  readonly city: string | null
  readonly country: string | null
}

export type SharedKind = 'vat_id' | 'phone' | 'address' | 'domain'

export interface SharedValue {
  readonly kind: SharedKind
  readonly value: string
}

/** The columns by which companies are compared. */
export type MatchedColumns = Pick<CompanyRow, 'domains' | 'phone' | 'address' | 'vat_id'>

export function matchValuesOf({ domains, phone, address, vat_id }: MatchedColumns, name: readonly NameForm[]): MatchValues {
  const place = address === null ? undefined : addressText({ street: address.line1, city: address.city, postalCode: address.postalCode })
  const names = new Set(domains.flatMap((domain) => registrableName(domain) ?? []))
  const shared = [
    ...(vat_id === null ? [] : [{ kind: 'vat_id', value: vat_id } as const]),
    ...(phone === null ? [] : [{ kind: 'phone', value: phone } as const]),
    ...(place === undefined ? [] : [{ kind: 'address', value: place } as const]),
    ...[...names].map((value) => ({ kind: 'domain', value }) as const),
  ]
  return { name, shared, city: foldedCity(address?.city), country: address?.country ?? null }
}

/** Returns the letters of a city without accents; null without one. */
function foldedCity(city: string | null | undefined): string | null {
  if (city === null || city === undefined) return null
  const letters = city.toLowerCase().replaceAll(/ä/g, 'ae').replaceAll(/ö/g, 'oe').replaceAll(/ü/g, 'ue').normalize('NFKD') // prettier-ignore
  return letters.replaceAll(/[^\p{L}]/gu, '')
}

/** Returns the texts of the keys of a company: its values, its name, and the ends of its name, of which a typing error changes one. */
export function keyTextsOf({ name, shared }: MatchValues): string[] {
  const forms = name.filter(isDistinctive)
  const names = forms.flatMap((form) => [`name ${sortedWords(form)}`, `letters ${lettersOf(form)}`, ...endsOf(lettersOf(form))])
  return [...new Set([...shared.map(valueKey), ...names])]
}

/** Names of 8 and 9 letters have both lengths of ends, because an error can add or drop a letter. */
function endsOf(name: string): string[] {
  const lengths = name.length < minTypedLength - 1 ? [] : name.length < 8 ? [3] : name.length < 10 ? [3, 4] : [4]
  return lengths.flatMap((length) => [`start ${name.slice(0, length)}`, `end ${name.slice(-length)}`])
}

export const valueKey = ({ kind, value }: SharedValue): string => `${kind} ${value}`
