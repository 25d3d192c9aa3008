import { resolve } from 'node:path'
import { sessionDatabaseUrl, type Config } from '../config.ts'
import { awsCredentials, commandOutbound, openConfiguredStorage } from '../configured-storage.ts'
import type { KeyPlace } from '../installation/secret-key.ts'
import { UsageError } from '../lib/usage-error.ts'
import { backUp, restore, verify, type Installation } from './backup.ts'
import { openBackupFile } from './open-backup-place.ts'
import { progressLines } from './progress.ts'
import { secretKeySealer } from './secret.ts'

export const backupUsage = `backup FILE: writes rows and files in one consistent state to FILE, a path or s3://BUCKET/NAME?endpoint=…. Groundwork may be running.

  --key-file PATH      encrypt the secret key with the contents of this file, and add it to the backup
  --json               print {"id", "tables", "rows", "files", "bytes"}

backup verify FILE: checks all SHA-256 sums, restores the backup into a temporary database and compares all rows.

  --json               print {"id", "createdAt", "rows", "files", "migrated"}

restore FILE: restores a backup into an installation without data, on DATABASE_URL or the embedded database in DATA_DIR, and migrates
it to this version. Stop all programs first.

  --key-file PATH      the file that encrypted the secret key: it is stored in DATA_DIR/secret.key unless SECRET_KEY is set
  --without-secret-key restore although the secret key is lost
  --json               print the same as backup verify
`

export interface BackupCommandOptions {
  readonly 'key-file'?: string | undefined
  readonly 'without-secret-key': boolean
  readonly json: boolean
}

const progress = progressLines((line) => process.stderr.write(line))

async function installationOf(config: Config): Promise<Installation & { readonly secretKey: KeyPlace }> {
  const dataDir = resolve(config.DATA_DIR)
  const storage = await openConfiguredStorage(config)
  return { dataDir, databaseUrl: sessionDatabaseUrl(config), storage, secretKey: { dataDir, setting: config.SECRET_KEY } }
}

/** Runs `backup FILE`, `backup verify FILE` or `restore FILE`. */
export async function runBackupCommand(
  [command, ...words]: readonly string[],
  options: BackupCommandOptions,
  { config, programVersion }: { config: Config; programVersion: string },
): Promise<void> {
  const isVerification = command === 'backup' && words[0] === 'verify' && words.length > 1
  const [file, ...more] = isVerification ? words.slice(1) : words
  if (file === undefined || more.length > 0) throw new UsageError(`${command} needs one file.\n\n${backupUsage}`)
  const backup = openBackupFile(file, { outbound: commandOutbound(), credentials: awsCredentials(config) })
  const print = (text: string, value: object): void => void process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : `${text}\n`)
  if (isVerification) {
    const { header, manifest, migrated } = await verify(backup, progress)
    print(`The backup of ${header.createdAt} is complete: ${describe(summaryOf(manifest))}.`, {
      id: header.id,
      createdAt: header.createdAt,
      ...summaryOf(manifest),
      migrated,
    })
    return
  }
  const { secretKey, ...installation } = await installationOf(config)
  const keyFile = options['key-file']
  if (command === 'backup') {
    const sealSecretKey = keyFile === undefined ? null : await secretKeySealer(secretKey, keyFile)
    const written = await backUp(installation, backup, { programVersion, now: new Date(), sealSecretKey, progress })
    print(`Backed up ${describe(written)}, ${(written.bytes / 1e6).toFixed(1)} MB.`, written)
    if (keyFile === undefined && !options.json)
      process.stderr.write('The backup does not contain the secret key. Keep a copy of it, or use --key-file.\n')
    return
  }
  const withoutSecretKey = options['without-secret-key']
  const { header, manifest, migrated } = await restore(installation, backup, { secretKey, keyFile, withoutSecretKey, progress })
  print(`Restored the backup of ${header.createdAt}: ${describe(summaryOf(manifest))}.`, {
    id: header.id,
    createdAt: header.createdAt,
    ...summaryOf(manifest),
    migrated,
  })
}

interface Summary {
  readonly rows: number
  readonly files: number
}

const summaryOf = ({ tables, files }: { tables: readonly { rows: number }[]; files: { count: number } }): Summary => ({
  rows: tables.reduce((total, { rows }) => total + rows, 0),
  files: files.count,
})

const describe = ({ rows, files }: Summary): string => `${rows} rows and ${files} files`
