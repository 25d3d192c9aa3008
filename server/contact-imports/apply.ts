import { wireId, type Contact, type ContactEmail, type ContactFields, type ContactPhone, type PostalAddress } from '@groundwork/api'
import { addConsents } from '../consent/add-consents.ts'
import { recordChanges } from '../contacts/changes.ts'
import { givenColumns, noValues, requireIdentity } from '../contacts/given-columns.ts'
import { refuseErased, type ErasedValuesContext } from '../contacts/erased-values.ts'
import { emailsOf, phonesOf, toContact, type ContactRow } from '../contacts/record.ts'
import { unionOfTags } from '../contacts/union-of-tags.ts'
import { changeContacts, changedColumns, insertContacts } from '../contacts/write-many.ts'
import { mergedValues } from '../custom-fields/values.ts'
import type { Transaction } from '../db/schema.ts'
import { emitMany } from '../events/emit.ts'
import { AppError, refusedOr } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import type { CompanyResolver } from './companies.ts'
import { findContacts, type Found } from './find-contacts.ts'
import { newConsents, planConsent, type PlannedConsent } from './plan-consent.ts'
import { externalKey, identifyingInRow, keysInRow, keysOf, type MatchKey } from './match-key.ts'
import type { ParsedEntry, RowValues } from './parse-row.ts'
import type { ImportSettings } from './plan.ts'

/** A valid row of the file. */
export interface ImportRow {
  readonly number: number
  readonly values: RowValues
  readonly key: MatchKey
}

interface RowFault {
  readonly number: number
  readonly field: string | null
  readonly message: string
}

export interface Outcome {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly consents: number
  readonly denialsKept: number
  readonly faults: readonly RowFault[]
  /** Keys of the found contacts that their rows do not name. */
  readonly formerKeys: readonly { readonly contactId: string; readonly key: string }[]
}

type Columns = Readonly<Record<string, unknown>>

/** The columns that a row gives a contact, without its company. */
interface Plan {
  readonly row: ImportRow
  readonly before: ContactRow | undefined
  readonly columns: Columns
  readonly consent: PlannedConsent
}

/**
 * Creates and updates the contacts of some rows in the transaction; a dry run only counts.
 * @param formerKeys of contacts that earlier rows mean; a row with one of them fails
 */
export async function applyRows(
  ctx: ErasedValuesContext,
  trx: Transaction,
  rows: readonly ImportRow[],
  {
    id: importId,
    settings,
    companies,
    formerKeys,
  }: { id: string; settings: ImportSettings; companies: CompanyResolver; formerKeys: ReadonlySet<string> },
): Promise<Outcome> {
  const found = await findContacts(ctx, trx, rows, settings.dryRun)
  const erasedOf = await refuseErased(
    ctx,
    trx,
    rows.flatMap(({ values }) => identifyingInRow(values)),
  )
  const faults: RowFault[] = []
  const plans: Plan[] = []
  const formerOfBatch = new Map<string, string>()
  for (const row of rows) {
    const taken = (key: string): boolean => formerKeys.has(key) || formerOfBatch.has(key)
    const message = faultOf(row, found, settings, taken)
    const [before] = found.byKey.get(row.key.text) ?? []
    const erased = message === undefined ? erasedOf(identifyingInRow(row.values), before) : undefined
    const plan = message ?? erased ?? refusedOr(() => planOf(row, before, settings))
    if (typeof plan === 'string') faults.push({ number: row.number, field: fieldOf(row.key), message: plan })
    else if (plan instanceof AppError) faults.push({ number: row.number, field: plan.field ?? null, message: plan.message })
    else {
      plans.push(plan)
      if (plan.before !== undefined) for (const key of formerKeysOf(row, plan.before)) formerOfBatch.set(key, plan.before.id)
    }
  }
  const companyOf = await companies.resolve(
    ctx,
    trx,
    plans.map(({ row }) => row.values),
  )
  const now = ctx.now()
  const created: Columns[] = []
  const changes: { before: ContactRow; columns: Columns }[] = []
  const consents: { contactId: string; states: PlannedConsent['recorded'] }[] = []
  /** Contacts of which only the consent changes. */
  const onlyConsented = new Set<string>()
  for (const { row, before, columns, consent } of plans) {
    const companyId = companyOf(row.values)
    const given = companyId === undefined ? columns : { ...columns, company_id: companyId, former_company_id: null }
    const id = before?.id ?? newId(now.getTime())
    if (consent.recorded.length > 0) consents.push({ contactId: id, states: consent.recorded })
    if (before === undefined)
      created.push({ organization_id: ctx.organizationId, id, ...noValues, ...given, created_at: now, updated_at: now })
    else {
      const changed = changedColumns(before, given)
      if (Object.keys(changed).length > 0) changes.push({ before, columns: changed })
      else if (consent.recorded.length > 0) onlyConsented.add(before.id)
    }
  }
  const unchanged = plans.length - created.length - changes.length - onlyConsented.size
  const former = [...formerOfBatch].map(([key, contactId]) => ({ key, contactId }))
  const outcome = {
    created: created.length,
    updated: changes.length + onlyConsented.size,
    unchanged,
    consents: consents.reduce((total, { states }) => total + states.length, 0),
    denialsKept: plans.reduce((total, { consent }) => total + consent.denialsKept, 0),
    faults,
    formerKeys: former,
  }
  if (settings.dryRun) return outcome
  const inserted = await insertContacts(trx, created)
  const updated = await changeContacts(trx, changes, now)
  const origin = { how: 'imported', reference: wireId('imp', importId) } as const
  const [added, changed] = [[...inserted.values()].map(toContact), [...updated.values()].map(toContact)]
  const before = new Map(changes.map((change) => [wireId('ctc', change.before.id), toContact(change.before)]))
  await recordChanges(
    ctx,
    trx,
    [...added, ...changed].map((after) => ({ before: before.get(after.id), after, origin })),
  )
  const consented = await addConsents(ctx, trx, newConsents(consents, importId, now))
  const shown = (contacts: readonly Contact[]): Contact[] =>
    contacts.map((contact) => {
      const row = consented.get(contact.id.slice(-36))
      return row === undefined ? contact : toContact(row)
    })
  const onlyShown = [...consented.values()].filter(({ id }) => onlyConsented.has(id)).map(toContact)
  await emitMany(ctx, trx, 'contact.created', shown(added))
  await emitMany(ctx, trx, 'contact.updated', shown(changed))
  await emitMany(ctx, trx, 'contact.updated', onlyShown, 'contact.consent_recorded')
  return outcome
}

