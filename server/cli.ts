import { scopes as allScopes, wireId, type Scope } from '@groundwork/api'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { administrationUsage, administrationWords, runAdministrationCommand } from './administration/commands.ts'
import { backupUsage, runBackupCommand } from './backup/commands.ts'
import { openBackupFile } from './backup/open-backup-place.ts'
import { rotateSigningKey } from './certificates/rotate.ts'
import { baseUrlOf, readConfig, sessionDatabaseUrl, type Config } from './config.ts'
import { awsCredentials, commandOutbound, formerStorageSettings, openConfiguredStorage, storageSettings } from './configured-storage.ts'
import { waitForMigrations } from './db/applied-migrations.ts'
import { ownerQuery, type OwnerQuery } from './db/owner-query.ts'
import { openStore, openSharedStore, openUnmigrated } from './db/store.ts'
import type { Encrypted } from './installation/encrypted-data.ts'
import { keyUsage, runKeyCommand } from './installation/key-commands.ts'
import { replaceSecretKey } from './installation/replace-secret-key.ts'
import { openSharedSecretKey } from './installation/secret-key.ts'
import { sharedFilesFault } from './installation/shared-files.ts'
import { indexUsage } from './knowledge/engine/usage.ts'
import { UsageError } from './lib/usage-error.ts'
import { ensureOrganization } from './organizations/organizations.ts'
import { runMove, storageUsage } from './storage/move-command.ts'
import { openStorage } from './storage/open-storage.ts'
import type { Storage } from './storage/storage.ts'
import { parseStorageUrl, withCredentials, type StorageSettings } from './storage/storage-settings.ts'
import { createToken } from './tokens/issue.ts'
import { isTransferCommand, transferUsage } from './transfer/usage.ts'
import { runUpgradeCommand, upgradeUsage } from './upgrade/commands.ts'
import { version } from './version.ts'

const usage = `Usage: npm run --silent groundwork -- token create --organization NAME [options]
       npm run --silent groundwork -- doctor [--repair] [--json]
       npm run --silent groundwork -- secret-key replace [--json]
       npm run --silent groundwork -- key rotate [--check] [--json]
       npm run --silent groundwork -- signing-key rotate [--json]
       npm run --silent groundwork -- model check DIR [--json]
       npm run --silent groundwork -- backup FILE [--key-file PATH] [--json]
       npm run --silent groundwork -- backup verify FILE [--json]
       npm run --silent groundwork -- restore FILE [--key-file PATH] [--without-secret-key] [--json]
       npm run --silent groundwork -- storage move [--to URL] [--json]
       npm run --silent groundwork -- index verify|rebuild|drop [--repair] [--json]
       npm run --silent groundwork -- upgrade --check | --rehearse FILE [--json]
       npm run --silent groundwork -- organizations list|show|delete [NAME] [--yes NAME] [--json]
       npm run --silent groundwork -- organizations export NAME FILE [--key-file PATH] [--json]
       npm run --silent groundwork -- organizations import FILE [--key-file PATH] [--without-secrets] [--json]
       npm run --silent groundwork -- organizations quota NAME [--storage SIZE] [--chunks NUMBER] [--sources NUMBER] [--json]
       npm run --silent groundwork -- users list|reset-password|disable-two-factor [EMAIL] [--json]
       npm run --silent groundwork -- jobs list|retry [ID] [--state STATE] [--json]

token create: creates an API token, and the organization if no organization has this name, slug or id. Then it says so on stderr.

  --organization NAME  organization of the token: its name, slug or id
  --name NAME          name of the token (default: command line)
  --scopes LIST        comma-separated, '*' for all (default)
                       ${allScopes.join(', ')}
  --expires DAYS       days until it expires (default: never)
  --json               print {"token", "id", "organizationId"}

doctor: checks that sources, jobs, index, files and certificates are consistent, that the secret key decrypts the stored secrets,
that webhooks are delivered, that SEARCH_URL has all chunks, that the disk has free space, that the clock is that of the database, that all migrations have run, that
the backups in BACKUP_TO are recent, that a pooler in DATABASE_URL leads to the database of DATABASE_DIRECT_URL, and that
DATABASE_REPLICA_URL leads to a replica of it. Groundwork may be running. Exits with 1 if a problem was found and not repaired.

  --repair             repair: delete orphaned data and process missing data again
  --grace SECONDS      ignore unreferenced files younger than this, which may belong to running uploads (default: 3600)
  --json               print {"findings", "repaired", "pooler"}

secret-key replace: replaces a lost secret key by the current one (SECRET_KEY, or the file in DATA_DIR, which is created
if it is missing and kept otherwise). Stop all programs first. Prints the webhook endpoints whose secret must be rotated, and
whether the key has changed. Turns off second factors, retires the signing key and deletes the key that seals PDFs if they cannot
be decrypted.

  --json               print {"lost", "replaced"}

${keyUsage}
signing-key rotate: signs new certificates with a new key. Groundwork may be running. The private part of the former key is
deleted; its public part remains at /.well-known/groundwork-keys.json, so its certificates can still be verified.

  --json               print {"id", "retired"}

model check: loads the embedding model or reranker in a folder and prints its properties, some similarities, its throughput and the
languages that it is good at. EMBEDDINGS_DIMENSIONS, EMBEDDINGS_QUERY_PREFIX and EMBEDDINGS_PASSAGE_PREFIX apply. Exits with 1 and
names the file if the folder has no usable model.

  --json               print the same as JSON

${indexUsage}
${backupUsage}
${storageUsage}
${upgradeUsage}
${administrationUsage}
${transferUsage}`

