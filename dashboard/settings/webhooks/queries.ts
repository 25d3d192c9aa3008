import type { WebhookDelivery } from '@groundwork/api'
import type { Page } from '@groundwork/sdk'
import { queryOptions, type InfiniteData, type QueryKey } from '@tanstack/react-query'
import { pagesOf, rowsOf } from '../../lib/pages.ts'
import type { Workspace } from '../../lib/workspace.ts'
import type { DeliveryStatus } from './delivery-status.ts'

/** Attempts emit no events, so lists are polled that a pending delivery is in, or can enter because they are filtered. */
const pendingPollMs = 2_000
/** Likewise, an endpoint starts or stops to fail without an event. */
const healthPollMs = 5_000

/** The key prefix of all queries for endpoints and deliveries. */
export const webhooksKey = ({ organization }: Workspace): QueryKey => [organization.id, 'webhooks']

export const webhooksQuery = (workspace: Workspace) => ({
  ...pagesOf([...webhooksKey(workspace), 'list'], ({ query, signal }) => workspace.client.webhooks.list(query, { signal }).page()),
  refetchInterval: healthPollMs,
})

export const webhookQuery = (workspace: Workspace, webhookId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(workspace), webhookId, 'endpoint'],
    queryFn: ({ signal }) => workspace.client.webhooks.get(webhookId, { signal }),
    refetchInterval: healthPollMs,
  })

export const deliveriesQuery = (workspace: Workspace, webhookId: string, status: DeliveryStatus | undefined) => ({
  ...pagesOf([...webhooksKey(workspace), webhookId, 'deliveries', status ?? null], ({ query, signal }) =>
    workspace.client.webhooks.deliveries.list(webhookId, { ...query, status }, { signal }).page(),
  ),
  refetchInterval: ({ state }: { state: { data: InfiniteData<Page<WebhookDelivery>> | undefined } }) =>
    state.data !== undefined && (status !== undefined || rowsOf(state.data).some((delivery) => delivery.status === 'pending'))
      ? pendingPollMs
      : (false as const),
})

export const deliveryQuery = (workspace: Workspace, webhookId: string, deliveryId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(workspace), webhookId, 'delivery', deliveryId],
    queryFn: ({ signal }) => workspace.client.webhooks.deliveries.get(webhookId, deliveryId, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? pendingPollMs : false),
  })
