import type { Transaction } from '../db/schema.ts'

/** Takes what is pending for an endpoint off the queue, which is being disabled; it can be redelivered later. */
export async function cancelPending(trx: Transaction, endpointId: string): Promise<void> {
  await trx
    .updateTable('webhook_delivery')
    .set({ status: 'cancelled', next_attempt_at: null, in_flight: false })
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'pending')
    .execute()
}