const options = {
  organization: { type: 'string' },
  name: { type: 'string', default: 'command line' },
  scopes: { type: 'string', default: '*' },
  expires: { type: 'string' },
  json: { type: 'boolean', default: false },
  repair: { type: 'boolean', default: false },
  grace: { type: 'string', default: '3600' },
  'key-file': { type: 'string' },
  to: { type: 'string' },
  yes: { type: 'string' },
  state: { type: 'string' },
  storage: { type: 'string' },
  chunks: { type: 'string' },
  sources: { type: 'string' },
  'without-secret-key': { type: 'boolean', default: false },
  'without-secrets': { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  rehearse: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  if (values.help) process.stdout.write(usage)
  else if (positionals.join(' ') === 'token create') await createTokenCommand(values)
  else if (positionals.join(' ') === 'doctor') await doctorCommand(values)
  else if (positionals.join(' ') === 'secret-key replace') await replaceSecretKeyCommand(values)
  else if (positionals.join(' ') === 'key rotate') await keyCommand(values)
  else if (positionals.join(' ') === 'signing-key rotate') await rotateSigningKeyCommand(values)
  else if (positionals[0] === 'model' && positionals[1] === 'check') await checkModelCommand(positionals.slice(2), values)
  else if (positionals[0] === 'backup' || positionals[0] === 'restore') await backupCommand(positionals, values)
  else if (positionals.join(' ') === 'storage move') await moveCommand(values)
  else if (positionals[0] === 'index') await indexCommand(positionals.slice(1), values)
  else if (positionals[0] === 'upgrade') await upgradeCommand(positionals, values)
  else if (isTransferCommand(positionals)) await transferCommand(positionals, values)
  else if (administrationWords.includes(positionals[0] ?? '')) await administrationCommand(positionals, values)
  else throw new UsageError(`Unknown command: ${positionals.join(' ')}\n\n${usage}`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = isUsageError(error) ? 2 : 1
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

async function createTokenCommand(values: Values): Promise<void> {
  const name = values.organization?.trim() ?? ''
  if (name === '') throw new UsageError('--organization NAME is required.')
  const scopes = readScopes(values.scopes)
  const now = new Date()
  const expiresAt = values.expires === undefined ? null : new Date(now.getTime() + readDays(values.expires) * 86_400_000)
  const config = readConfig()
  const log = pino({ level: 'error' }, pino.destination(2))
  const store = await openSharedStore({ dataDir: resolve(config.DATA_DIR), databaseUrl: sessionDatabaseUrl(config), log })
  try {
    await waitForMigrations(ownerQuery(store.database.pool))
    const { id: organizationId, created: isNew } = await ensureOrganization(store.database.pool, name, now)
    const { id, secret } = await createToken(store.database, { organizationId, name: values.name, scopes, expiresAt, now })
    const created = { token: secret, id: wireId('tok', id), organizationId: wireId('org', organizationId) }
    if (isNew) process.stderr.write(`Created the organization ${name} (${created.organizationId}).\n`)
    process.stdout.write(values.json ? `${JSON.stringify(created)}\n` : `${secret}\n`)
  } finally {
    await store.close()
  }
}

// Loading the code of jobs and knowledge bases takes a quarter of the processor time of other commands: only those that need it load it.

async function doctorCommand({ repair, grace, json }: Values): Promise<void> {
  const graceSeconds = Number(grace)
  if (!Number.isFinite(graceSeconds) || graceSeconds < 0) throw new UsageError('--grace must be a number of seconds, 0 or more.')
  const { runDoctorCommand } = await import('./doctor/command.ts')
  const config = readConfig()
  const log = pino({ level: 'error' }, pino.destination(2))
  const store = await openSharedStore({ dataDir: resolve(config.DATA_DIR), databaseUrl: sessionDatabaseUrl(config), log })
  try {
    const { database } = store
    await runDoctorCommand(database.pool, { repair, graceSeconds, json }, { database, config, log })
  } finally {
    await store.close()
  }
}

async function replaceSecretKeyCommand({ json }: Values): Promise<void> {
  const config = readConfig()
  const dataDir = resolve(config.DATA_DIR)
  // A running program would keep encrypting with its old key. Opening the embedded engine fails while a program uses it.
  const store = await openStore({ dataDir, databaseUrl: sessionDatabaseUrl(config), log: pino({ level: 'error' }, pino.destination(2)) })
  try {
    const key = { query: ownerQuery(store.database.pool), dataDir, setting: config.SECRET_KEY }
    const { lost, replaced, origin } = await replaceSecretKey(key)
    if (json) process.stdout.write(`${JSON.stringify({ lost: lost.map(({ kind, id }) => ({ kind, id })), replaced })}\n`)
    else {
      for (const { kind, id } of lost) process.stdout.write(`${describeLost(kind, id)}\n`)
      const outcome = replaced
        ? `The secret key has been replaced by the one in ${origin}.`
        : `The secret key has not changed: the one in ${origin} was already the key of this database. To replace it, set another SECRET_KEY, or remove the setting and the file secret.key.`
      process.stdout.write(`${outcome} ${lost.length} secrets were lost.\n`)
    }
  } finally {
    await store.close()
  }
}

function describeLost(kind: Encrypted['kind'], id: string): string {
  const descriptions = {
    'webhook endpoint': `webhook endpoint whk_${id}: rotate its secret`,
    'second factor': `second factor ${id}: turned off`,
    'signing key': `signing key ${id}: retired; the next certificate is signed with a new one`,
    'PDF signer': 'key that seals PDFs: deleted; the next PDF of a completed proposal is sealed with a new one',
  }
  return descriptions[kind]
}

async function keyCommand(values: Values): Promise<void> {
  const config = readConfig()
  const dataDir = resolve(config.DATA_DIR)
  const store = await openSharedStore({
    dataDir,
    databaseUrl: sessionDatabaseUrl(config),
    log: pino({ level: 'error' }, pino.destination(2)),
  })
  try {
    const query = ownerQuery(store.database.pool)
    await runKeyCommand(values, { query, dataDir, setting: config.SECRET_KEY, previous: config.SECRET_KEY_PREVIOUS })
  } finally {
    await store.close()
  }
}

async function rotateSigningKeyCommand({ json }: Values): Promise<void> {
  const config = readConfig()
  const dataDir = resolve(config.DATA_DIR)
  const log = pino({ level: 'error' }, pino.destination(2))
  const store = await openSharedStore({ dataDir, databaseUrl: sessionDatabaseUrl(config), log })
  try {
    const { pool } = store.database
    const secretKey = await openSharedSecretKey({
      query: ownerQuery(pool),
      dataDir,
      setting: config.SECRET_KEY,
      previous: config.SECRET_KEY_PREVIOUS,
    })
    const { id, retired } = await rotateSigningKey(pool, { secretKey, now: () => new Date() })
    if (json) process.stdout.write(`${JSON.stringify({ id, retired })}\n`)
    else process.stdout.write(`New signing key: ${id}\n${retired === null ? '' : `Retired: ${retired}\n`}`)
  } finally {
    await store.close()
  }
}

function backupCommand(words: readonly string[], values: Values): Promise<void> {
  return runBackupCommand(words, values, { config: readConfig(), programVersion: version })
}

async function moveCommand({ to, json }: Values): Promise<void> {
  const config = readConfig()
  const former = formerStorageSettings(config)
  if (to === undefined && former === null)
    throw new Error('STORAGE_URL_PREVIOUS is not set, and there is no --to URL: there is nothing to move.')
  const outbound = commandOutbound()
  const own = await openStorage(storageSettings(config), outbound)
  const other = await openStorage(to === undefined ? (former ?? storageSettings(config)) : placeOf(to, config), outbound)
  await (to === undefined ? runMove(other, own, { json, whole: true }) : runMove(own, other, { json, whole: false }))
  await outbound.close()
}

function placeOf(url: string, config: Config): StorageSettings {
  try {
    return withCredentials(parseStorageUrl(url), awsCredentials(config))
  } catch (error) {
    throw new UsageError(`--to ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

async function indexCommand(words: readonly string[], { repair, json }: Values): Promise<void> {
  const { runIndexCommand } = await import('./knowledge/engine/commands.ts')
  const config = readConfig()
  const log = pino({ level: 'error' }, pino.destination(2))
  const store = await openSharedStore({ dataDir: resolve(config.DATA_DIR), databaseUrl: sessionDatabaseUrl(config), log })
  const outbound = commandOutbound()
  try {
    await runIndexCommand(words, { repair, json }, { query: ownerQuery(store.database.pool), settings: config.SEARCH_URL, outbound })
  } finally {
    await outbound.close()
    await store.close()
  }
}

function upgradeCommand(words: readonly string[], values: Values): Promise<void> {
  return runUpgradeCommand(words, values, async (use) => {
    const config = readConfig()
    const log = pino({ level: 'error' }, pino.destination(2))
    const store = await openUnmigrated({ dataDir: resolve(config.DATA_DIR), databaseUrl: sessionDatabaseUrl(config), log })
    try {
      return await use(ownerQuery(store.database.pool))
    } finally {
      await store.close()
    }
  })
}

async function administrationCommand(words: readonly string[], values: Values): Promise<void> {
  const config = readConfig()
  const dataDir = resolve(config.DATA_DIR)
  const log = pino({ level: 'error' }, pino.destination(2))
  const store = await openSharedStore({ dataDir, databaseUrl: sessionDatabaseUrl(config), log })
  try {
    await runAdministrationCommand(store.database.pool, words, values, {
      dataDir,
      openStorage: () => openOwnStorage(config, ownerQuery(store.database.pool)),
      baseUrl: baseUrlOf(config),
      now: () => new Date(),
    })
  } finally {
    await store.close()
  }
}

async function transferCommand(words: readonly string[], values: Values): Promise<void> {
  const { runTransferCommand } = await import('./transfer/commands.ts')
  const config = readConfig()
  const dataDir = resolve(config.DATA_DIR)
  const log = pino({ level: 'error' }, pino.destination(2))
  const store = await openSharedStore({ dataDir, databaseUrl: sessionDatabaseUrl(config), log })
  const outbound = commandOutbound()
  try {
    const { pool } = store.database
    await runTransferCommand(pool, words, values, {
      connection: store.connection,
      dataDir,
      databaseUrl: sessionDatabaseUrl(config),
      secretKey: { setting: config.SECRET_KEY, previous: config.SECRET_KEY_PREVIOUS },
      openStorage: () => openOwnStorage(config, ownerQuery(pool)),
      openFile: (path) => openBackupFile(path, { outbound, credentials: awsCredentials(config) }),
      programVersion: version,
      now: () => new Date(),
    })
  } finally {
    await outbound.close()
    await store.close()
  }
}

/** @throws Error if the files belong to another database */
async function openOwnStorage(config: Config, query: OwnerQuery): Promise<Storage> {
  const storage = await openConfiguredStorage(config)
  const fault = await sharedFilesFault({ query, storage })
  if (fault !== null) throw new Error(fault)
  return storage
}

async function checkModelCommand([folder, ...more]: readonly string[], { json }: Values): Promise<void> {
  if (folder === undefined || more.length > 0) throw new UsageError('model check needs one folder: model check DIR')
  const [{ checkModel }, { reportOf }] = [await import('./model-check/check.ts'), await import('./model-check/report.ts')]
  const { EMBEDDINGS_DIMENSIONS: dimensions, EMBEDDINGS_QUERY_PREFIX: queryPrefix, EMBEDDINGS_PASSAGE_PREFIX: passagePrefix } = readConfig()
  const check = await checkModel(resolve(folder), { dimensions, queryPrefix, passagePrefix })
  process.stdout.write(json ? `${JSON.stringify(check)}\n` : reportOf(check))
}

function readScopes(list: string): readonly Scope[] {
  if (list === '*') return allScopes
  return list.split(',').map((entry) => {
    const scope = allScopes.find((known) => known === entry.trim())
    if (scope === undefined) throw new UsageError(`Unknown scope: ${entry.trim()}. Scopes: ${allScopes.join(', ')}.`)
    return scope
  })
}

function readDays(text: string): number {
  const days = Number(text)
  if (!Number.isFinite(days) || days <= 0) throw new UsageError('--expires must be a number of days greater than 0.')
  return days
}

/** Returns whether the arguments are invalid: by a rule of a command, or of parseArgs. */
function isUsageError(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_'))
}
