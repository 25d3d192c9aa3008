import type { SearchFilter } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { selectSql, type Context } from '../context.ts'
import type { Page } from './contacts-in-order.ts'
import { companyCondition, comparisons, filterColumns, kindOfKey, textsOf } from './filter.ts'

/** Records of another table that meet a comparison of a filter. */
export interface RelatedRecords {
  readonly table: 'proposal' | 'activity' | 'contact_tag' | 'company'
  readonly condition: RawBuilder<boolean>
  /** Whether they have one value, so that an index has them in the order of their contacts. */
  readonly isOneValue: boolean
  /** The tag of all records, if they are of one. */
  readonly tag?: string
  /** The values of which each of the companies has one, if an index of `companies_with` has them. */
  readonly facet?: { readonly field: string; readonly values: readonly string[] }
}

/** Columns of which an index of the table contains the contact and the time of its creation. */
const indexedKeys = new Set([
  'proposals.title',
  'proposals.status',
  'proposals.currency',
  'proposals.sentAt',
  'proposals.expiresAt',
  'proposals.completedAt',
  'proposals.totalAmount',
  'activities.type',
  'activities.direction',
  'activities.assigneeId',
  'activities.occurredAt',
  'activities.dueAt',
  'activities.doneAt',
])

const textKeys = new Set(['proposals.title', 'proposals.status', 'proposals.currency', 'activities.type', 'activities.direction'])
/** More values are compared at once. */
const maxValues = 8

/**
 * Returns a list of alternatives for each comparison of a filter with records of another table. A matching contact has a record of at
 * least one alternative of each list.
 */
export function relatedRecords({ and, or, key = '', exists, ...comparison }: SearchFilter): RelatedRecords[][] {
  if (and !== undefined) return and.flatMap(relatedRecords)
  if (or !== undefined) {
    const firsts = or.map((each) => relatedRecords(each)[0])
    return firsts.includes(undefined) ? [] : [firsts.flatMap((first = []) => first)]
  }
  if (key === 'tags') return tagsIn(comparison, exists)
  const ofCompany = exists === false ? undefined : companyCondition({ key, ...comparison })
  if (ofCompany !== undefined) return [[{ table: 'company', condition: ofCompany, isOneValue: false, ...companyFacet(key, comparison) }]]
  const column = filterColumns[key]
  const kind = kindOfKey(key)
  if (column === undefined || kind === undefined || !indexedKeys.has(key) || exists === false || Object.keys(comparison).length === 0)
    return []
  const table = key.startsWith('proposals.') ? 'proposal' : 'activity'
  const { eq, in: any } = comparison
  const values = eq === undefined ? any : [eq]
  if (textKeys.has(key) && values !== undefined && values.length <= maxValues && Object.keys(comparison).length === 1) {
    const texts = values.filter((value) => typeof value === 'string')
    return [texts.map((text) => ({ table, condition: sql<boolean>`${column} = ${text}`, isOneValue: true }))]
  }
  const compared =
    key === 'proposals.expiresAt'
      ? [sql`proposal.expires_at is not null`, ...comparisons(expiry, kind, comparison)]
      : [...comparisons(column, kind, comparison), ...hundredthsBounds(key, comparison)]
  const condition = sql<boolean>`(${sql.join(compared, sql` and `)})`
  return [[{ table, condition, isOneValue: false }]]
}

/** Returns the records of contacts with a tag. */
export const taggedRecords = (tag: string): RelatedRecords => ({
  table: 'contact_tag',
  condition: sql<boolean>`contact_tag.tag = lower(${tag}::text)`,
  isOneValue: true,
  tag,
})

function companyFacet(field: string, comparison: SearchFilter): Pick<RelatedRecords, 'facet'> {
  const values = textsOf(comparison)
  return /^company\.(?:tags$|address\.)/.test(field) && values !== undefined ? { facet: { field, values } } : {}
}

