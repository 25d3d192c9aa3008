import { channels, contactFilterKeys, type SearchFilter } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { presentCompanies } from '../companies/survivor.ts'
import { presentContacts } from '../contact-merges/survivor.ts'
import { AppError } from '../lib/errors.ts'
import { storedEmail } from './emails.ts'
import { storedPhones } from './phones.ts'

type Condition = RawBuilder<boolean>
type Bound = string | number

type FilterKind = keyof typeof contactFilterKeys

const kinds = new Map(
  // Safe cast: the keys of a constant.
  (Object.keys(contactFilterKeys) as FilterKind[]).flatMap((kind) =>
    contactFilterKeys[kind].map((key): [string, FilterKind] => [key, kind]),
  ),
)

/** Returns the kind of the values of a key; undefined if there is no such key, and for custom fields. */
export const kindOfKey = (key: string): FilterKind | undefined => kinds.get(key)

/** The columns of the keys of filters. */
export const filterColumns: Readonly<Record<string, RawBuilder<unknown>>> = {
  id: sql`contact.id`,
  firstName: sql`contact.first_name`,
  lastName: sql`contact.last_name`,
  email: sql`contact.email`,
  phone: sql`contact.phone`,
  externalId: sql`contact.external_id`,
  emails: sql`contact.email`,
  phones: sql`contact.phone`,
  source: sql`contact.source`,
  jobTitle: sql`contact.job_title`,
  language: sql`contact.language`,
  timeZone: sql`contact.time_zone`,
  doNotContact: sql`contact.do_not_contact`,
  ...addressColumns('address.', sql`contact.address`, ['street', 'city', 'postalCode', 'region', 'country']),
  tags: sql`contact.tags`,
  companyId: sql`contact.company_id`,
  ownerId: sql`contact.owner_id`,
  createdAt: sql`contact.created_at`,
  updatedAt: sql`contact.updated_at`,
  lastInteractionAt: sql`contact.last_interaction_at`,
  'consent.email': sql`coalesce(contact.consent ->> 'email', 'unknown')`,
  'consent.phone': sql`coalesce(contact.consent ->> 'phone', 'unknown')`,
  'consent.sms': sql`coalesce(contact.consent ->> 'sms', 'unknown')`,
  'consent.post': sql`coalesce(contact.consent ->> 'post', 'unknown')`,
  ...Object.fromEntries(channels.map((channel) => [`consent.${channel}.at`, sql`entry.at`])),
  company: sql`company.name`,
  'company.externalId': sql`company.external_id`,
  'company.phone': sql`company.phone`,
  'company.vatId': sql`company.vat_id`,
  'company.tags': sql`company.tags`,
  'company.domains': sql`company.domains`,
  ...addressColumns('company.address.', sql`company.address`, ['city', 'postalCode', 'region', 'country']),
  'proposals.title': sql`proposal.title`,
  'proposals.externalId': sql`proposal.external_id`,
  'proposals.number': sql`proposal.number`,
  'proposals.expiresAt': sql`proposal.expires_at`,
  'proposals.status': sql`proposal.status`,
  'proposals.currency': sql`proposal.currency`,
  'proposals.sentAt': sql`proposal.sent_at`,
  'proposals.completedAt': sql`proposal.completed_at`,
  'proposals.totalAmount': sql`proposal.total_amount`,
  'activities.type': sql`activity.type`,
  'activities.occurredAt': sql`activity.occurred_at`,
  'activities.direction': sql`activity.direction`,
  'activities.externalId': sql`activity.external_id`,
  'activities.assigneeId': sql`activity.assignee_id`,
  'activities.dueAt': sql`activity.due_at`,
  'activities.doneAt': sql`activity.done_at`,
}

function addressColumns(prefix: string, address: RawBuilder<unknown>, lines: readonly string[]): Record<string, RawBuilder<unknown>> {
  return Object.fromEntries(lines.map((line) => [`${prefix}${line}`, sql`(${address} ->> ${sql.lit(line)})`]))
}

