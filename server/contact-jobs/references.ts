import { sql } from 'kysely'
import { validValues } from '../custom-fields/values.ts'
import { customValuesOf, rawId } from '../contacts/history-columns.ts'
import type { Transaction } from '../db/schema.ts'
import { refusedOr } from '../lib/errors.ts'
import type { Kept } from './kept.ts'

type Values = Readonly<Record<string, unknown>>

export interface References {
  /** Returns why a contact cannot have a value of its history again; undefined if it can. */
  faultOf(field: string, value: unknown): Kept['reason'] | undefined
}

/**
 * Locks the custom fields, companies and members that values of contacts refer to. Call it before the transaction locks the contacts: all
 * transactions take these locks in this order.
 */
export async function lockReferences(trx: Transaction, values: readonly Values[]): Promise<References> {
  const ids = (field: string): string[] => [...new Set(values.flatMap((each) => rawId(each[field]) ?? []))]
  const customIds = [...new Set(values.flatMap((each) => Object.keys(customValuesOf(each)).map((id) => id.slice(-36))))]
  const asked = { companyId: new Set(ids('companyId')), ownerId: new Set(ids('ownerId')), custom: new Set(customIds) }
  const fields = await trx
    .selectFrom('custom_field')
    .selectAll()
    .where('entity', '=', 'contact')
    .where(sql<boolean>`id = any (${customIds}::uuid[])`)
    .orderBy('id')
    .forShare()
    .execute()
  const { rows: companies } = await sql<{ id: string }>`
    select id from company where id = any (${[...asked.companyId]}::uuid[]) and deleted_at is null order by id for share`.execute(trx)
  const { rows: members } = await sql<{ id: string }>`
    select user_id as id from membership where user_id = any (${[...asked.ownerId]}::uuid[]) order by user_id for key share`.execute(trx)
  const existing = { companyId: new Set(companies.map(({ id }) => id)), ownerId: new Set(members.map(({ id }) => id)) }
  const customFields = new Map(fields.map((row) => [`fld_${row.id}`, row]))
  const requireAsked = (set: ReadonlySet<string>, id: string): void => {
    // The next attempt of the job locks it.
    if (!set.has(id)) throw new Error('A contact changed before its batch was locked.')
  }
  return {
    faultOf(field, value) {
      if (value === null) return undefined
      if (field === 'companyId' || field === 'ownerId') {
        const id = rawId(value) ?? ''
        requireAsked(asked[field], id)
        return existing[field].has(id) ? undefined : 'missing'
      }
      const custom = customValuesOf({ [field]: value })
      const [id] = Object.keys(custom)
      if (id === undefined) return undefined
      requireAsked(asked.custom, id.slice(-36))
      return refusedOr(() => validValues(customFields, custom)) instanceof Error ? 'invalid' : undefined
    },
  }
}
