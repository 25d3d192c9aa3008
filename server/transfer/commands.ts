import { wireId } from '@groundwork/api'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { findOrganization } from '../administration/organizations.ts'
import type { BackupFile } from '../backup/backup-file.ts'
import { progressLines } from '../backup/progress.ts'
import { openSource } from '../backup/source.ts'
import { openBulkSession } from '../db/bulk-session.ts'
import { ownerQuery } from '../db/owner-query.ts'
import type { Connection } from '../db/pool.ts'
import { openSharedSecretKey } from '../installation/secret-key.ts'
import { openJobs } from '../jobs/jobs.ts'
import { UsageError } from '../lib/usage-error.ts'
import { queues } from '../queues.ts'
import type { Storage } from '../storage/storage.ts'
import { exportOrganization } from './export-organization.ts'
import { importOrganization, type ImportedOrganization } from './import-organization.ts'
import { transferUsage } from './usage.ts'

export interface TransferCommandOptions {
  readonly 'key-file'?: string | undefined
  readonly 'without-secrets': boolean
  readonly json: boolean
}

export interface TransferTools {
  readonly connection: Connection
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly secretKey: { readonly setting: string | undefined; readonly previous: string | undefined }
  readonly openStorage: () => Promise<Storage>
  readonly openFile: (path: string) => BackupFile
  readonly programVersion: string
  readonly now: () => Date
}

const progress = progressLines((line) => process.stderr.write(line))

/** Runs `organizations export NAME FILE` or `organizations import FILE`. */
export async function runTransferCommand(
  pool: Pool,
  [, verb, ...words]: readonly string[],
  options: TransferCommandOptions,
  tools: TransferTools,
): Promise<void> {
  const [name, path, ...more] = verb === 'export' ? words : ['', ...words]
  if (name === undefined || path === undefined || more.length > 0)
    throw new UsageError(`organizations ${verb} needs ${verb === 'export' ? 'a name and a file' : 'one file'}.\n\n${transferUsage}`)
  const print = (text: string, value: object): void => void process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : `${text}\n`)
  const file = tools.openFile(path)
  if (verb === 'import') {
    const { organizationId, ...imported } = await importFrom(pool, file, options, tools)
    return print(describe(organizationId, imported), { id: wireId('org', organizationId), ...imported })
  }
  const { dataDir, databaseUrl, programVersion, now } = tools
  const [organizationId, storage, keyFile] = [
    await findOrganization(ownerQuery(pool), name),
    await tools.openStorage(),
    options['key-file'],
  ]
  const secrets =
    keyFile === undefined ? null : { keyFile, keys: await openSharedSecretKey({ query: ownerQuery(pool), dataDir, ...tools.secretKey }) }
  const written = await exportOrganization(pool, () => openSource({ dataDir, databaseUrl, storage }), file, {
    organizationId,
    programVersion,
    now: now(),
    secrets,
    progress,
  })
  const { rows, files, bytes, missingFiles } = written
  print(`Exported ${rows} rows and ${files} files, ${(bytes / 1e6).toFixed(1)} MB.`, {
    ...written,
    organizationId: wireId('org', organizationId),
  })
  if (options.json) return
  if (missingFiles.length > 0)
    process.stderr.write(`${missingFiles.length} files are missing in the storage; "groundwork doctor" names them.\n`)
  if (keyFile === undefined)
    process.stderr.write('The export has no webhook secrets and no second factors. Use --key-file to include them.\n')
}

async function importFrom(
  pool: Pool,
  file: BackupFile,
  options: TransferCommandOptions,
  { connection, dataDir, secretKey, openStorage, programVersion, now }: TransferTools,
): Promise<ImportedOrganization> {
  const storage = await openStorage()
  const keys = await openSharedSecretKey({ query: ownerQuery(pool), dataDir, ...secretKey })
  const failed = (error: Error): void => void process.stderr.write(`${error.message}\n`)
  const jobs = await openJobs(pool, { queues, worker: null, onError: failed })
  const session = await openBulkSession(connection)
  try {
    const target = { session, storage, jobs, secretKey: keys, mailFolder: join(dataDir, 'mail') }
    const [keyFile, withoutSecrets] = [options['key-file'], options['without-secrets']]
    return await importOrganization(pool, file, target, { programVersion, keyFile, withoutSecrets, now, progress })
  } finally {
    await session.close()
    await jobs.stop()
  }
}

function describe(
  organizationId: string,
  { name, slug, rows, files, createdUsers, knownUsers, withoutSecrets: { webhooks, users } }: Omit<ImportedOrganization, 'organizationId'>,
): string {
  return [
    `Imported ${name} (${wireId('org', organizationId)}, slug ${slug}): ${rows} rows and ${files} files, ${createdUsers} new and ${knownUsers} known users.`,
    ...webhooks.map(
      (id) => `webhook endpoint ${wireId('whk', id)}: disabled, because it has a new secret; rotate it and enable the endpoint`,
    ),
    ...users.map((email) => `user ${email}: has no second factor and no password; reset the password`),
  ].join('\n')
}