/** Returns SQL for an array of the values of a column that texts mean. */
type ValuesOf = (texts: readonly string[]) => RawBuilder<unknown>

const uuidsIn = (texts: readonly string[]): string[] => texts.flatMap((text) => uuidIn(text) ?? [])
const numbersIn = (texts: readonly string[]): number[] => texts.flatMap((text) => /^P-([1-9]\d{0,8})$/.exec(text)?.[1] ?? []).map(Number)

/** Keys whose values are written in another way than the columns have them. Former ids of merged records lead to the survivor. */
const valuesOf: Readonly<Record<string, ValuesOf>> = {
  id: (texts) => presentContacts(uuidsIn(texts)),
  companyId: (texts) => presentCompanies(uuidsIn(texts)),
  'proposals.number': (texts) => sql`${numbersIn(texts)}::integer[]`,
}

/** The condition of a record of another table that belongs to a contact. */
const related: Readonly<Record<string, (condition: Condition) => Condition>> = {
  company: (condition) =>
    sql`exists (select from company where company.organization_id = contact.organization_id and company.id = contact.company_id
      and company.deleted_at is null and ${condition})`,
  proposals: (condition) =>
    sql`exists (select from proposal where proposal.organization_id = contact.organization_id and proposal.contact_id = contact.id and ${condition})`,
  activities: (condition) =>
    sql`exists (select from activity where activity.organization_id = contact.organization_id and activity.contact_id = contact.id and ${condition})`,
  ...Object.fromEntries(channels.map((channel) => [`consent.${channel}.at`, latestConsent(channel)])),
}

/** The condition of the last consent of a channel, for which an index finds the contacts. */
function latestConsent(channel: string): (condition: Condition) => Condition {
  return (condition) => sql`contact.id in (select entry.contact_id from consent_change as entry
    where entry.channel = ${channel} and ${condition} and not exists (
      select from consent_change as later
      where later.organization_id = entry.organization_id and later.contact_id = entry.contact_id and later.channel = entry.channel
        and (later.at, later.created_at, later.id) > (entry.at, entry.created_at, entry.id)))`
}

/**
 * Compiles a filter to SQL on the table `contact`, with its values as parameters. A comparison with a value of another type does not hold.
 * Only in negations, a condition is never null, because `coalesce` would keep it from using an index. `withFieldIds` checks the keys of
 * custom fields.
 * @throws AppError `validation_error`, field `filter…key`, for an unknown key
 */
export function contactCondition(filter: SearchFilter, path = 'filter', isNegated = false): Condition {
  if (filter.and !== undefined) return joined(filter.and, `${path}.and`, sql` and `, isNegated)
  if (filter.or !== undefined) return joined(filter.or, `${path}.or`, sql` or `, isNegated)
  if (filter.not !== undefined) return sql`not (${contactCondition(filter.not, `${path}.not`, true)})`
  return keyCondition(filter, path, isNegated)
}

export const noSuchKey = (key: string, path: string): AppError =>
  new AppError('validation_error', `filter: there is no key ${JSON.stringify(key)}`, { field: `${path}.key` })

const joined = (filters: readonly SearchFilter[], path: string, operator: RawBuilder<unknown>, isNegated: boolean): Condition =>
  sql`(${sql.join(
    filters.map((each, at) => contactCondition(each, `${path}.${at}`, isNegated)),
    operator,
  )})`

