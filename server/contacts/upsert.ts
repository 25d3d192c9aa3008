import {
  contactFields,
  type BatchContacts,
  type BatchResult,
  type Contact,
  type ContactFields,
  type ContactSuggestion,
  type ContactWarning,
  type MatchOn,
  type UpsertContact,
  type UpsertedContact,
} from '@groundwork/api'
import { sql } from 'kysely'
import { requireCompany } from '../companies/require-company.ts'
import { withTransaction, type Context } from '../context.ts'
import { checkedCustomFields, type CustomFieldValues } from '../custom-fields/values.ts'
import { changedColumns } from '../db/changed-columns.ts'
import type { Transaction } from '../db/schema.ts'
import { violatedIndex } from '../db/violations.ts'
import { emitMany } from '../events/emit.ts'
import { AppError, refusedOr } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { issueMessage } from '../lib/issue-message.ts'
import { schemaError } from '../lib/schema-error.ts'
import { recordChanges, type RecordedChange } from './changes.ts'
import { refuseErased, type ErasedValuesContext } from './erased-values.ts'
import { countryFor, givenColumns, noValues, requireIdentity, requireMember, withWarnings } from './given-columns.ts'
import { splitAgentWrite, isAgent, requireHonestOrigin, valueOrigins, type SuggestedValue, type ValueOrigins } from './agent-writes.ts'
import { identifyingValues } from './identifying-values.ts'
import { lockValues } from './lock-values.ts'
import { toContact, type ContactRow } from './record.ts'
import { addSuggestions } from './suggestion-rows.ts'
import { unionOfTags } from './union-of-tags.ts'
import { inLockOrder, lockMatches, matchValues, matchesOf, severalMatch, type Sought } from './upsert-matches.ts'
import { changeContacts, insertContacts, withParsedJson } from './write-many.ts'

/** Contacts of one transaction: each holds a lock, and the organization's other events wait for its commit. */
const maxInTransaction = 100

/**
 * Creates a contact, or changes the one that has the value of the field `matchOn`.
 * @throws AppError `validation_error`; `conflict` with `candidates` if several contacts match, or if the externalId is taken
 */
export async function upsertContact(ctx: Context, { matchOn, ...fields }: UpsertContact): Promise<UpsertedContact> {
  const [result] = await upsertAll(ctx, matchOn, [fields])
  if (result instanceof AppError) throw result
  if (result === undefined) throw new Error('an upsert has one result')
  return { ...withWarnings(result.contact, result.warnings, result.suggestions), created: result.created }
}

/** Does the same for each of the contacts, and refuses values of erased persons. Returns the results in their order. */
export async function upsertBatch(ctx: ErasedValuesContext, { matchOn, contacts }: BatchContacts): Promise<{ data: BatchResult[] }> {
  const inputs = contacts.map((each) => {
    const { data, error } = contactFields.safeParse(each, { error: issueMessage })
    return error === undefined ? data : schemaError('validation_error', error)
  })
  return { data: (await upsertAll(ctx, matchOn, inputs, ctx)).map(toBatchResult) }
}

interface Upserted {
  readonly contact: Contact
  readonly created: boolean
  readonly warnings: ContactWarning[]
  readonly suggestions: ContactSuggestion[]
}
type Result = Upserted | AppError

function toBatchResult(result: Result): BatchResult {
  if (!(result instanceof AppError)) {
    const { contact, created, warnings, suggestions } = result
    return { status: created ? 201 : 200, created, contact, warnings, suggestions, error: null }
  }
  const { code, message, field, issues, candidates } = result
  const detail = {
    ...(field !== undefined && { field }),
    ...(issues && { issues: [...issues] }),
    ...(candidates && { candidates: [...candidates] }),
  }
  return {
    status: code === 'conflict' ? 409 : 422,
    created: false,
    contact: null,
    warnings: [],
    suggestions: [],
    error: { code, message, ...detail },
  }
}

