import { sql } from 'kysely'
import { compareNames } from '../contact-duplicates/compare-names.ts'
import { personName, type NameForms, type PersonName } from '../contact-duplicates/person-name.ts'
import type { ContactRow } from '../contacts/record.ts'
import type { Transaction } from '../db/schema.ts'
import type { MatchField, MatchKey } from './match-key.ts'
import type { RowValues } from './parse-row.ts'

/** The values by which two rows or contacts with a common address or number differ. */
export interface Identity {
  readonly externalId: string | null
  readonly firstName: string | null
  readonly lastName: string | null
}

export const identityInRow = ({ externalId, firstName, lastName }: RowValues): Identity => ({
  externalId: externalId ?? null,
  firstName: firstName ?? null,
  lastName: lastName ?? null,
})

export const identityOf = ({ external_id, first_name, last_name }: ContactRow): Identity => ({
  externalId: external_id,
  firstName: first_name,
  lastName: last_name,
})

/** Returns the identity of a contact after the import of a row. */
export function identityAfter({ externalId, firstName, lastName }: RowValues, before: Identity): Identity {
  return {
    externalId: externalId === undefined ? before.externalId : externalId,
    firstName: firstName === undefined ? before.firstName : firstName,
    lastName: lastName === undefined ? before.lastName : lastName,
  }
}

/** Returns those of the candidates, which have the key of a row, that are the same person as the row. */
export type SamePeople = <Candidate extends Identity>(
  key: MatchKey,
  row: Identity,
  candidates: readonly Candidate[],
) => Promise<readonly Candidate[]>

/** Of more people with one number, only those with the same name are the same: the time of a comparison is bounded. */
const maxCompared = 50

/**
 * Returns a function that finds the same people. With `matchOn`, a common value is enough. Without it, people with different externalIds are
 * not the same, nor are people with a common number whose names contradict each other.
 */
export function samePeople(trx: Transaction, matchOn: MatchField | undefined): SamePeople {
  const contradicts = nameContradictions(trx)
  return async (key, row, candidates) => {
    if (matchOn !== undefined || key.field === 'externalId' || key.field === 'name') return candidates
    const possible = candidates.filter(({ externalId }) => externalId === null || row.externalId === null || externalId === row.externalId)
    if (key.field === 'email') return possible
    const same = []
    for (const each of possible) if (!(await contradicts(row, each, possible.length > maxCompared))) same.push(each)
    return same
  }
}

function nameContradictions(trx: Transaction): (a: Identity, b: Identity, isShared: boolean) => Promise<boolean> {
  const names = new Map<string, PersonName>()
  const nameOf = async (identity: Identity): Promise<PersonName> => {
    const text = nameText(identity)
    const known = names.get(text)
    if (known !== undefined) return known
    const forms = { first: await nameForms(trx, identity.firstName), last: await nameForms(trx, identity.lastName) }
    const name = personName(identity, forms)
    names.set(text, name)
    return name
  }
  return async (a, b, isShared) => {
    const [nameA, nameB] = [nameText(a), nameText(b)]
    if (nameA === '\n' || nameB === '\n' || nameA === nameB) return false
    if (isShared) return true
    const relation = compareNames(await nameOf(a), await nameOf(b))
    return relation === 'different' || relation === 'other_surname'
  }
}

const nameText = ({ firstName, lastName }: Identity): string => `${firstName ?? ''}\n${lastName ?? ''}`.toLowerCase()

async function nameForms(trx: Transaction, text: string | null): Promise<NameForms | null> {
  if (text === null || Buffer.byteLength(text) === text.length) return null
  const { rows } = await sql<{ forms: NameForms }>`select to_jsonb(contact_name_forms(${text}::text, null)) as forms`.execute(trx)
  return rows[0]?.forms ?? null
}