function keyCondition(filter: SearchFilter, path: string, isNegated: boolean): Condition {
  const { key = '' } = filter
  if (/^customFields\../.test(key)) return customFieldCondition(sql`contact.custom_fields`, key.slice('customFields.'.length), filter)
  if (/^company\.customFields\../.test(key)) return companyFieldCondition(key.slice('company.customFields.'.length), filter)
  const column = filterColumns[key]
  const kind = kindOfKey(key)
  if (column === undefined || kind === undefined) throw noSuchKey(key, path)
  const relation = Object.hasOwn(related, key) ? key : (key.split('.')[0] ?? '')
  const relate = Object.hasOwn(related, relation) ? related[relation] : undefined
  const compared = comparedWith(column, kind, filter)
  const isSet = kind === 'list' ? sql<boolean>`cardinality(${column}) > 0` : sql<boolean>`${column} is not null`
  const inRecord = compared.length === 0 ? isSet : all(compared)
  const holds = relate?.(inRecord) ?? (isNegated ? sql<boolean>`coalesce(${inRecord}, false)` : inRecord)
  if (filter.exists !== false)
    return filter.exists === true && compared.length > 0 ? sql`(${holds} and ${relate?.(isSet) ?? isSet})` : holds
  const isAbsent = relate === undefined ? sql<boolean>`not ${isSet}` : sql<boolean>`not ${relate(isSet)}`
  return compared.length === 0 ? isAbsent : sql`(${holds} and ${isAbsent})`
}

/** Returns the conditions of a comparison, and one that an index finds if it has the key. */
const comparedWith = (column: RawBuilder<unknown>, kind: FilterKind, filter: SearchFilter): Condition[] => [
  ...ofDomains(filter),
  ...comparisons(column, kind, filter, valuesOf[filter.key ?? '']),
]

/** Returns the condition of the companies with one of the domains; none for another key. */
function ofDomains(filter: SearchFilter): Condition[] {
  const texts = textsOf(filter)
  if (filter.key !== 'company.domains' || texts === undefined) return []
  return [sql`company.id = any(array(select company_id from company_domain where domain = any(lower_tags(${texts}::text[]))))`]
}

/** Returns the texts of which a value has to be one; undefined for another comparison. */
export const textsOf = ({ eq, in: any }: SearchFilter): string[] | undefined =>
  (eq === undefined ? any : [eq])?.filter((value) => typeof value === 'string')

/** Returns the condition of the companies that a comparison finds; undefined for a comparison of something else. */
export function companyCondition(filter: SearchFilter): Condition | undefined {
  const { key = '' } = filter
  const [column, kind] = [filterColumns[key], kindOfKey(key)]
  if (!/^company(?:\.|$)/.test(key) || column === undefined || kind === undefined) return undefined
  const compared = comparedWith(column, kind, filter)
  return compared.length === 0 ? undefined : all(compared)
}

const all = (conditions: readonly Condition[]): Condition => sql`(${sql.join(conditions, sql` and `)})`
const never = sql<boolean>`false`

/** Returns the conditions of a comparison. One with a value of another type never holds. */
export function comparisons(
  column: RawBuilder<unknown>,
  kind: FilterKind,
  filter: SearchFilter,
  values: ValuesOf = kind === 'id' ? (texts) => sql`${uuidsIn(texts)}::uuid[]` : (texts) => sql`${texts}::text[]`,
): Condition[] {
  const { eq } = filter
  const wanted = [...(eq === undefined ? [] : [[eq]]), ...(filter.in === undefined ? [] : [filter.in])]
  const bounds = [
    [sql`>`, filter.gt],
    [sql`>=`, filter.gte],
    [sql`<`, filter.lt],
    [sql`<=`, filter.lte],
  ] as const
  return [
    ...wanted.map((any) => equalsAny(column, kind, any, values)),
    ...bounds.flatMap(([operator, bound]) => (bound === undefined ? [] : [isBeyond(column, kind, operator, bound)])),
  ]
}

