import type { Transaction } from '../db/schema.ts'

/** Cancels the pending deliveries of an endpoint that is being disabled; they can be redelivered later. */
export async function cancelPending(trx: Transaction, endpointId: string): Promise<void> {
  await trx
    .updateTable('webhook_delivery')
    .set({ status: 'cancelled', next_attempt_at: null, in_flight: false })
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'pending')
    .execute()
}