interface Item extends Sought {
  readonly input: ContactFields
  /** Merges the given custom fields with those of the contact. */
  readonly mergeFields?: (before: CustomFieldValues) => CustomFieldValues
}

/**
 * Takes a few statements for each hundred contacts. Transactions with the same value of `matchOn` run one after the other: an advisory
 * lock on the organization and the value also covers contacts that do not exist yet, which no row lock can.
 * @param refusing refuses values of erased persons
 */
async function upsertAll(
  ctx: Context,
  matchOn: MatchOn,
  inputs: readonly (ContactFields | AppError)[],
  refusing?: ErasedValuesContext,
): Promise<Result[]> {
  const results: Result[] = []
  const valid = inputs.flatMap((input, at) => (input instanceof AppError ? [] : [{ input, at }]))
  for (const [at, input] of inputs.entries()) if (input instanceof AppError) results[at] = input
  const country = await withTransaction(ctx, (trx) =>
    countryFor(
      trx,
      valid.map(({ input }) => input),
    ),
  )
  const given = valid.flatMap(({ input, at }): Item[] => {
    const values = refusedOr(() => {
      requireHonestOrigin(ctx, input.provenance)
      return matchValues(matchOn, input, country)
    })
    if (!(values instanceof AppError)) return [{ at, input, values }]
    results[at] = values
    return []
  })
  const items = inLockOrder(given)
  const rules = { matchOn, country, refusing }
  for (let from = 0; from < items.length; from += maxInTransaction) {
    const part = items.slice(from, from + maxInTransaction)
    for (const [at, result] of await upsertPart(ctx, part, rules)) results[at] = result
  }
  return results
}

type Results = Map<number, Result>

interface PartRules {
  readonly matchOn: MatchOn
  /** Of national phone numbers; null if unknown. */
  readonly country: string | null
  /** Refuses values of erased persons. */
  readonly refusing: ErasedValuesContext | undefined
}

/** Upserts contacts in one transaction; if another one takes an externalId meanwhile, each half in one, so that a few find the contact. */
async function upsertPart(ctx: Context, items: readonly Item[], rules: PartRules): Promise<Results> {
  try {
    return await withTransaction(ctx, (trx) => upsertTogether(ctx, trx, items, rules))
  } catch (error) {
    const [only] = items
    if (violatedIndex(error) !== 'contact_external_id' || only === undefined) throw error
    if (items.length === 1) return new Map([[only.at, takenExternalId(error)]])
    const middle = items.length >> 1
    const first = await upsertPart(ctx, items.slice(0, middle), rules)
    return new Map([...first, ...(await upsertPart(ctx, items.slice(middle), rules))])
  }
}

