import { resolve } from 'node:path'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { checkBackups } from '../backup/backup-folder.ts'
import type { Config } from '../config.ts'
import { backupPlace, indexFilesOf, openConfiguredStorage } from '../configured-storage.ts'
import { readMigrations } from '../db/migrate.ts'
import { ownerQuery } from '../db/owner-query.ts'
import { sharedFilesFault } from '../installation/shared-files.ts'
import { openJobs, type Jobs } from '../jobs/jobs.ts'
import { diskSpace } from '../lib/disk-space.ts'
import { queues } from '../queues.ts'
import { appliedMigrations } from '../db/applied-migrations.ts'
import { diagnose, type DoctorTools } from './doctor.ts'
import { checkIndexFiles } from './index-files.ts'
import { checkClock, checkDisk, checkMigrations } from './installation-checks.ts'
import { checkEngine, nothingFound } from './search-engine.ts'
import { checkPooler } from './pooler.ts'
import { checkReplica } from './replica.ts'
import { checkSecrets } from './secrets.ts'

export interface DoctorCommandOptions {
  readonly repair: boolean
  readonly graceSeconds: number
  readonly json: boolean
}

interface DoctorCommandTools {
  readonly database: DoctorTools['database']
  readonly config: Config
  readonly log: Logger
}

/** Runs `doctor`. */
export async function runDoctorCommand(
  pool: Pool,
  { repair, graceSeconds, json }: DoctorCommandOptions,
  { database, config, log }: DoctorCommandTools,
): Promise<void> {
  const dataDir = resolve(config.DATA_DIR)
  const query = ownerQuery(pool)
  const storage = await openConfiguredStorage(config)
  // With the wrong files, every source would count as lost and be processed again.
  const fault = await sharedFilesFault({ query, storage })
  if (fault !== null) throw new Error(fault)
  const secrets = await checkSecrets({ query, dataDir, setting: config.SECRET_KEY, previous: config.SECRET_KEY_PREVIOUS })
  const jobs = await openJobs(pool, { queues, worker: null, onError: (error) => log.error(error) })
  const tools: DoctorTools = { query, database, jobs, storage }
  const { findings: others, repaired: repairedOthers } = await diagnoseAndStop(tools, jobs, { repair, graceSeconds, now: new Date() })
  const backups =
    config.BACKUP_TO === undefined ? [] : await checkBackups(backupPlace(config, config.BACKUP_TO), config.BACKUP_EVERY, new Date())
  const known = (await readMigrations()).map(({ name }) => name)
  const installation = [
    ...checkDisk(dataDir, await diskSpace(dataDir)),
    ...(await checkClock(query, () => new Date())),
    ...checkMigrations(await appliedMigrations(query), known),
  ]
  const { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: directUrl, DATABASE_POOLER: pooler = null } = config
  const poolers = databaseUrl === undefined || directUrl === undefined ? [] : await checkPooler({ databaseUrl, directUrl })
  const { DATABASE_REPLICA_URL: replicaUrl } = config
  const replicas = replicaUrl === undefined ? [] : await checkReplica(pool, replicaUrl)
  const indexFiles = indexFilesOf(config)
  const indexes = indexFiles === null ? [] : await checkIndexFiles(indexFiles.folder)
  const engine = config.SEARCH_URL === undefined ? nothingFound : await checkEngine(query, config.SEARCH_URL, { repair })
  const findings = [...secrets, ...installation, ...indexes, ...engine.findings, ...backups, ...poolers, ...replicas, ...others]
  const repaired = repairedOthers + engine.repaired
  if (json) process.stdout.write(`${JSON.stringify({ findings, repaired, pooler })}\n`)
  else {
    if (pooler !== null) process.stdout.write(`The programs use PostgreSQL through a pooler in ${pooler} mode.\n`)
    if (replicaUrl !== undefined) process.stdout.write('The programs read lists and reports from a replica.\n')
    for (const { check, organizationId, subject, detail } of findings)
      process.stdout.write(`${check}  ${organizationId === null ? '' : `organization ${organizationId}  `}${subject}: ${detail}\n`)
    process.stdout.write(findings.length === 0 ? 'No problems found.\n' : `${findings.length} problems found, ${repaired} repaired.\n`)
  }
  if (repaired < findings.length) process.exitCode = 1
}

async function diagnoseAndStop(tools: DoctorTools, jobs: Jobs, how: Parameters<typeof diagnose>[1]): ReturnType<typeof diagnose> {
  try {
    return await diagnose(tools, how)
  } finally {
    await jobs.stop()
  }
}
