import { wireId, type Contact, type ContactEmail, type ContactFields, type ContactPhone, type PostalAddress } from '@groundwork/api'
import { addConsents } from '../consent/add-consents.ts'
import { recordChanges } from '../contacts/changes.ts'
import { givenColumns, noValues, requireIdentity } from '../contacts/given-columns.ts'
import { refuseErased, type ErasedValuesContext } from '../contacts/erased-values.ts'
import { emailsOf, phonesOf, toContact, type ContactRow } from '../contacts/record.ts'
import { unionOfTags } from '../contacts/union-of-tags.ts'
import { changeContacts, insertContacts } from '../contacts/write-many.ts'
import { mergedValues } from '../custom-fields/values.ts'
import { changedColumns } from '../db/changed-columns.ts'
import type { Transaction } from '../db/schema.ts'
import { emitMany } from '../events/emit.ts'
import { AppError, refusedOr } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import type { CompanyResolver } from './companies.ts'
import { findContacts, type Found } from './find-contacts.ts'
import { newConsents, planConsent, type PlannedConsent } from './plan-consent.ts'
import { externalIdKey, fieldOf, identifyingInRow, type MatchField, type MatchKey } from './match-key.ts'
import type { MeantContacts } from './meant-contacts.ts'
import type { ParsedEntry, RowValues } from './parse-row.ts'
import type { ImportSettings } from './plan.ts'
import { identityInRow, type SamePeople } from './same-person.ts'

/** A valid row of the file. */
export interface ImportRow {
  readonly number: number
  readonly values: RowValues
  /** At least one. */
  readonly keys: readonly MatchKey[]
}

export interface RowFault {
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

interface AppliedTo {
  readonly id: string
  readonly settings: ImportSettings
  readonly companies: CompanyResolver
  readonly meant: MeantContacts
}

type Columns = Readonly<Record<string, unknown>>

/** The columns that a row gives a contact, without its company. */
interface Plan {
  readonly row: ImportRow
  readonly before: ContactRow | undefined
  readonly columns: Columns
  readonly consent: PlannedConsent
}

/** Creates and updates the contacts of some rows in the transaction; a dry run only counts. */
export async function applyRows(
  ctx: ErasedValuesContext,
  trx: Transaction,
  rows: readonly ImportRow[],
  samePeople: SamePeople,
  { id: importId, settings, companies, meant }: AppliedTo,
): Promise<Outcome> {
  const found = await findContacts(ctx, trx, rows, settings.dryRun)
  const erasedOf = await refuseErased(
    ctx,
    trx,
    rows.flatMap(({ values }) => identifyingInRow(values)),
  )
  const faults: RowFault[] = []
  const plans: Plan[] = []
  const former: { contactId: string; key: string }[] = []
  const meantInBatch = new Set<string>()
  for (const row of rows) {
    const match = await matchOf(row, found, meant, samePeople)
    const isMeant = match.contacts.some(({ id }) => meantInBatch.has(id)) || (await meant.have(match.keys, row, samePeople))
    const message = faultOf(row, match, isMeant, found, settings)
    const [before] = match.contacts
    const erased = message === undefined ? erasedOf(identifyingInRow(row.values), before) : undefined
    const plan = message ?? erased ?? refusedOr(() => planOf(row, before, settings))
    if (typeof plan === 'string') faults.push({ number: row.number, field: match.field, message: plan })
    else if (plan instanceof AppError) faults.push({ number: row.number, field: plan.field ?? null, message: plan.message })
    else {
      plans.push(plan)
      if (before === undefined) continue
      meantInBatch.add(before.id)
      former.push(...meant.add(row, before).map((key) => ({ contactId: before.id, key })))
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

/** The contacts that a row means. */
interface Match {
  readonly contacts: readonly ContactRow[]
  /** Field by which they were found, or would have been found first; null for the full name. */
  readonly field: MatchField | null
  /** Keys by which the row means them. */
  readonly keys: readonly MatchKey[]
}

/** Finds the contacts of a row by the first of its keys that finds any. */
async function matchOf({ keys, values }: ImportRow, { byKey }: Found, meant: MeantContacts, samePeople: SamePeople): Promise<Match> {
  for (const [at, key] of keys.entries()) {
    const candidates = (byKey.get(key.text) ?? []).map((contact) => ({ ...meant.identityOf(contact), contact }))
    const same = await samePeople(key, identityInRow(values), candidates)
    if (same.length > 0)
      return {
        contacts: same.map(({ contact }) => contact),
        field: fieldOf(key),
        keys: [...keys.slice(0, at + 1), ...externalIdKey(values)],
      }
  }
  const [first] = keys
  return { contacts: [], field: first === undefined ? null : fieldOf(first), keys: [...keys, ...externalIdKey(values)] }
}

function faultOf(
  { values }: ImportRow,
  { contacts, field }: Match,
  isMeant: boolean,
  { ownerOfExternalId }: Found,
  { mode }: ImportSettings,
): string | undefined {
  const [contact] = contacts
  if (contacts.length > 1) return `several contacts have this ${field ?? 'name'}`
  if (isMeant) return 'an earlier row of the file means the same contact'
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
