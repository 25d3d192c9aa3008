import type { DuplicateReason } from '@groundwork/api'
import { compareNames, type NameRelation } from './compare-names.ts'
import { isRoleAddress, valueKey, type MatchValues, type SharedKind, type SharedValue } from './match-values.ts'

export interface Likeness {
  readonly confidence: number
  readonly reasons: DuplicateReason[]
}

/** What two contacts share. A shared line or mailbox is that of a company or a family. */
type Evidence = 'own_email' | 'shared_email' | 'own_phone' | 'shared_phone' | 'company' | 'email_domain' | 'address'

/**
 * How likely two contacts that share something are one person, by the relation of their names. Relatives share an address or a
 * number, and have another first name; colleagues share a company, a line and a domain.
 */
const likelihoods: Readonly<Record<Evidence, Readonly<Record<NameRelation, number>>>> = {
  own_email: { same: 0.99, similar: 0.96, initial: 0.93, part: 0.9, unknown: 0.85, other_surname: 0.8, different: 0.3 },
  own_phone: { same: 0.97, similar: 0.92, initial: 0.85, part: 0.8, unknown: 0.75, other_surname: 0.5, different: 0.2 },
  shared_email: { same: 0.92, similar: 0.8, initial: 0.6, part: 0.4, unknown: 0.4, other_surname: 0.2, different: 0.1 },
  shared_phone: { same: 0.9, similar: 0.8, initial: 0.6, part: 0.4, unknown: 0.4, other_surname: 0.2, different: 0.1 },
  company: { same: 0.88, similar: 0.78, initial: 0.65, part: 0.4, unknown: 0, other_surname: 0.2, different: 0 },
  email_domain: { same: 0.86, similar: 0.76, initial: 0.6, part: 0.4, unknown: 0, other_surname: 0.2, different: 0 },
  address: { same: 0.92, similar: 0.8, initial: 0.6, part: 0.4, unknown: 0, other_surname: 0.3, different: 0 },
}

const organizational: readonly Evidence[] = ['shared_email', 'shared_phone', 'company', 'email_domain']

/** Contacts with one number or mailbox from which on it is shared: those of a family and their duplicates are fewer. */
const minSharing = 6
/** A contact without a name can be any of several contacts with its number. */
const maxUnnamedSharing = 2

/**
 * Compares two contacts.
 * @param sharing returns how many contacts have an address or a number
 */
export function likenessOf(a: MatchValues, b: MatchValues, sharing: (value: SharedValue) => number): Likeness {
  const ofA = new Map(a.shared.map((each) => [valueKey(each), each]))
  const shared = b.shared.filter((each) => {
    const same = ofA.get(valueKey(each))
    // Two domains of a company say no more than the company.
    return same !== undefined && !(same.isOfCompany && each.isOfCompany)
  })
  const isSameMailbox = shared.some(({ kind }) => kind === 'email')
  // The same address says more than its domain.
  const common = isSameMailbox ? shared.filter(({ kind }) => kind !== 'email_domain') : shared
  const name = compareNames(a.name, b.name)
  const isOffice = isOfficeOf(a) || isOfficeOf(b)
  const evidence = new Set(common.map((each) => evidenceOf(each, name, sharing, isOffice)))
  const likely = [...evidence].map((each): [Evidence, number] => [each, likelihoods[each][name]])
  // Company, domain and line of an organization depend on each other.
  const ofOrganization = Math.max(0, ...likely.filter(([each]) => organizational.includes(each)).map(([, value]) => value))
  const ofPerson = likely.filter(([each]) => !organizational.includes(each)).map(([, value]) => value)
  const all = [...ofPerson, ofOrganization]
  const agree = name !== 'different' && name !== 'other_surname'
  const joined = agree ? 1 - all.reduce((wrong, value) => wrong * (1 - value), 1) : Math.max(...all)
  const contradicting = ofPerson.length > 0 && name !== 'unknown' ? 0 : contradictions(a, b)
  const confidence = joined - penalties[name === 'same' ? 'same' : 'other'] * contradicting
  return { confidence: Math.max(0, Math.round(Math.min(confidence, 0.99) * 100) / 100), reasons: reasonsOf(common, name) }
}

/** Returns whether a contact without a name has the address of a company. */
const isOfficeOf = ({ name, shared }: MatchValues): boolean =>
  name.first.words.length + name.last.words.length === 0 && shared.some(({ kind, value }) => kind === 'email' && isRoleAddress(value))

function evidenceOf(value: SharedValue, name: NameRelation, sharing: (value: SharedValue) => number, isOffice: boolean): Evidence {
  const { kind } = value
  if (kind !== 'email' && kind !== 'phone') return kind
  const count = sharing(value)
  const isAnybody = (name === 'unknown' || name === 'part') && count > maxUnnamedSharing
  const isShared = count >= minSharing || isAnybody || isOffice || (kind === 'email' && isRoleAddress(value.value))
  return isShared ? `shared_${kind}` : `own_${kind}`
}

/** Colleagues with similar names have different addresses and numbers; so does a person who changed them. */
const penalties = { same: 0.04, other: 0.08 }

/** Returns how many kinds of values both have, without a common one. */
const contradictions = (a: MatchValues, b: MatchValues): number =>
  (['email', 'phone'] as const).filter((kind) => hasOwn(a, kind) && hasOwn(b, kind) && !haveCommon(a, b, kind)).length

const hasOwn = ({ shared }: MatchValues, kind: SharedKind): boolean =>
  shared.some((each) => each.kind === kind && !(kind === 'email' && isRoleAddress(each.value)))

const haveCommon = (a: MatchValues, b: MatchValues, kind: SharedKind): boolean =>
  a.shared.some((each) => each.kind === kind && b.shared.some((other) => valueKey(other) === valueKey(each)))

function reasonsOf(common: readonly SharedValue[], name: NameRelation): DuplicateReason[] {
  const kinds = [...new Set(common.map(({ kind }) => kind))]
  if (name === 'same') return ['name', ...kinds]
  return name === 'similar' || name === 'initial' || name === 'part' ? ['similar_name', ...kinds] : kinds
}
