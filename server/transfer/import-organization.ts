import { wireId } from '@groundwork/api'
import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { auditByOperator } from '../administration/audit.ts'
import { deleteOrganization } from '../administration/delete-organization.ts'
import type { BackupFile } from '../backup/backup-file.ts'
import { readMigrations } from '../backup/catalog.ts'
import type { Progress } from '../backup/progress.ts'
import type { BulkSession } from '../db/bulk-session.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import type { Storage } from '../storage/storage.ts'
import { addAccess } from './access.ts'
import { exportedTables } from './exported-tables.ts'
import type { ExportHeader } from './format.ts'
import { reserveGenerations } from './generations.ts'
import { addJobs } from './jobs.ts'
import { loadOrganization, requireMark, type Loaded, type Loading } from './load-organization.ts'
import { checking, readExport, type ExportContent } from './read-export.ts'
import { openExportKey } from './secrets.ts'
import { addSigningKeys } from './signing-keys.ts'
import { addUsers, planUsers, type PlannedUser } from './users.ts'

export interface ImportTarget {
  /** For statements in bulk, and the transaction that completes the import. */
  readonly session: BulkSession
  readonly storage: Pick<Storage, 'write' | 'deleteOrganization'>
  readonly jobs: Pick<Jobs, 'statement'>
  readonly secretKey: SecretKeys
  readonly mailFolder: string
}

export interface ImportOptions {
  readonly programVersion: string
  readonly keyFile: string | undefined
  /** Imports although the export has secrets and there is no key file. */
  readonly withoutSecrets: boolean
  readonly now: () => Date
  readonly progress: Progress
}

export interface ImportedOrganization {
  readonly organizationId: string
  readonly name: string
  readonly slug: string
  readonly rows: number
  readonly files: number
  readonly createdUsers: number
  readonly knownUsers: number
  /** Ids of webhook endpoints with a new secret, which are disabled, and addresses of users without password and second factor. */
  readonly withoutSecrets: { readonly webhooks: readonly string[]; readonly users: readonly string[] }
}

/**
 * Adds an exported organization, beside running programs. It checks the whole file before it writes anything. The organization has no
 * tokens and members until the last transaction. An import that fails deletes everything again. The remains of a killed import are
 * deleted by the next import of the same organization.
 * @throws Error if the file is no export, damaged or of another version, the key file is wrong, or the organization exists
 */
export async function importOrganization(
  pool: Pool,
  file: BackupFile,
  target: ImportTarget,
  options: ImportOptions,
): Promise<ImportedOrganization> {
  const { session } = target
  const { progress, now } = options
  const content = await readExport(file, checking, progress)
  const { header } = content
  const organizationId = header.organization.id
  await assertSameVersion(session, header, options.programVersion)
  const sealedWith = await openExportKey(header, options)
  const deletion = { storage: target.storage, mailFolder: target.mailFolder, now }
  if (await isUnfinished(session, header)) await deleteOrganization(pool, organizationId, deletion)
  const users = await planUsers(session.query, content.users)
  const loading: Loading = {
    session,
    storage: target.storage,
    maps: {
      organizationId,
      generations: await reserveGenerations(session, content.generations),
      users: new Map(users.map(({ user, id }) => [user.id, id])),
    },
    importId: randomUUID(),
    now: now(),
    tables: await exportedTables(session),
  }
  const loaded = loadOrganization(loading)
  try {
    const again = await readExport(file, loaded.reader, progress)
    if (again.header.id !== header.id) throw new Error('The file was replaced by another export during the import.')
    return await complete(target, { content, loading, loaded, users, sealedWith })
  } catch (error) {
    await deleteRemains().catch((failure: Error) => {
      const message = error instanceof Error ? error.message : String(error)
      throw new Error(
        `${message}\nThe remains could not be deleted: ${failure.message}\nThe next import of the organization deletes them.`,
        {
          cause: error,
        },
      )
    })
    throw error
  }

  async function deleteRemains(): Promise<void> {
    await session.query('rollback')
    const [own] = await session.query('select from organization where id = $1 and import_id = $2', [organizationId, loading.importId])
    if (own !== undefined) await deleteOrganization(pool, organizationId, deletion)
  }
}

