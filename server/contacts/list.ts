import type { Contact, ListContacts } from '@groundwork/api'
import { sql } from 'kysely'
import { presentCompany } from '../companies/survivor.ts'
import { select, type Context } from '../context.ts'
import {
  containsFields,
  customFieldConditions,
  inFieldRanges,
  readFieldFilter,
  type CustomFieldConditions,
  type FieldFilter,
} from '../custom-fields/filter.ts'
import { compiledStatement } from '../db/compiled-statement.ts'
import type { Transaction } from '../db/schema.ts'
import { newestFirstAfter } from '../db/newest-first.ts'
import { decodeCursor, pageOf } from '../lib/cursor.ts'
import { contactsInOrder, type MatchingContacts } from './contacts-in-order.ts'
import { rangeFacets, type Facet } from './facets.ts'
import { fewNarrowed } from './few-narrowed.ts'
import { organizationCountry } from './country.ts'
import { storedEmail } from './emails.ts'
import { isNational, readPhone, storedPhones } from './phones.ts'
import { AppError } from '../lib/errors.ts'
import { contactOrder } from './order.ts'
import { rankedContacts } from './ranked.ts'
import { taggedRecords } from './related.ts'
import { toContact } from './record.ts'
import { sortedContacts } from './sorted.ts'

export interface ContactPage {
  data: Contact[]
  nextCursor: string | null
  /** Number of matches on all pages; null unless the request has `count`. */
  total: number | null
}

/**
 * Returns a page of contacts, newest first or as `sort` says, or with `q` the best match first. Contacts created between two requests do not
 * shift the pages.
 * @throws AppError `bad_request`, field `cursor`
 */
export async function listContacts(ctx: Context, input: ListContacts): Promise<ContactPage> {
  const { q, limit, cursor } = input
  const fields = await readFieldFilter(ctx, 'contact', input.customField)
  const facets = facetsOf(input.tag, fields)
  const country = input.phone !== undefined && isNational(input.phone) ? await organizationCountry(ctx) : null
  const given = conditionsOf(input, country)
  const conditions: Conditions = { ...given, ...customFieldConditions(fields) }
  const narrowing = { facets, related: input.tag?.map((tag) => [taggedRecords(tag)]) ?? [], isExact: isOnlyValues(given, fields) }
  const needsIds = q !== undefined || input.count
  const counted: Conditions = { ...conditions, ids: needsIds ? await fewNarrowed(ctx, narrowing) : undefined }
  if (q !== undefined) {
    if (input.sort !== undefined)
      throw new AppError('bad_request', 'sort cannot be combined with q, whose matches come best first', { field: 'sort' })
    const { rows, ...page } = await rankedContacts(ctx, (db) => matchingContacts(db, conditions), {
      ...input,
      q,
      few: counted.ids,
      isFiltered: Object.values(conditions).some((value) => value !== undefined),
      narrowing,
    })
    return { data: rows.map(toContact), ...page }
  }
  const total = input.count ? await countContacts(ctx, counted) : null
  const matching: MatchingContacts = (db) => matchingContacts(db, conditions)
  if (input.sort !== undefined && input.sort !== '-createdAt') {
    const { rows, nextCursor } = await sortedContacts(ctx, matching, { ...input, sort: input.sort, narrowing })
    return { data: rows.map(toContact), nextCursor, total }
  }
  const position = cursor === undefined ? undefined : decodeCursor(cursor)
  const after = position && { value: position.createdAt.toISOString(), id: position.id }
  const found =
    facets.length === 0
      ? await select(ctx, newestContacts({ ...conditions, maxRows: limit + 1, afterTime: position?.createdAt, afterId: position?.id }))
      : await contactsInOrder(ctx, matching, { order: contactOrder('-createdAt'), after, maxRows: limit + 1 }, narrowing)
  const { rows, nextCursor } = pageOf(found, limit)
  return { data: rows.map(toContact), nextCursor, total }
}

