import type { WebhookDelivery } from '@groundwork/api'

export type DeliveryStatus = WebhookDelivery['status']
export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const satisfies readonly DeliveryStatus[]
export const statusColors = { pending: 'yellow', succeeded: 'green', failed: 'red', cancelled: 'gray' } as const