async function upsertTogether(
  ctx: Context,
  trx: Transaction,
  items: readonly Item[],
  { matchOn, country, refusing }: PartRules,
): Promise<Results> {
  await lockValues(
    ctx,
    trx,
    items.flatMap(({ values }) => values.map((value) => ({ field: matchOn, value }))),
  )
  const results: Results = new Map()
  const checked = await withCustomFields(trx, items, results)
  const { companies, refusals } = await lockReferences(trx, checked)
  const created: Contact[] = []
  const updated: Contact[] = []
  const recorded: RecordedChange[] = []
  const suggested: ContactSuggestion[] = []
  let waiting = checked.flatMap((item) => {
    const { companyId, ownerId } = item.input
    const refusal = refusals.get(companyId ?? '') ?? refusals.get(ownerId ?? '')
    if (refusal !== undefined) results.set(item.at, refusal)
    if (refusal !== undefined) return []
    return [{ ...item, input: { ...item.input, ...(companyId != null && { companyId: companies.get(companyId) ?? companyId }) } }]
  })
  // Several items can mean the same contact: the later ones see what the earlier ones have written.
  while (waiting.length > 0) {
    const matches = await lockMatches(trx, matchOn, waiting)
    const ids = [...matches.values()].flat().map(({ id }) => id)
    const origins = isAgent(ctx) ? await valueOrigins(trx, ids) : undefined
    const { plans: possible, refused, later } = planRound(ctx, waiting, matches, { country, origins })
    for (const [at, refusal] of refused) results.set(at, refusal)
    const allowed = refusing === undefined ? possible : await withoutErased(refusing, trx, possible, results)
    const plans = await withoutTaken(trx, allowed, results)
    const inserted = await insertContacts(
      trx,
      plans.filter(isCreation).map(({ columns }) => columns),
    )
    const changed = await changeContacts(trx, plans.filter(isChange), ctx.now())
    const withOrigin = plans.flatMap(({ item, suggested: values }) => values.map((value) => ({ ...value, origin: item.input.provenance })))
    const added = await addSuggestions(ctx, trx, withOrigin)
    suggested.push(...added.created)
    for (const { item, id, before, warnings, suggested: values } of plans) {
      const row = inserted.get(id) ?? changed.get(id) ?? before
      if (row === undefined) throw new Error(`the contact ${id} was not written`)
      const contact = toContact(row)
      const suggestions = added.suggestions.splice(0, values.length)
      results.set(item.at, { contact, created: before === undefined, warnings, suggestions })
      if (inserted.has(id)) created.push(contact)
      if (changed.has(id)) updated.push(contact)
      const former = before === undefined ? undefined : toContact(before)
      if (inserted.has(id) || changed.has(id)) recorded.push({ before: former, after: contact, origin: item.input.provenance })
    }
    waiting = later
  }
  await recordChanges(ctx, trx, recorded)
  await emitMany(ctx, trx, 'contact.created', created)
  await emitMany(ctx, trx, 'contact.updated', updated)
  await emitMany(ctx, trx, 'suggestion.created', suggested)
  return results
}

/** Returns the plans without those that would give a contact a value of an erased person. */
async function withoutErased(ctx: ErasedValuesContext, trx: Transaction, plans: readonly Plan[], results: Results): Promise<Plan[]> {
  const given = new Map(plans.map((plan) => [plan, identifyingValues({ ...noIdentity, ...plan.before, ...withParsedJson(plan.columns) })]))
  const refusalOf = await refuseErased(ctx, trx, [...given.values()].flat())
  return plans.filter((plan) => {
    const refusal = refusalOf(given.get(plan) ?? [], plan.before)
    if (refusal !== undefined) results.set(plan.item.at, refusal)
    return refusal === undefined
  })
}

/** Returns the plans without those that would give a contact the externalId of another one. */
async function withoutTaken(trx: Transaction, plans: readonly Plan[], results: Results): Promise<Plan[]> {
  const wantedBy = ({ columns }: Plan): string | undefined =>
    typeof columns['external_id'] === 'string' ? columns['external_id'] : undefined
  const wanted = plans.flatMap((plan) => wantedBy(plan) ?? [])
  if (wanted.length === 0) return [...plans]
  const { rows } = await sql<{ id: string; external_id: string }>`
    select id, external_id from contact where external_id = any (${wanted}::text[]) and deleted_at is null`.execute(trx)
  const owners = new Map(rows.map(({ id, external_id }) => [external_id, id]))
  return plans.filter((plan) => {
    const externalId = wantedBy(plan)
    if (externalId === undefined) return true
    const isTaken = (owners.get(externalId) ?? plan.id) !== plan.id
    if (isTaken) results.set(plan.item.at, takenExternalId())
    else owners.set(externalId, plan.id)
    return !isTaken
  })
}

const takenExternalId = (cause?: unknown): AppError =>
  new AppError('conflict', 'Another contact has this externalId.', { field: 'externalId', cause })

const noIdentity = { external_id: null, email: null, emails: null, phone: null, phones: null }

/** Checks custom fields. Returns the items without those that are refused. */
async function withCustomFields(trx: Transaction, items: readonly Item[], results: Results): Promise<Item[]> {
  const checked: Item[] = []
  for (const item of items) {
    try {
      checked.push({ ...item, mergeFields: await checkedCustomFields(trx, 'contact', item.input.customFields) })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      results.set(item.at, error)
    }
  }
  return checked
}

