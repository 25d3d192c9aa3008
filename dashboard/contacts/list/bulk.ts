import type { BulkFields, ContactJob, RecordConsent, SearchFilter } from '@groundwork/api'
import type { Workspace } from '../../lib/workspace.ts'

/** The contacts of a bulk change: all that meet the filter, or those with the ids. */
export type Chosen = { filter: SearchFilter } | { contactIds: string[] }

/** What the contacts get. */
export type Change =
  | { addTags: string[] }
  | { removeTags: string[] }
  | { set: BulkFields }
  | { recordConsent: RecordConsent }
  | { delete: true }

/** Maximum number of values of a condition. */
const maxValues = 100

/** Returns the filter of an export, which takes no ids. */
export function filterOfChosen(chosen: Chosen): SearchFilter {
  if ('filter' in chosen) return chosen.filter
  const ids = chosen.contactIds
  const conditions = Array.from({ length: Math.ceil(ids.length / maxValues) }, (_, at) => ({
    key: 'id',
    in: ids.slice(at * maxValues, (at + 1) * maxValues),
  }))
  return { or: conditions }
}

/** Maximum number of ids of a bulk change. */
export const maxBulkIds = 1_000

const pollMs = 500

/** Runs a bulk change, and returns the job after its end. A dry run only counts. @param onProgress called while the job runs */
export async function runBulk(
  { client }: Workspace,
  body: Chosen & Change & { dryRun: boolean },
  onProgress: (job: ContactJob) => void = () => undefined,
): Promise<ContactJob> {
  return ended(client, await client.contacts.bulk(body), onProgress)
}

/** Gives the contacts of a bulk change their former values. Returns the job after its end. */
export const revertBulk = async ({ client }: Workspace, jobId: string): Promise<ContactJob> =>
  ended(client, await client.contacts.revertMany({ jobId }))

/** @throws JobFailed if the job did not complete */
async function ended(
  client: Workspace['client'],
  started: ContactJob,
  onProgress: (job: ContactJob) => void = () => undefined,
): Promise<ContactJob> {
  let job = started
  while (job.status === 'queued' || job.status === 'running') {
    onProgress(job)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    job = await client.contactJobs.get(job.id)
  }
  if (job.status !== 'completed') throw new JobFailed('The job did not complete.')
  return job
}

export class JobFailed extends Error {}
