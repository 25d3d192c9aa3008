import { readFile } from 'node:fs/promises'
import { timingSafeEqual } from 'node:crypto'
import { createKeyFile, readSecretKey, secretKeyCheck, type KeyPlace } from '../installation/secret-key.ts'
import { open, seal } from '../lib/secrets.ts'
import type { Header } from './format.ts'

const minKeyFileBytes = 32
const purpose = 'secret key in a backup'

/**
 * Returns a function that encrypts the secret key for a backup with AES-256-GCM, under a key that HKDF derives from the key file.
 * @throws Error if there is no secret key, or the key file has less than 32 bytes
 */
export async function secretKeySealer(place: KeyPlace, keyFile: string): Promise<(backupId: string) => string> {
  const key = await readSecretKey(place)
  if (key === null) throw new Error('--key-file: there is no secret key to seal: SECRET_KEY is not set and DATA_DIR has no secret.key.')
  const secret = await readKeyFile(keyFile)
  return (backupId) => seal(key, { secretKey: { current: secret, previous: null }, purpose, aad: backupId }).toString('base64')
}

/**
 * Checks that the program will have the secret key of the backup. With a key file, stores the sealed one in the data folder, unless
 * SECRET_KEY is set.
 * @throws Error that says which key is missing
 */
export async function provideSecretKey(header: Header, place: KeyPlace, keyFile: string | undefined): Promise<void> {
  if (keyFile !== undefined && place.setting === undefined) await createKeyFile(place.dataDir, await unsealSecretKey(header, keyFile))
  if (header.secretKeyCheck === null) return
  const key = await readSecretKey(place)
  const isRight = key !== null && timingSafeEqual(secretKeyCheck(key), Buffer.from(header.secretKeyCheck, 'hex'))
  if (isRight) return
  const found = key === null ? 'SECRET_KEY is not set, and DATA_DIR has no secret.key' : 'The secret key here is another one'
  throw new Error(
    `The backup was made with a secret key that this installation does not have. ${found}. Set SECRET_KEY to the key of the backup, ` +
      'or name the file that sealed it with --key-file. If the key is lost, use --without-secret-key, then run "groundwork secret-key replace".',
  )
}

async function unsealSecretKey({ sealedSecretKey, id }: Header, keyFile: string): Promise<string> {
  if (sealedSecretKey === null) throw new Error('--key-file: the backup does not contain a secret key.')
  const secret = await readKeyFile(keyFile)
  try {
    return open(Buffer.from(sealedSecretKey, 'base64'), { secretKey: { current: secret, previous: null }, purpose, aad: id })
  } catch {
    throw new Error(`--key-file: ${keyFile} is not the file that sealed the secret key of this backup.`)
  }
}

/** Returns the content of a key file in base64. @throws Error if it cannot be read or has less than 32 bytes */
export async function readKeyFile(path: string): Promise<string> {
  const content = await readFile(path).catch((error: Error) => {
    throw new Error(`--key-file: ${path} cannot be read: ${error.message}`)
  })
  if (content.length < minKeyFileBytes)
    throw new Error(`--key-file: ${path} has ${content.length} bytes; at least ${minKeyFileBytes} random bytes are needed.`)
  return content.toString('base64')
}