/** Returns whether contacts are chosen by their companies, of which no index has the contacts in an order of the list. */
export const areOfCompanies = (related: readonly RelatedRecords[]): boolean => related.some(({ table }) => table === 'company')

/** Returns whether tags alone choose the records. */
export const areOfTags = (related: readonly RelatedRecords[]): boolean => related.every(({ table }) => table === 'contact_tag')

function tagsIn(comparison: SearchFilter, exists: boolean | undefined): RelatedRecords[][] {
  const tags = textsOf(comparison)
  if (tags === undefined || tags.length > maxValues || exists === false || (comparison.eq !== undefined && comparison.in !== undefined))
    return []
  return [tags.map(taggedRecords)]
}

/** Returns whether `relatedRecords` says all that the filter does. */
export function isOnlyRecords({ and, or, ...filter }: SearchFilter): boolean {
  if (and !== undefined) return and.every(isOnlyRecords)
  if (or !== undefined) return or.every((each) => isOnlyRecords(each) && relatedRecords(each).length === 1)
  return filter.key !== undefined && relatedRecords(filter).length === 1
}

/** As the index has it: one of the column alone would also be used for pending proposals, which have a smaller one. */
const expiry = sql`case when proposal.expires_at is not null then proposal.expires_at end`

/** Returns the bounds of totals on the integers that the index has. `comparisons` excludes those of another type. */
function hundredthsBounds(key: string, { eq, gt, gte, lt, lte }: SearchFilter): RawBuilder<boolean>[] {
  if (key !== 'proposals.totalAmount') return []
  const bound = (operator: RawBuilder<unknown>, value: unknown): RawBuilder<boolean>[] =>
    typeof value === 'number'
      ? [sql`proposal.total_hundredths ${operator} round(least(greatest(${value}::numeric * 100, -1e18), 1e18))::bigint`]
      : []
  return [...bound(sql`>=`, eq ?? gt ?? gte), ...bound(sql`<=`, eq ?? lt ?? lte)]
}

/** Returns the contacts of the records; undefined if there are more than `maxRecords` records. */
export async function contactsOfRecords(
  ctx: Context,
  related: readonly RelatedRecords[],
  maxRecords: number,
): Promise<string[] | undefined> {
  const records = await selectSql(ctx, sql<{ contact_id: string }>`${from(related, sql`contact_id`, sql``)} limit ${maxRecords + 1}`)
  return records.length > maxRecords ? undefined : [...new Set(records.map(({ contact_id }) => contact_id))]
}

/** Returns the alternatives with companies, with the ids of those that have a facet; without alternatives of more than `max` companies. */
export async function fewCompanies(ctx: Context, related: readonly Alternatives[], max: number): Promise<Alternatives[]> {
  const few: Alternatives[] = []
  for (const each of related.filter(areOfCompanies)) {
    const narrowed: RelatedRecords[] = []
    for (const records of each) narrowed.push(...(await withCompanies(ctx, records, max)))
    if (narrowed.length === each.length) few.push(narrowed)
  }
  return few
}

/** Narrows records to the companies with their facet; none if more than `max` have it. */
async function withCompanies(ctx: Context, records: RelatedRecords, max: number): Promise<RelatedRecords[]> {
  const { facet, condition } = records
  if (facet === undefined) return [records]
  const found = sql<{ ids: string[] | null }>`select companies_with(${facet.field}, ${facet.values}::text[], ${max}::integer) as ids`
  const ids = (await selectSql(ctx, found))[0]?.ids ?? null
  return ids === null ? [] : [{ ...records, condition: sql`company.id = any(${ids}::uuid[]) and ${condition}` }]
}

/** Contacts that can be on a page, in its order. */
export interface Candidates {
  readonly ids: string[]
  /** The value by which the last one is sorted. */
  readonly last_value: string | null
  /** Whether no others follow. */
  readonly is_end: boolean
}

