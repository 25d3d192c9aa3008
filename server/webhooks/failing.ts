import { overviewEntries, type Overview } from '@groundwork/api'
import { select, type Context } from '../context.ts'
import { toWebhookEndpoint } from './record.ts'

/** Returns endpoints whose deliveries fail, or that were disabled for it, but not those that a user disabled. */
export async function failingWebhooks(ctx: Context): Promise<NonNullable<Overview['attention']['webhooks']>> {
  const rows = await select(ctx, (db) =>
    db
      .selectFrom('webhook_endpoint')
      .selectAll()
      .where((of) =>
        of.or([of.and([of('enabled', '=', true), of('failing_since', 'is not', null)]), of('disabled_reason', 'in', ['gone', 'failing'])]),
      )
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc'),
  )
  return { count: rows.length, data: rows.slice(0, overviewEntries).map(toWebhookEndpoint) }
}
