import { wireId } from '@groundwork/api'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { ownerQuery } from '../db/owner-query.ts'
import { UsageError } from '../lib/usage-error.ts'
import type { Storage } from '../storage/storage.ts'
import { deleteOrganization } from './delete-organization.ts'
import { jobStates, listJobs, retryJob, type JobState, type ListedJob } from './jobs.ts'
import { findOrganization, listOrganizations, showOrganization, type ListedOrganization } from './organizations.ts'
import { changeQuota, quotaLines, type QuotaOptions } from './quota.ts'
import { createPasswordLink, disableTwoFactor, listUsers, type ListedUser } from './users.ts'

export const administrationUsage = `organizations list: lists all organizations with their members, tokens, sources, chunks and uploaded bytes.

  --json               print {"organizations"}

organizations show NAME: shows one organization with its users. NAME is its name, slug or id.

  --json               print the organization

organizations delete NAME --yes NAME: deletes an organization with all its data, and the users without another organization.
Groundwork may be running. Nobody can reach the organization from the start. Repeat the command if it was interrupted.

  --yes NAME           confirms the deletion: the same NAME again
  --json               print {"id", "rows", "files", "users"}

organizations quota NAME: shows how much an organization uses of its quotas, and changes them.

  --storage SIZE       bytes of files, such as 10GB; "none" for no limit, "default" for QUOTA_STORAGE
  --chunks NUMBER      searchable chunks; "none" or "default"
  --sources NUMBER     sources; "none" or "default"
  --json               print {"id", "storageBytes", "chunks", "sources", "own"}

users list: lists all users with their organizations, second factors and active sessions.

  --json               print {"users"}

users reset-password EMAIL: prints a link, valid for one hour, with which the user sets a new password. It ends all sessions.

  --json               print {"id", "url", "expiresAt"}

users disable-two-factor EMAIL: turns off the second factor of a user who has lost it.

  --json               print {"id", "disabled"}

jobs list: lists up to 1,000 jobs that wait, run or failed finally, oldest first.

  --state STATE        only jobs in this state: waiting, active or failed
  --json               print {"jobs"}

jobs retry ID: makes a failed or waiting job due now.

  --json               print {"id", "queue"}
`

export interface AdministrationOptions extends QuotaOptions {
  readonly yes?: string | undefined
  readonly state?: string | undefined
  readonly json: boolean
}

export interface AdministrationTools {
  readonly dataDir: string
  readonly openStorage: () => Promise<Storage>
  /** The public URL, without a trailing slash. */
  readonly baseUrl: string
  readonly now: () => Date
}

/** The first words of these commands. */
export const administrationWords: readonly string[] = ['organizations', 'users', 'jobs']

/** Runs an operator command about organizations, users or jobs. */
export async function runAdministrationCommand(
  pool: Pool,
  words: readonly string[],
  options: AdministrationOptions,
  tools: AdministrationTools,
): Promise<void> {
  const [subject = '', verb = '', name, ...more] = words
  const command = `${subject} ${verb}`
  const given = (): string => {
    if (name === undefined || more.length > 0) throw new UsageError(`${command} needs one argument.\n\n${administrationUsage}`)
    return name
  }
  const print = (value: object, text: string): void => void process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : `${text}\n`)
  const query = ownerQuery(pool)
  if (command === 'organizations list' && name === undefined) {
    const organizations = await listOrganizations(query)
    return print({ organizations }, organizations.map(lineOf).join('\n'))
  }
  if (command === 'organizations show') {
    const organization = await showOrganization(query, await findOrganization(query, given()))
    const users = organization.users.map(({ email, role }) => `\n  ${email}  ${role}`).join('')
    return print(organization, `${lineOf(organization)}${users}`)
  }
  if (command === 'organizations delete') {
    const organizationId = await findOrganization(query, given())
    if (options.yes !== given()) throw new UsageError(`This deletes all data of ${given()}. Confirm with --yes ${JSON.stringify(given())}.`)
    const deleted = await deleteOrganization(pool, organizationId, {
      storage: await tools.openStorage(),
      mailFolder: join(tools.dataDir, 'mail'),
      now: tools.now,
      onProgress: deletionProgress(),
    })
    const id = wireId('org', organizationId)
    return print({ id, ...deleted }, `Deleted ${id}: ${deleted.rows} rows, ${deleted.files} files and ${deleted.users} users.`)
  }
  if (command === 'organizations quota') {
    const quota = await changeQuota(pool, await findOrganization(query, given()), options, tools.now())
    return print(quota, quotaLines(quota))
  }
  if (command === 'users list' && name === undefined) {
    const users = await listUsers(query)
    return print({ users }, users.map(lineOfUser).join('\n'))
  }
  if (command === 'users reset-password') {
    const link = await createPasswordLink(pool, given(), { baseUrl: tools.baseUrl, now: tools.now() })
    return print(link, link.url)
  }
  if (command === 'users disable-two-factor') {
    const result = await disableTwoFactor(pool, given(), tools.now())
    return print(result, result.disabled ? `The second factor of ${given()} is turned off.` : `${given()} had no second factor.`)
  }
  if (command === 'jobs list' && name === undefined) {
    const jobs = await listJobs(query, readState(options.state))
    return print({ jobs }, jobs.map(lineOfJob).join('\n'))
  }
  if (command === 'jobs retry') {
    const job = await retryJob(pool, given(), tools.now())
    return print(job, `${job.queue}  ${job.id} is due now.`)
  }
  throw new UsageError(`Unknown command: ${words.join(' ')}\n\n${administrationUsage}`)
}

const lineOfUser = ({ email, name, organizations, sessions, twoFactorEnabled }: ListedUser): string => {
  const memberships = organizations.map((organization) => `${organization.name} (${organization.role})`).join(', ')
  return `${email}  ${name}  ${memberships || 'no organization'}  ${sessions} sessions${twoFactorEnabled ? ', second factor' : ''}`
}

const lineOfJob = ({ id, queue, state, organizationId, dueAt, retries, error }: ListedJob): string =>
  `${id}  ${queue}  ${state}  ${organizationId ?? 'no organization'}  due ${dueAt}  ${retries} retries${error === null ? '' : `  ${error}`}`

function readState(state: string | undefined): JobState | undefined {
  const known = jobStates.find((each) => each === state)
  if (state !== undefined && known === undefined) throw new UsageError(`--state must be one of ${jobStates.join(', ')}.`)
  return known
}

const lineOf = (organization: ListedOrganization): string => {
  const { id, name, members, tokens, bases, sources, chunks, uploadedBytes, deletionStartedAt, isImporting } = organization
  const content = `${bases} knowledge bases, ${sources} sources, ${chunks} chunks, ${(uploadedBytes / 1e6).toFixed(1)} MB uploaded`
  const state = deletionStartedAt === null ? '' : `  ${isImporting ? 'import' : 'deletion'} started ${deletionStartedAt}`
  return `${id}  ${name}  ${members} members, ${tokens} tokens, ${content}${state}`
}

/** Prints the number of deleted rows to stderr, one line for each 50,000. */
function deletionProgress(): (rows: number) => void {
  let printed = 0
  return (rows) => {
    if (rows - printed < 50_000) return
    printed = rows
    process.stderr.write(`${rows} rows deleted\n`)
  }
}
