import type { WebhookDelivery, WebhookEndpoint } from '@groundwork/api'
import { Badge, Group, NativeSelect, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { IconSend2 } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { number } from '../../lib/formats.ts'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import type { Column } from '../../shell/data-table.tsx'
import { PagedTable } from '../../shell/paged-table.tsx'
import { ReasonedButton } from '../../shell/reasoned-button.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { useMessages } from '../../messages/messages.ts'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { deliveryStatuses, statusColors } from './delivery-status.ts'
import { eventLabel } from './event-label.ts'
import { deliveriesQuery, webhooksKey } from './queries.ts'
import { webhookMessages } from './messages.ts'

const route = getRouteApi('/$organization/settings/webhooks/$webhookId')

/** Lists the deliveries of an endpoint and their responses. */
export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const messages = useMessages(webhookMessages)
  const { status, delivery } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(deliveriesQuery(useWorkspace(), endpoint.id, status))
  const columns = useColumns((id) => void navigate({ search: (before) => ({ ...before, delivery: id }) }))
  return (
    <Stack component="section">
      <Group justify="space-between" align="flex-end">
        <Title order={2}>{messages.deliveries}</Title>
        <Group align="flex-end" gap="sm">
          <NativeSelect
            label={messages.status}
            value={status ?? ''}
            onChange={(event) => {
              const chosen = deliveryStatuses.find((known) => known === event.currentTarget.value)
              void navigate({ search: (before) => ({ ...before, status: chosen }), replace: true })
            }}
            data={[{ value: '', label: messages.all }, ...deliveryStatuses.map((value) => ({ value, label: messages.statuses[value] }))]}
          />
          <RedeliverMany endpoint={endpoint} />
        </Group>
      </Group>
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={IconSend2} title={messages.noDeliveriesTitle}>
            {status === undefined ? messages.noDeliveriesHelp : messages.noDeliveriesOfStatus}
          </EmptyState>
        }
        label={messages.deliveries}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ type }) => type}
      />
      {delivery !== undefined && (
        <DeliveryDrawer
          endpoint={endpoint}
          deliveryId={delivery}
          onClose={() => void navigate({ search: (before) => ({ ...before, delivery: undefined }) })}
        />
      )}
    </Stack>
  )
}

/** The retention period of events. */
const retentionDays = 90

function RedeliverMany({ endpoint }: { endpoint: WebhookEndpoint }) {
  const messages = useMessages(webhookMessages)
  const workspace = useWorkspace()
  const change = useChange(
    () =>
      workspace.client.webhooks.redeliver(endpoint.id, {
        since: new Date(Date.now() - retentionDays * 86_400_000).toISOString(),
        only: 'failed',
      }),
    {
      invalidates: () => [webhooksKey(workspace)],
      done: ({ count }) => messages.redelivered(count),
      refusals: { conflict: messages.isDisabled },
    },
  )
  if (!useMay('webhooks:write')) return null
  return (
    <ReasonedButton
      reason={endpoint.enabled ? undefined : messages.isDisabled}
      variant="default"
      loading={change.isPending}
      onClick={() => change.mutate()}
    >
      {messages.redeliverFailed}
    </ReasonedButton>
  )
}

function useColumns(show: (id: string) => void): Column<WebhookDelivery>[] {
  const messages = useMessages(webhookMessages)
  const columns = messages.deliveryColumns
  return [
    {
      key: 'event',
      header: columns.event,
      cell: ({ id, type }) => (
        <UnstyledButton className="row-link" onClick={() => show(id)}>
          <Text size="sm" fw={500}>
            {eventLabel(type)}
          </Text>
        </UnstyledButton>
      ),
    },
    {
      key: 'status',
      header: columns.status,
      cell: ({ status }) => (
        <Badge variant="light" color={statusColors[status]}>
          {messages.statuses[status]}
        </Badge>
      ),
    },
    { key: 'attempts', header: columns.attempts, cell: ({ attempts }) => number(attempts), align: 'right' },
    {
      key: 'response',
      header: columns.response,
      cell: ({ responseStatus, error }) => (responseStatus === null ? (error ?? '') : messages.responseStatus(responseStatus)),
    },
    { key: 'created', header: columns.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} />, align: 'right' },
  ]
}
