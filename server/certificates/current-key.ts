import { sql } from 'kysely'
import type { KeyObject } from 'node:crypto'
import type { Transaction } from '../db/schema.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import { newSigningKey, openSigningKey } from './signing-key.ts'

export interface CurrentKey {
  readonly id: string
  readonly publicKey: Buffer
  readonly privateKey: KeyObject
  readonly createdAt: Date
}

interface Row {
  id: string
  public_key: Buffer
  sealed_private_key: Buffer
  created_at: Date
}

/**
 * Returns the key that signs certificates, and creates it at its first use. It is not replaced before the transaction ends.
 * @throws Error if the secret key cannot decrypt it
 */
export async function currentSigningKey(trx: Transaction, secretKey: SecretKeys, now: Date): Promise<CurrentKey> {
  const row = (await readCurrent(trx)) ?? (await addFirst(trx, secretKey, now))
  return {
    id: row.id,
    publicKey: row.public_key,
    privateKey: openSigningKey(row.sealed_private_key, { secretKey, id: row.id }),
    createdAt: row.created_at,
  }
}

async function readCurrent(trx: Transaction): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select * from current_signing_key()`.execute(trx)
  return rows[0]
}

async function addFirst(trx: Transaction, secretKey: SecretKeys, now: Date): Promise<Row> {
  const { id, publicKey, sealedPrivateKey } = newSigningKey(secretKey)
  await sql`select add_signing_key(${id}, ${publicKey}, ${sealedPrivateKey}, ${now})`.execute(trx)
  // Another transaction may have added its key first.
  const row = await readCurrent(trx)
  if (row === undefined) throw new Error('there is no signing key, although one was just added')
  return row
}