const fieldOf = ({ field }: MatchKey): string | null => (field === 'name' ? null : field)

function faultOf(
  { key, values }: ImportRow,
  { byKey, ownerOfExternalId }: Found,
  { mode }: ImportSettings,
  isTaken: (key: string) => boolean,
): string | undefined {
  const matches = byKey.get(key.text) ?? []
  const [contact] = matches
  if (matches.length > 1) return `several contacts have this ${key.field}`
  if (isTaken(key.text) || (values.externalId != null && isTaken(externalKey(values.externalId))))
    return 'an earlier row of the file means the same contact'
  if (mode === 'create' && contact !== undefined) return 'the contact exists already'
  if (mode === 'update' && contact === undefined) return 'there is no such contact'
  const owner = values.externalId == null ? undefined : ownerOfExternalId.get(values.externalId)
  return owner !== undefined && owner !== contact?.id ? 'another contact has this externalId' : undefined
}

/** @throws AppError `validation_error` */
function planOf(row: ImportRow, before: ContactRow | undefined, { tags, replaceDenials }: ImportSettings): Plan {
  const { values } = row
  const { columns } = givenColumns(fieldsOf(values, before, tags ?? []), null, before)
  const former = before?.address ?? noAddress
  const address = values.address === undefined ? undefined : { ...former, ...values.address }
  const isBlank = address !== undefined && Object.values(address).every((part) => part === null)
  const given = {
    ...columns,
    ...(address !== undefined && { address: isBlank ? null : JSON.stringify(address) }),
    ...(values.customFields !== undefined && {
      custom_fields: JSON.stringify(mergedValues(before?.custom_fields ?? {}, values.customFields)),
    }),
  }
  requireIdentity(before === undefined ? { ...noValues, ...given } : { ...before, ...given })
  return { row, before, columns: given, consent: planConsent(values.consent, before?.consent, replaceDenials) }
}

const noAddress: PostalAddress = { street: null, city: null, postalCode: null, region: null, country: null }

/** Returns the fields of a request that changes the same: one address replaces the main one, several are added. */
function fieldsOf(values: RowValues, before: ContactRow | undefined, tagsOfImport: readonly string[]): ContactFields {
  const {
    emails,
    phones,
    tags,
    address: _address,
    companyName: _name,
    companyDomain: _domain,
    customFields: _fields,
    consent: _consent,
    ...plain
  } = values
  const hasTags = tags !== undefined || tagsOfImport.length > 0
  return {
    ...plain,
    ...entriesOf('email', 'emails', emails, before === undefined ? [] : emailsOf(before)),
    ...entriesOf('phone', 'phones', phones, before === undefined ? [] : phonesOf(before)),
    ...(hasTags && { tags: unionOfTags(tags === null ? [] : (before?.tags ?? []), [...(tags ?? []), ...tagsOfImport]) }),
  }
}

/** Entries that the contact has stay as they are. */
function entriesOf(
  one: 'email' | 'phone',
  many: 'emails' | 'phones',
  entries: readonly ParsedEntry[] | null | undefined,
  before: readonly (ContactEmail | ContactPhone)[],
): ContactFields {
  if (entries === undefined) return {}
  if (entries === null) return { [one]: null }
  const given = entries.map((entry) => {
    const sent = before.find(({ value }) => value === entry.value) ?? { value: toSend(one, entry) }
    return entry.label === undefined ? sent : { ...sent, label: entry.label }
  })
  const [only] = entries
  if (only === undefined || entries.length > 1) return { [many]: [...given, ...before] }
  if (only.label === undefined) return { [one]: given[0]?.value }
  const isKnown = before.some(({ value }) => value === only.value)
  return { [many]: [...given, ...before.slice(isKnown ? 0 : 1)] }
}

/** Numbers without a plus sign were read with the country of the import, so they are sent in international form. */
const toSend = (field: 'email' | 'phone', { value, asSent }: ParsedEntry): string =>
  field === 'phone' && !asSent.startsWith('+') ? value : asSent

/** Returns the keys of a contact that the row does not name. */
function formerKeysOf({ values, key: own }: ImportRow, before: ContactRow): string[] {
  const named = new Set(keysInRow(values, own))
  return keysOf(before).filter((key) => !named.has(key))
}