function equalsAny(
  column: RawBuilder<unknown>,
  kind: FilterKind,
  wanted: readonly (string | number | boolean)[],
  valuesIn: ValuesOf,
): Condition {
  const texts = wanted.filter((value) => typeof value === 'string')
  if (kind === 'boolean') return equalsBoolean(column, wanted)
  if (kind === 'emails')
    return sql`contact.id in (select contacts_with_email(any_of) from unnest(${texts.map(storedEmail)}::text[]) as any_of)`
  if (kind === 'phones') return sql`contact.id in (select contacts_with_phone(${texts.flatMap(internationalPhones)}::text[]))`
  if (kind === 'email') return sql`${column} = any(${texts.map(storedEmail)}::text[])`
  if (kind === 'phone') return sql`${column} = any(${texts.flatMap(internationalPhones)}::text[])`
  if (kind === 'list') return sql`lower_tags(${column}) && lower_tags(${texts}::text[])`
  if (kind === 'number') return sql`${column} = any(${wanted.filter((value) => typeof value === 'number')}::numeric[])`
  if (kind === 'time') return sql`${column} = any(array(select moment_of(moment) from unnest(${texts}::text[]) as moment))`
  return sql`${column} = any(${valuesIn(texts)})`
}

/** The column alone, so that an index of contacts with the value is usable. */
function equalsBoolean(column: RawBuilder<unknown>, values: readonly unknown[]): Condition {
  const [isTrue, isFalse] = [values.includes(true), values.includes(false)]
  if (isTrue === isFalse) return isTrue ? sql`true` : never
  return isTrue ? sql`${column}` : sql`not ${column}`
}

const internationalPhones = (text: string): string[] => storedPhones(text, null)

const uuidIn = (id: string): string | undefined => /^(?:[a-z]+_)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(id)?.[1]

function isBeyond(column: RawBuilder<unknown>, kind: FilterKind, operator: RawBuilder<unknown>, bound: Bound): Condition {
  if (kind === 'number' && typeof bound === 'number') return sql`${column} ${operator} ${bound}::numeric`
  if (kind === 'time' && typeof bound === 'string') return sql`${column} ${operator} moment_of(${bound})`
  return never
}

/** Compares the JSON value of a custom field of the company. A contact without a company has none. */
function companyFieldCondition(id: string, filter: SearchFilter): Condition {
  const { exists, ...compared } = filter
  const ofCompany = (conditions: SearchFilter): Condition => {
    const condition = customFieldCondition(sql`company.custom_fields`, id, conditions)
    return related['company']?.(condition) ?? condition
  }
  if (exists !== false) return ofCompany(filter)
  return Object.keys(compared).length > 1 ? never : sql`not ${ofCompany({ key: filter.key, exists: true })}`
}

/** Compares the JSON value of a custom field. */
function customFieldCondition(values: RawBuilder<unknown>, id: string, filter: SearchFilter): Condition {
  const value = sql`(${values} -> ${id}::text)`
  const text = sql`(${values} ->> ${id}::text)`
  const equals = (wanted: readonly unknown[]): Condition =>
    sql`(${value} = any(${wanted.map((each) => JSON.stringify(each))}::jsonb[]) or exists (
      select from jsonb_array_elements(case jsonb_typeof(${value}) when 'array' then ${value} else '[]' end) as element
      where element = any(${wanted.map((each) => JSON.stringify(each))}::jsonb[])))`
  const beyond = (operator: RawBuilder<unknown>, bound: Bound): Condition =>
    typeof bound === 'number'
      ? sql`case jsonb_typeof(${value}) when 'number' then ${text}::numeric ${operator} ${bound}::numeric else false end`
      : sql`case jsonb_typeof(${value}) when 'string' then moment_of(${text}) ${operator} moment_of(${bound}) else false end`
  const conditions = [
    ...(filter.eq === undefined ? [] : [equals([filter.eq])]),
    ...(filter.in === undefined ? [] : [equals(filter.in)]),
    ...(filter.gt === undefined ? [] : [beyond(sql`>`, filter.gt)]),
    ...(filter.gte === undefined ? [] : [beyond(sql`>=`, filter.gte)]),
    ...(filter.lt === undefined ? [] : [beyond(sql`<`, filter.lt)]),
    ...(filter.lte === undefined ? [] : [beyond(sql`<=`, filter.lte)]),
    ...(filter.exists === undefined ? [] : [filter.exists ? sql<boolean>`${value} is not null` : sql<boolean>`${value} is null`]),
  ]
  return sql`coalesce(${all(conditions)}, false)`
}
