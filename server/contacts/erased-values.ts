import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { open, seal, type SealedPlace, type SecretKeys } from '../lib/secrets.ts'
import { identifyingValues, type ContactValue, type Identified } from './identifying-values.ts'

export interface ErasedValuesContext extends Context {
  /** Decrypts the key of the organization. */
  readonly secretKey: SecretKeys
}

/** Each organization has its own key, so equal values of two organizations have different hashes. */
export const erasedValueKeyPlace = (organizationId: string): SealedPlace => ({ purpose: 'erased values', aad: organizationId })

const placeOf = ({ organizationId, secretKey }: ErasedValuesContext) => ({ secretKey, ...erasedValueKeyPlace(organizationId) })

const textOf = ({ field, value }: ContactValue): string => `${field}\n${value}`

const hashOf = (key: string, text: string): Buffer => createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest()

/** Stores keyed hashes of the values of erased contacts, so that imports and batches refuse them. Returns their number. */
export async function rememberErased(ctx: ErasedValuesContext, trx: Transaction, contacts: readonly Identified[]): Promise<number> {
  const texts = new Set(contacts.flatMap(identifyingValues).map(textOf))
  if (texts.size === 0) return 0
  const sealed = seal(randomBytes(32).toString('base64'), placeOf(ctx))
  await sql`
    insert into erased_value_key (organization_id, sealed) values (${ctx.organizationId}::uuid, ${sealed}) on conflict do nothing`.execute(
    trx,
  )
  const key = await keyOf(ctx, trx)
  if (key === undefined) throw new Error('The organization has no key for erased values.')
  const hashes = [...texts].map((text) => hashOf(key, text))
  await sql`
    insert into erased_value (organization_id, hash, created_at)
    select ${ctx.organizationId}::uuid, hash, ${ctx.now()}::timestamptz from unnest(${hashes}::bytea[]) as hash
    on conflict do nothing`.execute(trx)
  return hashes.length
}

async function keyOf(ctx: ErasedValuesContext, trx: Transaction): Promise<string | undefined> {
  const row = await trx.selectFrom('erased_value_key').select('sealed').executeTakeFirst()
  return row && open(row.sealed, placeOf(ctx))
}

/**
 * Returns a function that refuses values of erased persons. Those that a contact has already are allowed: a person has entered them
 * again. Call it after the transaction has locked the contacts: an erasure that it waited for counts.
 * @param values all values that are asked for
 */
export async function refuseErased(
  ctx: ErasedValuesContext,
  trx: Transaction,
  values: readonly ContactValue[],
): Promise<(given: readonly ContactValue[], before: Identified | undefined) => AppError | undefined> {
  const key = await keyOf(ctx, trx)
  if (key === undefined) return () => undefined
  const texts = [...new Set(values.map(textOf))]
  const hashes = texts.map((text) => hashOf(key, text))
  const { rows } = await sql<{ at: number }>`
    select at::integer from unnest(${hashes}::bytea[]) with ordinality as asked (hash, at) join erased_value using (hash)`.execute(trx)
  const erased = new Set(rows.map(({ at }) => texts[at - 1]))
  return (given, before) => {
    const kept = new Set(before === undefined ? [] : identifyingValues(before).map(textOf))
    const refused = given.find((value) => erased.has(textOf(value)) && !kept.has(textOf(value)))
    if (refused === undefined) return undefined
    return new AppError('validation_error', 'erased: this person was erased and must not be added again', { field: refused.field })
  }
}
