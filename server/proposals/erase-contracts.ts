import { wireId } from '@groundwork/api'
import { sql } from 'kysely'
import { auditMany } from '../audit/audit.ts'
import type { Transaction } from '../db/schema.ts'
import { eventsWithoutContent } from '../events/erase.ts'
import { deleteKeptEntriesOf } from '../events/kept-entries.ts'
import { deleteMailsOf } from '../mail/erase.ts'
import type { ProposalContext } from './context.ts'
import { removeAllFiles } from './sections/files.ts'

/** SQL for the time until which a completed proposal of an erased contact is kept. */
export const contractKeptUntil = (years: number) => sql<Date>`contract_kept_until(proposal.completed_at, ${years}::integer)`

/** An accepted proposal of an erased contact. */
interface Contract {
  readonly id: string
}

/** Returns the times until which accepted proposals are kept, the earliest first; none if there is no end. */
export async function readContractEnds(
  { contractYears }: ProposalContext,
  trx: Transaction,
  contracts: readonly Contract[],
): Promise<{ id: string; until: Date }[]> {
  if (contractYears === null || contracts.length === 0) return []
  return trx
    .selectFrom('proposal')
    .select(['id', contractKeptUntil(contractYears).as('until')])
    .where(
      'id',
      'in',
      contracts.map(({ id }) => id),
    )
    .orderBy('until')
    .execute()
}

/**
 * Deletes accepted proposals of erased contacts whose years are over, with everything in them that can name a person: signatures,
 * content, recipients, questions, views, messages, files, and the content of their events and certificates. Of a certificate, the
 * link of the chain stays: number, time, and the hashes of the certificate and of the previous one.
 */
export async function eraseContracts(ctx: ProposalContext, trx: Transaction, contracts: readonly Contract[]): Promise<void> {
  const ids = contracts.map(({ id }) => id)
  await removeAllFiles(ctx, trx, ids)
  await deleteMailsOf(ctx, trx, ids)
  await deleteKeptEntriesOf(trx, ids)
  const events = await eventsWithoutContent(trx, ids)
  await sql`select erase_contracts(${ids}::uuid[], ${ctx.contractYears}::integer, ${ctx.now()}, ${events.ids}::uuid[], ${events.data}::jsonb[],
    ${events.version}::smallint)`.execute(trx)
  // Also erases the stored responses to requests about them.
  await auditMany(
    ctx,
    trx,
    ids.map((id) => ({ action: 'proposal.erased', target: wireId('prp', id) })),
  )
}
