import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import type { ContactRow } from './record.ts'

/**
 * Locks a contact, so that transactions which change its records run one after the other.
 * @throws AppError `not_found`
 */
export async function lockContact(trx: Transaction, contactId: string): Promise<ContactRow> {
  const contact = await trx
    .selectFrom('contact')
    .selectAll()
    .where('id', '=', contactId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (contact === undefined) throw new AppError('not_found', 'There is no such contact.')
  return contact
}

/** @throws AppError `not_found` */
export async function requireContact(trx: Transaction, contactId: string): Promise<ContactRow> {
  const contact = await trx.selectFrom('contact').selectAll().where('id', '=', contactId).where('deleted_at', 'is', null).executeTakeFirst()
  if (contact === undefined) throw new AppError('not_found', 'There is no such contact.')
  return contact
}
