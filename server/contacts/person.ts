import { wireId } from '@groundwork/api'
import { sql } from 'kysely'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Transaction } from '../db/schema.ts'
import type { PersonalTerms, PhoneTerm } from '../lib/personal-terms.ts'
import { toContact, type ContactRow } from './record.ts'

/** By what stored records and texts name the person of a contact. */
export interface Person {
  /** The ids of the contact and of the contacts that were merged into it. */
  readonly ids: readonly string[]
  /** Their rows, the newest first. */
  readonly contacts: readonly ContactRow[]
  readonly terms: PersonalTerms
}

const fields = ['externalId', 'firstName', 'lastName', 'emails', 'phones'] as const

interface Known {
  readonly field: string
  readonly value: unknown
}

/** Returns the person of a contact, with values that the contact had before, or that were suggested for it. */
export async function personOf(trx: Transaction, contactId: string): Promise<Person> {
  const aliases = await trx.selectFrom('contact_alias').select('id').where('contact_id', '=', contactId).execute()
  const ids = [contactId, ...aliases.map(({ id }) => id)]
  const contacts = await trx.selectFrom('contact').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
  const present = contacts.map(toContact).flatMap((contact) => fields.map((field): Known => ({ field, value: contact[field] })))
  const known = [...present, ...(await formerValues(trx, ids))]
  return { ids, contacts, terms: await termsOf(trx, ids, known) }
}

/** Leaves out the values of other contacts that were merged and have been separated again. */
async function formerValues(trx: Transaction, ids: readonly string[]): Promise<Known[]> {
  const merged = ids.map((id) => wireId('ctc', id))
  const { rows } = await sql<Known>`
    select field, value from contact_change, lateral (
        select * from jsonb_each(former) union all select * from jsonb_each(changed)) as changes (field, value)
      where contact_id = any (${ids}::uuid[])
        and (how not in ('merged', 'reverted') or coalesce(reference, '') not like 'ctc\\_%' or reference = any (${merged}::text[]))
        and field = any (${fields}::text[])
    union all
    select field, jsonb_array_elements(jsonb_build_array(value, present)) from contact_suggestion
      where contact_id = any (${ids}::uuid[]) and field = any (${fields}::text[])`.execute(trx)
  return rows
}

async function termsOf(trx: Transaction, ids: readonly string[], known: readonly Known[]): Promise<PersonalTerms> {
  const valuesOf = (field: (typeof fields)[number]): unknown[] => known.filter((each) => each.field === field).map(({ value }) => value)
  const textsOf = (field: 'externalId' | 'firstName' | 'lastName'): string[] => [...new Set(valuesOf(field).filter(isText))]
  const names = fullNames(textsOf('firstName'), textsOf('lastName'))
  const emails = valuesOf('emails').flatMap(entriesOf)
  const phones = valuesOf('phones').flatMap(entriesOf)
  const texts = [...ids, ...names, ...textsOf('externalId').filter(isDistinctive)]
  const { rows } = await sql<{ phrase: string }>`
    select distinct phrase from unnest(${texts}::text[]) as text, contact_fold(text) as phrase where phrase <> ''`.execute(trx)
  const joined = rows
    .map(({ phrase }) => phrase)
    .filter(isUnspaced)
    .map(withoutSpaces)
  const numbers = new Map(phones.map(({ value }) => [value, phoneTerm(value)]))
  return {
    phrases: [...rows.map(({ phrase }) => phrase), ...joined],
    unspacedNames: [...new Set(joined.filter((name) => [...name].length >= minUnspaced))],
    addresses: [...new Set(emails.flatMap(({ value, asSent }) => [value.toLowerCase(), asSent.toLowerCase()]))],
    numbers: [...numbers.values()].filter(({ national }) => isDistinctive(national)),
  }
}

/** A contact can have its full name in one of the fields. Few surnames have four characters in scripts without spaces. */
function fullNames(firsts: readonly string[], lasts: readonly string[]): string[] {
  if (firsts.length === 0 || lasts.length === 0)
    return [...firsts, ...lasts].filter((name) => /\S\s+\S/.test(name) || (isUnspaced(name) && [...name].length > minUnspaced))
  return firsts.flatMap((first) => lasts.flatMap((last) => [`${first} ${last}`, `${last} ${first}`]))
}

const isUnspaced = (text: string): boolean =>
  /^[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+$/u.test(
    text,
  )

const withoutSpaces = (text: string): string => text.replaceAll(' ', '')

/** Shorter names are also the beginnings of others. */
const minUnspaced = 3

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Shorter ids and numbers also occur in texts about others. */
const isDistinctive = (text: string): boolean => (/^\d+$/.test(text) ? text.length >= 6 : text.length >= 5)

/** Safe cast: the history and suggestions have the same entries as contacts. */
const entriesOf = (value: unknown) => (value ?? []) as readonly { readonly value: string; readonly asSent: string }[]

function phoneTerm(value: string): PhoneTerm {
  const number = parsePhoneNumberFromString(value)
  if (number === undefined) return { callingCode: '', national: value.replaceAll(/\D/g, '') }
  return { callingCode: number.countryCallingCode, national: number.nationalNumber }
}