/** Records that are read for each contact: a contact can have several. */
const recordsPerContact = 4

/** Returns the records of `related` that are at most `max` each. */
export async function fewOf(ctx: Context, related: readonly Alternatives[], max: number): Promise<Alternatives[]> {
  const counts = related.map((each) => sql`(select count(*) from (${from(each, sql``, sql``)} limit ${max + 1}) as record)::integer`)
  const [row] = await selectSql(ctx, sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`)
  return related.filter((_, at) => (row?.counts[at] ?? 0) <= max)
}

/** Selects the ids of the contacts that have a record of each of `related`, newest first, as one value; null if there are more than `max`. */
export function idsOfRecords(related: readonly Alternatives[], max: number): RawBuilder<string[] | null> {
  const records = intersection(related.map((each) => from(each, sql`contact_id`, sql``)))
  // A contact has a tag once.
  const each =
    related.length === 1 && related.every((one) => one.length === 1 && areOfTags(one)) ? sql`contact_id` : sql`distinct contact_id`
  return sql`(select case when count(*) <= ${max} then array_agg(contact_id order by contact_id desc) end
    from (select ${each} from (${records}) as record limit ${max + 1}) as first)`
}

type Alternatives = readonly RelatedRecords[]

const intersection = (sets: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(
    sets.map((set) => sql`(${set})`),
    sql` intersect `,
  )

/** Returns statements that select something of the records. */
const from = (related: Alternatives, selected: RawBuilder<unknown>, rest: RawBuilder<unknown>): RawBuilder<unknown> =>
  related.length === 0
    ? sql`(select ${selected} from proposal where false)`
    : sql.join(
        related.map((each) => sql`(select ${selected} from ${recordsWith(each)} ${rest})`),
        sql` union all `,
      )

/** The records with columns for their contacts. A company has some for each of its contacts. */
const recordsWith = ({ table, condition }: RelatedRecords): RawBuilder<unknown> =>
  table === 'company'
    ? sql`(select contact.id as contact_id, contact.created_at as contact_created_at
        from company join contact on contact.organization_id = company.organization_id and contact.company_id = company.id
        where company.deleted_at is null and ${condition}) as employed where true`
    : sql`${sql.table(table)} where ${condition}`

/**
 * Returns the first contacts that have a record of each of `related`, in the order of their creation, after a position. If `isWalk`,
 * the records have one value, so they are in this order, and only read until there are enough contacts.
 */
export async function firstOfRecords(
  ctx: Context,
  related: readonly Alternatives[],
  { order, after, maxRows }: Page,
  isWalk: boolean,
): Promise<Candidates> {
  const inOrder = sql.raw(`order by key ${order.direction}, id ${order.direction}`)
  const isAfter =
    after === undefined ? sql`` : sql`and (contact_created_at, contact_id) ${order.beyond} (${after.value}::timestamptz, ${after.id}::uuid)`
  const contact = sql`contact_created_at as key, contact_id as id`
  const sets = related.map((each) =>
    isWalk ? from(each, sql`distinct ${contact}`, sql`${isAfter} ${inOrder} limit ${maxRows}`) : from(each, contact, isAfter),
  )
  const maxRecords = maxRows * recordsPerContact
  const [row] = await selectSql(
    ctx,
    sql<Candidates>`
      with first as materialized (
          select key, id from (${intersection(sets)}) as record ${inOrder} limit ${maxRecords}
        ),
        page as materialized (select distinct key, id from first ${inOrder} limit ${maxRows})
      select array(select id from page ${inOrder}) as ids,
        (select page.key::text from page order by page.key ${sql.raw(order.direction === 'asc' ? 'desc' : 'asc')} limit 1) as last_value,
        (select count(*) from page) < ${maxRows} and (select count(*) from first) < ${maxRecords} as is_end`,
  )
  return row ?? { ids: [], last_value: null, is_end: true }
}
