import type { ExportProposals, Proposal } from '@groundwork/api'
import { csvRow } from '@groundwork/sdk/csv'
import type { ProposalContext } from './context.ts'
import { listProposals } from './list.ts'

/** Proposals that one statement reads. */
const pageSize = 500

/** The columns with their values. Links are left out, because they allow to answer. */
const columns: readonly (readonly [name: string, value: (proposal: Proposal) => string | null])[] = [
  ['number', ({ number }) => number],
  ['title', ({ title }) => title],
  ['status', ({ status }) => status],
  ['currency', ({ currency }) => currency],
  ['totalAmount', ({ totalAmount }) => totalAmount],
  ['subtotal', ({ subtotal }) => subtotal],
  ['discountTotal', ({ discountTotal }) => discountTotal],
  ['taxTotal', ({ taxTotal }) => taxTotal],
  ['recipients', ({ recipients }) => recipients.map(({ name, email }) => name ?? email ?? '').join('; ')],
  ['emails', ({ recipients }) => recipients.flatMap(({ email }) => email ?? []).join('; ')],
  ['delivery', ({ delivery }) => delivery?.state ?? null],
  ['createdAt', ({ createdAt }) => createdAt],
  ['sentAt', ({ sentAt }) => sentAt],
  ['viewedAt', ({ viewedAt }) => viewedAt],
  ['completedAt', ({ completedAt }) => completedAt],
  ['rejectedAt', ({ rejectedAt }) => rejectedAt],
  ['rejectReason', ({ rejectReason }) => rejectReason],
  ['expiresAt', ({ expiresAt }) => expiresAt],
  ['voidedAt', ({ voidedAt }) => voidedAt],
  ['voidReason', ({ voidReason }) => voidReason],
  ['externalId', ({ externalId }) => externalId],
  ['contactId', ({ contactId }) => contactId],
  ['supersedes', ({ supersedes }) => supersedes],
  ['supersededBy', ({ supersededBy }) => supersededBy],
  ['id', ({ id }) => id],
]

/**
 * Returns the rows of a CSV file with all proposals that meet the filters. Reads them page by page, as fast as the rows are taken.
 * Proposals that are created meanwhile do not shift the rows.
 */
export async function exportProposals(ctx: ProposalContext, input: ExportProposals): Promise<AsyncIterable<string>> {
  const first = await listProposals(ctx, { ...input, limit: pageSize })
  return rowsFrom(ctx, input, first)
}

async function* rowsFrom(
  ctx: ProposalContext,
  input: ExportProposals,
  first: Awaited<ReturnType<typeof listProposals>>,
): AsyncGenerator<string> {
  yield csvRow(columns.map(([name]) => name))
  for (let page = first; ;) {
    if (page.data.length > 0) yield page.data.map(rowOf).join('')
    if (page.nextCursor === null) return
    page = await listProposals(ctx, { ...input, limit: pageSize, cursor: page.nextCursor })
  }
}

const rowOf = (proposal: Proposal): string => csvRow(columns.map(([, value]) => value(proposal)))
