import { readKeyFile } from '../backup/secret.ts'
import { sealedColumns, type SealedColumn } from '../installation/sealed-columns.ts'
import { deriveKey, open, seal, type SecretKeys } from '../lib/secrets.ts'
import type { ExportHeader } from './format.ts'

/**
 * Returns the key that encrypts the secrets of an export, derived from the key file and the id of the export.
 * @throws Error if the file cannot be read or has less than 32 bytes
 */
export async function exportKey(keyFile: string, exportId: string): Promise<string> {
  return deriveKey({ secretKey: await readKeyFile(keyFile), purpose: `organization export ${exportId}` }).toString('base64')
}

const checkPlace = (exportId: string) => ({ purpose: 'organization export check', aad: exportId })

/** Returns a value that tells whether a key is the one of the export. */
export const sealCheck = (key: string, exportId: string): string =>
  seal(exportId, { secretKey: only(key), ...checkPlace(exportId) }).toString('base64')

/**
 * Returns the key of the secrets of an export; null if they are left out.
 * @throws Error if the key file is missing or another one
 */
export async function openExportKey(
  { id, sealedCheck }: ExportHeader,
  { keyFile, withoutSecrets }: { keyFile: string | undefined; withoutSecrets: boolean },
): Promise<string | null> {
  if (keyFile === undefined) {
    if (sealedCheck === null || withoutSecrets) return null
    throw new Error('The export has encrypted secrets. Name the file that encrypted them with --key-file, or use --without-secrets.')
  }
  if (sealedCheck === null) throw new Error('--key-file: the export has no secrets, because it was made without a key file.')
  const key = await exportKey(keyFile, id)
  try {
    open(Buffer.from(sealedCheck, 'base64'), { secretKey: only(key), ...checkPlace(id) })
    return key
  } catch {
    throw new Error(`--key-file: ${keyFile} is not the file that encrypted the secrets of this export.`)
  }
}

/** Returns the encrypted columns of a table. */
export const sealedIn = (table: string): readonly SealedColumn[] => sealedColumns.filter((column) => column.table === table)

/**
 * Encrypts a value under another key. `id` are the values of the primary key of its row.
 * @returns null if no key decrypts it
 */
export async function moveSecret(
  column: SealedColumn,
  value: Buffer | string,
  id: readonly string[],
  { from, to }: { from: SecretKeys; to: string },
): Promise<Buffer | string | null> {
  try {
    // First under the current one of two accepted keys.
    const current = (await column.reseal(value, id, from)) ?? value
    return (await column.reseal(current, id, { current: to, previous: from.current })) ?? current
  } catch {
    // A secret that its own installation cannot read is left out; "groundwork doctor" names it there.
    return null
  }
}

export const only = (key: string): SecretKeys => ({ current: key, previous: null })
