import { pipelineDays, type Overview } from '@groundwork/api'
import { formatAmount } from '@groundwork/api/money'
import { sql } from 'kysely'
import { select } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import type { ProposalContext } from './context.ts'

const dayMs = 86_400_000

type Pipeline = NonNullable<Overview['pipeline']>

/**
 * Returns the number and the sum of drafts, of pending proposals and of those accepted in the last 30 days, for each currency. The
 * totals are those of the list, and `since` is the first time of acceptance. Reads only the index `proposal_pipeline`, as long as its conditions and columns are these.
 */
export async function proposalPipeline(ctx: ProposalContext): Promise<{ stages: Pipeline; since: string }> {
  const since = new Date(ctx.now().getTime() - pipelineDays * dayMs)
  const rows = await select(ctx, (db) => pipelineRows(db, since))
  const stages = rows
    .map(({ status, currency, count, hundredths }) => ({ status, currency, count, totalAmount: formatAmount(BigInt(hundredths)) }))
    .toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status) || (one.currency < other.currency ? -1 : 1))
  return { stages, since: since.toISOString() }
}

const order: readonly Pipeline[number]['status'][] = ['draft', 'pending', 'completed']

/** The two parts are separate, because a condition on both would read the table. */
export const pipelineRows = (db: Transaction, completedSince: Date) =>
  sums(db)
    .where('status', 'in', ['draft', 'pending'])
    .unionAll(sums(db).where('status', '=', 'completed').where('completed_at', '>=', completedSince))

const sums = (db: Transaction) =>
  db
    .selectFrom('proposal')
    .select(({ fn }) => [sql<Pipeline[number]['status']>`status`.as('status'), 'currency', fn.countAll<number>().as('count')])
    .select(sql<string>`sum(total_hundredths)::text`.as('hundredths'))
    .groupBy(['status', 'currency'])
