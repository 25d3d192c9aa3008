import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OwnerQuery } from '../db/owner-query.ts'
import { createFileIfMissing, makeFolder } from '../lib/durable-files.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import { readEncrypted, unreadableWith } from './encrypted-data.ts'

/** Where the program finds its secret key. */
export interface KeyPlace {
  readonly dataDir: string
  /** The setting SECRET_KEY. Without it, the key is a file in the data folder. */
  readonly setting: string | undefined
}

export interface SecretKeyOptions extends KeyPlace {
  readonly query: OwnerQuery
  /** The setting SECRET_KEY_PREVIOUS. */
  readonly previous?: string | undefined
}

const minLength = 32

/**
 * Returns the secret key of this installation and creates it in the data folder at the first start. The database stores a check
 * value of its key, so that processes that start concurrently agree on one. If the previous key is the one of the database, its
 * rotation begins: values may be encrypted under either key from now on.
 * @throws Error that names the setting if a key is missing, too short or not a key of this database
 */
export async function openSecretKey(options: SecretKeyOptions): Promise<SecretKeys> {
  const fault = await secretKeyFault(options)
  if (fault !== null) throw new Error(fault)
  const key = (await readSecretKey(options)) ?? (await createKeyFile(options.dataDir))
  // Another process may have recorded its key first; the first one wins.
  await options.query('update installation.identity set secret_key_check = $1 where secret_key_check is null', [secretKeyCheck(key)])
  if (options.previous !== undefined) {
    await options.query(
      `update installation.identity set secret_key_check = $1, former_secret_key_check = $2
       where secret_key_check = $2 and former_secret_key_check is null`,
      [secretKeyCheck(key), secretKeyCheck(options.previous)],
    )
  }
  const another = await secretKeyFault(options)
  if (another !== null) throw new Error(another)
  return { current: key, previous: options.previous ?? null }
}

/**
 * Returns the keys for a command beside running programs, which must know both keys before it uses the new one.
 * @throws Error as `openSecretKey`, and if no program has started with the new key yet
 */
export async function openSharedSecretKey(options: SecretKeyOptions): Promise<SecretKeys> {
  const key = await readSecretKey(options)
  const { expected } = await readChecks(options.query)
  if (key !== null && options.previous !== undefined && matches(expected, options.previous))
    throw new Error(
      'SECRET_KEY: no program has started with this key yet. Restart all programs with SECRET_KEY and SECRET_KEY_PREVIOUS first.',
    )
  return openSecretKey(options)
}

/** Returns why the program would refuse its secret key, or null. Has no side effects. */
export async function secretKeyFault(options: SecretKeyOptions): Promise<string | null> {
  const { query, dataDir, setting, previous } = options
  const origin = setting === undefined ? keyFileIn(dataDir) : 'the environment'
  // In this order: another process that starts for the first time creates the file before it records the check value.
  const { expected, former } = await readChecks(query)
  const key = await readSecretKey(options)
  if (key !== null && key.trim().length < minLength) {
    const length = key.trim().length === 0 ? 'is empty' : `has ${key.trim().length} characters`
    return `SECRET_KEY: the key in ${origin} ${length}, but a key has at least ${minLength}. ${restore(dataDir)}`
  }
  if (previous !== undefined && previous === key)
    return 'SECRET_KEY_PREVIOUS: is the same key as SECRET_KEY. Set it to the key before, or remove it.'
  if (expected !== null) {
    if (key === null)
      return `SECRET_KEY: is not set, and ${keyFileIn(dataDir)} does not exist, but this database was set up with a key. ${restore(dataDir)}`
    const isKnown = matches(expected, key) || (matches(expected, previous) && (former === null || matches(former, key)))
    if (isKnown) {
      const other = matches(expected, key) ? former : expected
      return former === null || matches(other, previous) ? null : unfinished
    }
    if (matches(former, key)) return unfinished
    return `SECRET_KEY: the key in ${origin} is not the one that this database was set up with. ${restore(dataDir)}`
  }
  const encrypted = await readEncrypted(query)
  if (encrypted.length === 0) return null
  if (key === null)
    return `SECRET_KEY: is not set, and ${keyFileIn(dataDir)} does not exist, but this database holds encrypted secrets. ${restore(dataDir)}`
  const unreadable = await unreadableWith({ current: key, previous: previous ?? null }, encrypted)
  if (unreadable.length === 0) return null
  return `SECRET_KEY: the key in ${origin} cannot decrypt ${unreadable.length} of ${encrypted.length} secrets in this database. ${restore(dataDir)}`
}

interface Checks {
  /** Check value of the key; null before the first start. */
  readonly expected: Buffer | null
  /** Check value of the key before it; null unless it is being rotated. */
  readonly former: Buffer | null
}

async function readChecks(query: OwnerQuery): Promise<Checks> {
  const [row] = await query<Checks>('select secret_key_check as expected, former_secret_key_check as former from installation.identity')
  return row ?? { expected: null, former: null }
}

const matches = (check: Buffer | null, key: string | undefined): boolean =>
  check !== null && key !== undefined && timingSafeEqual(check, secretKeyCheck(key))

/** Returns whether values may still be encrypted under the previous key. */
export const isBeingRotated = async (query: OwnerQuery): Promise<boolean> => (await readChecks(query)).former !== null

const unfinished =
  'SECRET_KEY_PREVIOUS: the rotation of the secret key is not finished. Set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to the ' +
  'former one, and run "groundwork key rotate".'

const restore = (dataDir: string): string =>
  `Set SECRET_KEY to the key of this database, the same in all programs that use it, or restore the file ${keyFileIn(dataDir)}. ` +
  'If that key is lost, stop all programs and run "groundwork secret-key replace".'

export interface RecordedKey {
  readonly key: string
  /** SECRET_KEY, or the path of the file. */
  readonly origin: string
  /** Whether the database had another key, or none. */
  readonly replaced: boolean
}

/** Records the configured key as the key of this database, replacing an earlier one. Creates the file if no key is configured. */
export async function recordSecretKey(options: SecretKeyOptions): Promise<RecordedKey> {
  const { query, dataDir, setting } = options
  const key = (await readSecretKey(options)) ?? (await createKeyFile(dataDir))
  if (key.trim().length < minLength) throw new Error(`SECRET_KEY: a key has at least ${minLength} characters`)
  const replaced = !matches((await readChecks(query)).expected, key)
  await query('update installation.identity set secret_key_check = $1, former_secret_key_check = null', [secretKeyCheck(key)])
  return { key, origin: setting === undefined ? keyFileIn(dataDir) : 'SECRET_KEY', replaced }
}

/** Returns a value that tells whether a key is the same, and from which the key cannot be computed. */
export const secretKeyCheck = (key: string): Buffer => createHmac('sha256', key).update('groundwork secret key check').digest()

const keyFileIn = (dataDir: string): string => join(dataDir, 'secret.key')

/** Returns the configured key without checking it; null if there is none. */
export async function readSecretKey({ setting, dataDir }: KeyPlace): Promise<string | null> {
  if (setting !== undefined) return setting
  return readFile(keyFileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

/** Stores a key in the data folder, unless it has one. Returns the key in the folder. */
export async function createKeyFile(dataDir: string, key = randomBytes(32).toString('hex')): Promise<string> {
  await makeFolder(dataDir)
  await createFileIfMissing(keyFileIn(dataDir), Buffer.from(key))
  return readFile(keyFileIn(dataDir), 'utf8')
}
