import { legalForms } from '../companies/legal-forms.ts'
import { isMailProvider } from '../companies/shared-domains.ts'
import { emailsOf, phonesOf, type ContactRow } from '../contacts/record.ts'
import { personName, soundsOf, type NameForms, type PersonName } from './person-name.ts'

/** A contact in the form in which it is compared. */
export interface MatchValues {
  readonly id: string
  readonly name: PersonName
  /** What contacts can share: `email`, `phone`, `company`, `email_domain` or `address`, and its value. */
  readonly shared: readonly SharedValue[]
}

export type SharedKind = 'email' | 'phone' | 'company' | 'email_domain' | 'address'

export interface SharedValue {
  readonly kind: SharedKind
  readonly value: string
  /** Whether a domain is that of the contact's company, and of none of its email addresses. */
  readonly isOfCompany?: boolean
}

/** The columns by which contacts are compared. */
export type MatchedColumns = Pick<ContactRow, 'id' | 'first_name' | 'last_name' | 'email' | 'emails' | 'phone' | 'phones' | 'address'> & {
  readonly company_name: string | null
  readonly company_domains: readonly string[] | null
  readonly first_forms: NameForms | null
  readonly last_forms: NameForms | null
}

export function matchValuesOf(row: MatchedColumns): MatchValues {
  const emails = emailsOf(row).map(({ value }) => mailboxOf(value))
  const domains = emails.flatMap((email) => companyDomainOf(email) ?? [])
  const phones = phonesOf(row).map(({ value, extension }) => (extension === null ? value : `${value}x${extension}`))
  const company = row.company_name === null ? undefined : companyWords(row.company_name)
  const address = row.address === null ? undefined : addressText(row.address)
  const shared = [
    ...emails.map((value): SharedValue => ({ kind: 'email', value })),
    ...phones.map((value): SharedValue => ({ kind: 'phone', value })),
    ...(row.company_domains ?? [])
      .filter((domain) => !isMailProvider(domain))
      .map((value): SharedValue => ({ kind: 'email_domain', value, isOfCompany: true })),
    ...domains.map((value): SharedValue => ({ kind: 'email_domain', value })),
    ...(company === undefined ? [] : [{ kind: 'company', value: company } as const]),
    ...(address === undefined ? [] : [{ kind: 'address', value: address } as const]),
  ]
  const name = personName({ firstName: row.first_name, lastName: row.last_name }, { first: row.first_forms, last: row.last_forms })
  return { id: row.id, name, shared: uniqueValues(shared) }
}

const uniqueValues = (values: readonly SharedValue[]): SharedValue[] => [
  ...new Map(values.map((each) => [`${each.kind} ${each.value}`, each])).values(),
]

/** Returns the address of the mailbox: without a tag behind a plus sign, and in Gmail without dots. */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  const name = email.slice(0, at).toLowerCase().replace(/(?<=.)\+.*$/, '') // prettier-ignore
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${name}@${domain}`
  return `${name.replaceAll('.', '')}@gmail.com`
}

function companyDomainOf(mailbox: string): string | undefined {
  const domain = mailbox.slice(mailbox.lastIndexOf('@') + 1)
  return isMailProvider(domain) ? undefined : domain
}

const roles = new Set(
  `info office kontakt contact contato contacto mail email post hello hallo hi team service support help admin administrator verwaltung
  sales vertrieb verkauf ventas commercial einkauf purchasing accounting buchhaltung accounts billing rechnung rechnungen invoice invoices
  hr jobs bewerbung careers press presse marketing webmaster postmaster noreply no-reply empfang reception zentrale sekretariat
  bestellung bestellungen orders order shop praxis kanzlei buero kundenservice anfrage anfragen booking reservierung none unknown test`.split(
    /\s+/,
  ),
)

/** Returns whether an address is that of a company, not of a person. */
export const isRoleAddress = (mailbox: string): boolean => roles.has(mailbox.slice(0, mailbox.lastIndexOf('@')))

/** Returns the name of a company without its legal form. */
function companyWords(name: string): string | undefined {
  const words = fold(name).split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '') // prettier-ignore
  const kept = words.filter((word) => !legalForms.has(word))
  const text = (kept.length === 0 ? words : kept).join('')
  return text === '' ? undefined : text
}

type PostalAddress = Pick<NonNullable<ContactRow['address']>, 'street' | 'city' | 'postalCode'>

/** Returns number, street and place in a form that abbreviations do not change; undefined without them. */
export function addressText({ street, city, postalCode }: PostalAddress): string | undefined {
  if (street === null) return undefined
  const text = fold(street)
  const [number] = /\d+\s*[a-z]?(?![a-z0-9])/.exec(text) ?? []
  const words = text.match(/\p{L}{3,}/gu) ?? []
  const longest = words.toSorted((a, b) => b.length - a.length)[0]
  const place = postalCode ?? city
  if (number === undefined || longest === undefined || place === null) return undefined
  return `${number.replaceAll(/\s/g, '')} ${longest.slice(0, 4)} ${fold(place).replaceAll(/[^\p{L}\p{N}]/gu, '')}`
}

const fold = (text: string): string => text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss')

/**
 * Returns the texts of the keys of a contact: addresses and numbers alone, and each value that many can share with each word of the
 * name. The first ones find contacts with another name or none, the others the same person among many contacts with a value.
 */
export function keyTextsOf({ name, shared }: MatchValues): string[] {
  const sounds = soundsOf(name)
  return shared.flatMap((each) => [
    ...(isPersonal(each) ? [valueKey(each)] : []),
    ...(isShareable(each) ? sounds.map((sound) => `${valueKey(each)} ${sound}`) : []),
  ])
}

const isPersonal = ({ kind }: SharedValue): boolean => kind === 'email' || kind === 'phone'

const isShareable = ({ kind, value }: SharedValue): boolean => kind !== 'email' || isRoleAddress(value)

export const valueKey = ({ kind, value }: SharedValue): string => `${kind} ${value}`