/** Rows and files depend on the version, in their columns and in their content. */
async function assertSameVersion(session: BulkSession, header: ExportHeader, programVersion: string): Promise<void> {
  const applied = new Map((await readMigrations(session)).map(({ name, sha256 }) => [name, sha256]))
  const differs = header.migrations.find(
    ({ name, sha256 }) => !applied.has(name) || (sha256 !== null && applied.get(name) !== null && sha256 !== applied.get(name)),
  )
  if (header.programVersion === programVersion && differs === undefined && header.migrations.length === applied.size) return
  throw new Error(
    `The export was made by Groundwork ${header.programVersion} with ${header.migrations.length} migrations; this is ${programVersion} ` +
      `with ${applied.size}. Install the same version on both sides, and export again.`,
  )
}

/** Returns whether the remains of an import must be deleted. @throws Error if the organization exists */
async function isUnfinished({ query }: BulkSession, { organization: { id, name } }: ExportHeader): Promise<boolean> {
  const [found] = await query<{ importing: boolean; deleting: boolean }>(
    'select import_id is not null as importing, deletion_started_at is not null as deleting from organization where id = $1',
    [id],
  )
  if (found === undefined) return false
  if (found.importing) return true
  const wire = wireId('org', id)
  throw new Error(
    found.deleting
      ? `The deletion of the organization ${wire} has not ended here. Run "organizations delete" again first.`
      : `The organization ${name} (${wire}) already exists in this installation. Nothing was changed.`,
  )
}

interface Completion {
  readonly content: ExportContent
  readonly loading: Loading
  readonly loaded: Loaded
  readonly users: readonly PlannedUser[]
  readonly sealedWith: string | null
}

/** Adds users, tokens, members, webhook endpoints and jobs, and makes the organization reachable, in one transaction. */
async function complete(
  { session, jobs, secretKey }: ImportTarget,
  { content, loading, loaded, users, sealedWith }: Completion,
): Promise<ImportedOrganization> {
  const { organizationId, generations } = loading.maps
  const { now } = loading
  const { query } = session
  await query('begin')
  await requireMark(loading, 'update')
  const secrets = { from: sealedWith, to: secretKey }
  const withoutFactor = await addUsers(query, users, secrets)
  await addSigningKeys(query, content.signingKeys, content.header.createdAt)
  const webhooks = await addAccess(session, loaded.access, { secrets, now })
  for (const { table, column, id, value } of loaded.selfReferences)
    await query(`update ${table} set ${column} = $3 where organization_id = $1 and id = $2`, [organizationId, id, value])
  await query('update organization_use set storage_quota = null, chunk_quota = null, source_quota = null where organization_id = $1', [
    organizationId,
  ])
  const [organization] = await query<{ name: string; slug: string }>(
    'update organization set deletion_started_at = null, import_id = null where id = $1 returning name, slug',
    [organizationId],
  )
  if (organization === undefined) throw new Error('The export is damaged: it has no row of the organization.')
  const target = wireId('org', organizationId)
  await auditByOperator({ query }, organizationId, now, { action: 'organization.imported', target })
  await addJobs({ session, jobs, organizationId, generations, now }, content.jobs)
  await query(`select pg_notify('groundwork_organizations', $1)`, [organizationId])
  await query('commit')
  return {
    organizationId,
    ...organization,
    rows: content.rows,
    files: content.files,
    createdUsers: users.filter(({ exists }) => !exists).length,
    knownUsers: users.filter(({ exists }) => exists).length,
    withoutSecrets: { webhooks, users: withoutFactor },
  }
}
