import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OwnerQuery } from '../db/owner-query.ts'
import { createWholeFile, makeFolder } from '../lib/durable-files.ts'
import { readEncrypted, unreadableWith } from './encrypted-data.ts'

export interface SecretKeyOptions {
  readonly query: OwnerQuery
  readonly dataDir: string
  /** The setting SECRET_KEY. Without it, the key is a file in the data folder. */
  readonly setting: string | undefined
}

const minLength = 32

/**
 * Returns the secret key of this installation and creates it in the data folder at the first start. The database stores a check
 * value of its key, so that processes that start concurrently agree on one.
 * @throws Error that names SECRET_KEY if the key is missing, too short or not the key of this database
 */
export async function openSecretKey(options: SecretKeyOptions): Promise<string> {
  const fault = await secretKeyFault(options)
  if (fault !== null) throw new Error(fault)
  const key = (await readSecretKey(options)) ?? (await createKeyFile(options.dataDir))
  // Another process may have recorded its key first; the first one wins.
  await options.query('update installation.identity set secret_key_check = $1 where secret_key_check is null', [secretKeyCheck(key)])
  const another = await secretKeyFault(options)
  if (another !== null) throw new Error(another)
  return key
}

/** Returns why the program would refuse its secret key, or null. Has no side effects. */
export async function secretKeyFault(options: SecretKeyOptions): Promise<string | null> {
  const { query, dataDir, setting } = options
  const origin = setting === undefined ? keyFileIn(dataDir) : 'the environment'
  const key = await readSecretKey(options)
  if (key !== null && key.trim().length < minLength) {
    const length = key.trim().length === 0 ? 'is empty' : `has ${key.trim().length} characters`
    return `SECRET_KEY: the key in ${origin} ${length}, but a key has at least ${minLength}. ${restore(dataDir)}`
  }
  const [row] = await query<{ secret_key_check: Buffer | null }>('select secret_key_check from installation.identity')
  const expected = row?.secret_key_check ?? null
  if (expected !== null) {
    if (key === null)
      return `SECRET_KEY: is not set, and ${keyFileIn(dataDir)} does not exist, but this database was set up with a key. ${restore(dataDir)}`
    if (timingSafeEqual(expected, secretKeyCheck(key))) return null
    return `SECRET_KEY: the key in ${origin} is not the one that this database was set up with. ${restore(dataDir)}`
  }
  const encrypted = await readEncrypted(query)
  if (encrypted.length === 0) return null
  if (key === null)
    return `SECRET_KEY: is not set, and ${keyFileIn(dataDir)} does not exist, but this database holds encrypted secrets. ${restore(dataDir)}`
  const unreadable = await unreadableWith(key, encrypted)
  if (unreadable.length === 0) return null
  return `SECRET_KEY: the key in ${origin} cannot decrypt ${unreadable.length} of ${encrypted.length} secrets in this database. ${restore(dataDir)}`
}

const restore = (dataDir: string): string =>
  `Set SECRET_KEY to the key of this database, the same in all programs that use it, or restore the file ${keyFileIn(dataDir)}. ` +
  'If that key is lost, stop all programs and run "groundwork secret-key replace".'

/** Records the given key as the key of this database, replacing an earlier one. */
export async function recordSecretKey(options: SecretKeyOptions): Promise<string> {
  const key = (await readSecretKey(options)) ?? (await createKeyFile(options.dataDir))
  if (key.trim().length < minLength) throw new Error(`SECRET_KEY: a key has at least ${minLength} characters`)
  await options.query('update installation.identity set secret_key_check = $1', [secretKeyCheck(key)])
  return key
}

/** Returns a value that tells whether a key is the same, and from which the key cannot be computed. */
export const secretKeyCheck = (key: string): Buffer => createHmac('sha256', key).update('groundwork secret key check').digest()

const keyFileIn = (dataDir: string): string => join(dataDir, 'secret.key')

/** Returns the configured key without checking it; null if there is none. */
export async function readSecretKey({ setting, dataDir }: Omit<SecretKeyOptions, 'query'>): Promise<string | null> {
  if (setting !== undefined) return setting
  return readFile(keyFileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

/** Stores a key in the data folder, unless it has one. Returns the key in the folder. */
export async function createKeyFile(dataDir: string, key = randomBytes(32).toString('hex')): Promise<string> {
  await makeFolder(dataDir)
  await createWholeFile(keyFileIn(dataDir), Buffer.from(key))
  return readFile(keyFileIn(dataDir), 'utf8')
}
