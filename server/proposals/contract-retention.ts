import { sql } from 'kysely'
import { withTransaction } from '../context.ts'
import type { OwnerQuery } from '../db/owner-query.ts'
import type { Transaction } from '../db/schema.ts'
import { shortJobsQueue } from '../jobs/short-jobs.ts'
import type { LoopRegistry } from '../lib/loop-health.ts'
import { createWakeableSleep } from '../lib/wakeable-sleep.ts'
import { enqueueWork, organizationWork } from '../work.ts'
import type { ProposalContext, ProposalServices } from './context.ts'
import { contractKeptUntil, eraseContracts } from './erase-contracts.ts'

/** Proposals of one transaction. Each transaction reads the events of the organization. */
const batchSize = 20
const dayMs = 86_400_000
/** Pause after a failure. */
const retryMs = 60_000

/** Erases the accepted proposals of erased contacts whose years are over. */
export const eraseContractsWork = organizationWork<object, ProposalContext>('erase-contracts', async (ctx) => {
  const { contractYears } = ctx
  if (contractYears === null) return
  while (await eraseNextContracts(ctx, contractYears));
})

/** Returns whether there were any. */
function eraseNextContracts(ctx: ProposalContext, years: number): Promise<boolean> {
  return withTransaction(ctx, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select id from proposal where status = 'completed' and ${contractKeptUntil(years)} <= ${ctx.now()} and id in (
        select proposal_id from proposal_recipient
        where role = 'signer' and contact_id in (select id from contact where erased_at is not null))
      order by id limit ${batchSize} for update`.execute(trx)
    if (rows.length === 0) return false
    const contacts = await trx
      .selectFrom('proposal_recipient')
      .select('contact_id')
      .where(
        'proposal_id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute()
    await eraseContracts(ctx, trx, rows)
    await deleteErasedContacts(
      trx,
      contacts.flatMap(({ contact_id }) => contact_id ?? []),
    )
    return true
  })
}

/** Deletes the empty rows of erased contacts that no proposal refers to any more. */
async function deleteErasedContacts(trx: Transaction, ids: readonly string[]): Promise<void> {
  await sql`delete from contact where id = any (${ids}::uuid[]) and erased_at is not null
    and not exists (select from proposal where proposal.contact_id = contact.id)
    and not exists (select from proposal_recipient where proposal_recipient.contact_id = contact.id)`.execute(trx)
}

/** Enqueues the job for each organization with contracts whose years are over and without such a job. Returns their number. */
export async function enqueueContractErasure(services: ProposalServices, query: OwnerQuery): Promise<number> {
  if (services.contractYears === null) return 0
  const organizations = await query<{ id: string }>(
    `select distinct o.id from contact c
     join proposal_recipient r on r.organization_id = c.organization_id and r.contact_id = c.id and r.role = 'signer'
     join proposal p on p.organization_id = r.organization_id and p.id = r.proposal_id and p.status = 'completed'
     join organization o on o.id = c.organization_id and o.deletion_started_at is null and o.import_id is null
     where c.erased_at is not null and contract_kept_until(p.completed_at, $1) <= $2 and not exists (
       select from pgboss.job where name = $3 and state <= 'active' and data ->> 'handler' = $4
         and data ->> 'organizationId' = o.id::text)`,
    [services.contractYears, services.now(), shortJobsQueue.name, eraseContractsWork.name],
  )
  for (const { id: organizationId } of organizations) {
    const ctx = { ...services, organizationId }
    await withTransaction(ctx, (trx) => enqueueWork(ctx, trx, eraseContractsWork, {}))
  }
  return organizations.length
}

/**
 * Looks for contracts whose years are over at the start and once a day, so that a changed setting counts, and contacts that were
 * erased before there was one. Does nothing without the setting.
 */
export function startContractRetention(services: ProposalServices, query: OwnerQuery, loops: LoopRegistry): { stop(): Promise<void> } {
  const health = loops.loop('contract retention')
  const pause = createWakeableSleep()
  const ending = new AbortController()
  if (services.contractYears === null) ending.abort()
  const ended = (async () => {
    while (!ending.signal.aborted) {
      const isDone = await enqueueContractErasure(services, query).then(
        () => true,
        (error: unknown) => {
          health.failed(error)
          return false
        },
      )
      if (isDone) health.succeeded()
      if (!ending.signal.aborted) await pause.sleep(isDone ? dayMs : retryMs)
    }
  })()
  return {
    async stop() {
      ending.abort()
      pause.wake()
      await ended
    },
  }
}
