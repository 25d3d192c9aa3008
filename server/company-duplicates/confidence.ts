import type { CompanyDuplicateReason } from '@groundwork/api'
import { compareCompanyNames, type NameRelation } from './company-name.ts'
import { valueKey, type MatchValues, type SharedKind } from './match-values.ts'

export interface CompanyLikeness {
  readonly confidence: number
  readonly reasons: CompanyDuplicateReason[]
}

/**
 * How likely two companies are the same, by what they have in common and the relation of their names. Companies of a group share
 * an address, a line or a VAT id, and have other names.
 */
const likelihoods: Readonly<Record<NameRelation, Readonly<Record<'name' | SharedKind, number>>>> = {
  same: { name: 0.8, vat_id: 0.95, phone: 0.85, address: 0.8, domain: 0.8 },
  similar: { name: 0.72, vat_id: 0.9, phone: 0.75, address: 0.65, domain: 0.65 },
  described: { name: 0.5, vat_id: 0.8, phone: 0.75, address: 0.6, domain: 0.6 },
  part: { name: 0.3, vat_id: 0.6, phone: 0.6, address: 0.45, domain: 0.45 },
  branch: { name: 0.3, vat_id: 0.45, phone: 0.3, address: 0.3, domain: 0.3 },
  different: { name: 0, vat_id: 0.75, phone: 0.4, address: 0.3, domain: 0.5 },
}

/** Of branches, and of companies with different VAT ids. */
const maxUnlike = 0.65
/** A number or an address of more companies says nothing about those with other names. */
const maxSharing = 5

/**
 * Compares two companies.
 * @param countOf returns how many companies have a value
 */
export function likenessOf(a: MatchValues, b: MatchValues, countOf: (key: string) => number): CompanyLikeness {
  const keys = new Set(a.shared.map(valueKey))
  const common = b.shared.filter((each) => keys.has(valueKey(each)))
  const name = relationOf(a, b)
  const isNamed = name === 'same' || name === 'similar'
  const evidence = common.filter((each) => isNamed || each.kind === 'vat_id' || countOf(valueKey(each)) <= maxSharing)
  const kinds = [...new Set(evidence.map(({ kind }) => kind))]
  const wrong = (['name', ...kinds] as const).reduce((product, kind) => product * (1 - likelihoods[name][kind]), 1)
  const most = name === 'branch' || differIn(a, b, 'vat_id') ? maxUnlike : 0.99
  const confidence = Math.min(1 - wrong, most) - (kinds.length === 0 ? penalty(a, b, name) : 0)
  return { confidence: Math.max(0, Math.round(confidence * 100) / 100), reasons: [...nameReasons[name], ...kinds] }
}

/** A company with a further word in another city is a branch. */
function relationOf(a: MatchValues, b: MatchValues): NameRelation {
  const relation = compareCompanyNames(a.name, b.name)
  return relation === 'part' && areElsewhere(a, b) ? 'branch' : relation
}

const nameReasons: Readonly<Record<NameRelation, readonly CompanyDuplicateReason[]>> = {
  same: ['name'],
  similar: ['similar_name'],
  described: ['similar_name'],
  part: ['similar_name'],
  branch: [],
  different: [],
}

/** Returns what contradictions take from the confidence of companies that have nothing but their name in common. */
function penalty(a: MatchValues, b: MatchValues, name: NameRelation): number {
  const haveDifferentDomains = differIn(a, b, 'domain')
  if (differIn(a, b, 'vat_id') || (areElsewhere(a, b) && haveDifferentDomains)) return 0.4
  if (name === 'same') return areElsewhere(a, b) || haveDifferentDomains ? 0.05 : 0
  return areElsewhere(a, b) || haveDifferentDomains || differIn(a, b, 'phone') ? 0.1 : 0
}

const areElsewhere = (a: MatchValues, b: MatchValues): boolean => differ(a.city, b.city) || differ(a.country, b.country)

const differ = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b

/** Returns whether both have values of a kind, and none in common. */
function differIn(a: MatchValues, b: MatchValues, kind: SharedKind): boolean {
  const [ofA, ofB] = [a, b].map(({ shared }) => shared.filter((each) => each.kind === kind).map(({ value }) => value))
  return ofA !== undefined && ofB !== undefined && ofA.length > 0 && ofB.length > 0 && !ofA.some((value) => ofB.includes(value))
}