/** Locks companies and owners. Returns the companies by their ids, also former ones, and the refusals by the ids of those that do not exist. */
async function lockReferences(trx: Transaction, items: readonly Item[]) {
  const refusals = new Map<string, AppError>()
  const companies = new Map<string, string>()
  const idsOf = (field: 'companyId' | 'ownerId'): string[] =>
    [...new Set(items.flatMap(({ input }) => input[field] ?? []))].toSorted((a, b) => (a < b ? -1 : 1))
  const refusing = async (id: string, lock: () => Promise<void>): Promise<void> => {
    try {
      await lock()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refusals.set(id, error)
    }
  }
  for (const id of idsOf('companyId')) await refusing(id, async () => void companies.set(id, (await requireCompany(trx, id)) ?? id))
  for (const id of idsOf('ownerId')) await refusing(id, () => requireMember(trx, id))
  return { companies, refusals }
}

interface Plan {
  readonly item: Item
  readonly id: string
  readonly before: ContactRow | undefined
  /** All columns of a new contact, or the changed ones. */
  readonly columns: Readonly<Record<string, unknown>>
  readonly warnings: ContactWarning[]
  readonly suggested: SuggestedValue[]
}

const isCreation = ({ before }: Plan): boolean => before === undefined
const isChange = (plan: Plan): plan is Plan & { before: ContactRow } => plan.before !== undefined && Object.keys(plan.columns).length > 0

interface Rules {
  /** Of national phone numbers; null if unknown. */
  readonly country: string | null
  /** Who wrote the present values; undefined if the actor may replace all. */
  readonly origins: ValueOrigins | undefined
}

/** Plans one change for each contact, and leaves others of the same contact or value to the next round. */
function planRound(ctx: Context, items: readonly Item[], matches: ReadonlyMap<string, ContactRow[]>, rules: Rules) {
  const plans: Plan[] = []
  const refused: Results = new Map()
  const later: Item[] = []
  const planned = new Set<string>()
  for (const item of items) {
    const matching = matchesOf(item, matches)
    const [before, ...others] = matching
    const keys = [...item.values, ...matching.map(({ id }) => id)]
    if (keys.some((key) => planned.has(key))) {
      later.push(item)
      for (const key of keys) planned.add(key)
      continue
    }
    const plan = refusedOr(() => {
      if (before !== undefined && others.length > 0) throw severalMatch(matching)
      return planOf(ctx, item, before, rules)
    })
    if (plan instanceof AppError) refused.set(item.at, plan)
    else {
      plans.push(plan)
      for (const key of keys) planned.add(key)
    }
  }
  return { plans, refused, later }
}

/** @throws AppError `validation_error` */
function planOf(ctx: Context, item: Item, before: ContactRow | undefined, { country, origins }: Rules): Plan {
  const { input } = item
  if (before === undefined) {
    const { columns: given, warnings } = givenColumns(input, country)
    const now = ctx.now()
    const id = newId(now.getTime())
    const fields = { custom_fields: JSON.stringify(item.mergeFields?.({}) ?? {}) }
    const columns = { organization_id: ctx.organizationId, id, ...noValues, ...given, ...fields, created_at: now, updated_at: now }
    requireIdentity(columns)
    return { item, id, before, columns, warnings, suggested: [] }
  }
  const { columns: given, warnings } = givenColumns(withFormerTags(input, before), country, before, { isUpsert: true })
  const fields = { custom_fields: JSON.stringify(item.mergeFields?.(before.custom_fields) ?? before.custom_fields) }
  const wanted = { ...given, ...fields }
  const { columns, suggested } = origins === undefined ? { columns: wanted, suggested: [] } : splitAgentWrite(before, wanted, origins)
  requireIdentity({ ...before, ...columns })
  return { item, id: before.id, before, columns: changedColumns(before, columns), warnings, suggested }
}

const withFormerTags = (input: ContactFields, before: ContactRow): ContactFields =>
  input.tags == null ? input : { ...input, tags: unionOfTags(before.tags, input.tags) }