/** Returns whether a filter has tags and values of custom fields alone. */
const isOnlyValues = (given: ReturnType<typeof conditionsOf>, { ranges }: FieldFilter): boolean =>
  ranges.length === 0 && Object.values({ ...given, tags: undefined }).every((value) => value === undefined)

/** Returns the number of contacts that are not deleted. */
export async function contactTotal(ctx: Context): Promise<number> {
  return countContacts(ctx, conditionsOf({}, null))
}

async function countContacts(ctx: Context, conditions: Conditions): Promise<number> {
  const [counted] = await select(ctx, countedContacts(conditions))
  return counted?.total ?? 0
}

const conditionsOf = (
  { email, phone, externalId, tag, companyId, createdAfter, createdBefore }: Partial<ListContacts>,
  country: string | null,
) => ({
  email: email === undefined ? undefined : storedEmail(email),
  phones: phone === undefined ? undefined : listedPhones(phone, country),
  externalId,
  tags: tag,
  companyId,
  createdAfter: createdAfter === undefined ? undefined : new Date(createdAfter),
  createdBefore: createdBefore === undefined ? undefined : new Date(createdBefore),
})

/** Returns the values of a number, also if the client left out the plus sign of one that is not assigned in the country. */
const listedPhones = (phone: string, country: string | null): string[] =>
  isNational(phone) && readPhone(phone, country)?.isAssigned !== true
    ? [...storedPhones(phone, country), ...storedPhones(`+${phone}`, null)]
    : storedPhones(phone, country)

const facetsOf = (tags: readonly string[] = [], { values, ranges }: FieldFilter): Facet[][] => [
  ...tags.map((value) => [{ field: 'tags', value }]),
  ...values.flatMap(([id, value]) => [value].flat().map((each) => [{ field: `customFields.${id}`, value: each }])),
  ...ranges.map(({ id, isNumber, min, max }) => {
    const bound = (text: string | null) => (text === null ? undefined : isNumber ? Number(text) : text)
    return rangeFacets(`customFields.${id}`, { gte: bound(min), lte: bound(max) })
  }),
]

type Conditions = ReturnType<typeof conditionsOf> & Partial<CustomFieldConditions> & { ids?: string[] | undefined }

type PageValues = Conditions & { maxRows: number; afterTime: Date | undefined; afterId: string | undefined }

const newestContacts = compiledStatement((db, { maxRows, afterTime, afterId, ...conditions }: PageValues) =>
  newestFirstAfter(matchingContacts(db, conditions).selectAll(), 'contact', { maxRows, createdAt: afterTime, id: afterId }),
)

const countedContacts = compiledStatement((db, conditions: Conditions) =>
  matchingContacts(db, conditions).select(({ fn }) => fn.countAll<number>().as('total')),
)

function matchingContacts(db: Pick<Transaction, 'selectFrom'>, { ids, fieldsContain, fieldRanges, ...conditions }: Conditions) {
  const { email, phones, externalId, tags, companyId, createdAfter, createdBefore } = conditions
  let query = db.selectFrom('contact').where('deleted_at', 'is', null)
  if (ids !== undefined) query = query.where(sql<boolean>`contact.id = any(${ids}::uuid[])`)
  if (email !== undefined) query = query.where(sql<boolean>`contact.id in (select contacts_with_email(${email}))`)
  if (phones !== undefined) query = query.where(sql<boolean>`contact.id in (select contacts_with_phone(${phones}::text[]))`)
  if (externalId !== undefined) query = query.where('external_id', '=', externalId)
  if (tags !== undefined) query = query.where(sql<boolean>`lower_tags(tags) @> lower_tags(${tags}::text[])`)
  if (companyId !== undefined) query = query.where('company_id', '=', presentCompany(companyId))
  if (fieldsContain !== undefined) query = query.where(containsFields(fieldsContain))
  if (fieldRanges !== undefined) query = query.where(inFieldRanges(fieldRanges))
  if (createdAfter !== undefined) query = query.where('contact.created_at', '>=', createdAfter)
  if (createdBefore !== undefined) query = query.where('contact.created_at', '<', createdBefore)
  return query
}
