import type { WebhookDeliveryWithAttempts, WebhookEndpoint } from '@groundwork/api'
import { Badge, Box, Drawer, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { number } from '../../lib/formats.ts'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { CopyableCode } from '../../shell/copyable-code.tsx'
import { ReasonedButton } from '../../shell/reasoned-button.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { Loaded, SkeletonRows } from '../../shell/states.tsx'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { statusColors } from './delivery-status.ts'
import { eventLabel } from './event-label.ts'
import { prettyJson } from './health.ts'
import { deliveryQuery, webhooksKey } from './queries.ts'
import { webhookMessages } from './messages.ts'

interface DeliveryDrawerProps {
  endpoint: WebhookEndpoint
  deliveryId: string
  onClose: () => void
}

/** Shows one delivery: the request and the response to each attempt. */
export function DeliveryDrawer({ endpoint, deliveryId, onClose }: DeliveryDrawerProps) {
  const messages = useMessages(webhookMessages)
  const { close } = useMessages(sharedMessages)
  const query = useQuery(deliveryQuery(useWorkspace(), endpoint.id, deliveryId))
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={messages.delivery} closeButtonProps={{ 'aria-label': close }}>
      <Loaded query={query} skeleton={<SkeletonRows />}>
        {(delivery) => <Delivery endpoint={endpoint} delivery={delivery} />}
      </Loaded>
    </Drawer>
  )
}

function Delivery({ endpoint, delivery }: { endpoint: WebhookEndpoint; delivery: WebhookDeliveryWithAttempts }) {
  const messages = useMessages(webhookMessages)
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs">
          <Text fw={600}>{eventLabel(delivery.type)}</Text>
          <Badge variant="light" color={statusColors[delivery.status]}>
            {messages.statuses[delivery.status]}
          </Badge>
        </Group>
        <Redeliver endpoint={endpoint} deliveryId={delivery.id} />
      </Group>
      {delivery.nextAttemptAt !== null && (
        <Text size="sm" c="dimmed">
          {messages.nextAttempt}: <RelativeTime at={delivery.nextAttemptAt} />
        </Text>
      )}
      <Title order={3} size="h5">
        {messages.requestBody}
      </Title>
      <CopyableCode name={messages.requestBody} code={prettyJson(delivery.body)} />
      {delivery.attemptLog.length === 0 && <Text size="sm">{messages.noAttempts}</Text>}
      {delivery.attemptLog.map((attempt, index) => (
        <Attempt
          key={`${attempt.createdAt} ${delivery.attemptLog.length - index}`}
          attempt={attempt}
          name={messages.attempt(delivery.attemptLog.length - index)}
        />
      ))}
    </Stack>
  )
}

function Redeliver({ endpoint, deliveryId }: { endpoint: WebhookEndpoint; deliveryId: string }) {
  const messages = useMessages(webhookMessages)
  const workspace = useWorkspace()
  const change = useChange(() => workspace.client.webhooks.deliveries.redeliver(endpoint.id, deliveryId), {
    invalidates: () => [webhooksKey(workspace)],
    done: messages.redeliveredOne,
    refusals: { conflict: messages.isDisabled },
  })
  if (!useMay('webhooks:write')) return null
  return (
    <ReasonedButton
      reason={endpoint.enabled ? undefined : messages.isDisabled}
      variant="default"
      leftSection={<IconSend size={16} aria-hidden />}
      loading={change.isPending}
      onClick={() => change.mutate()}
    >
      {messages.redeliver}
    </ReasonedButton>
  )
}

function Attempt({ attempt, name }: { attempt: WebhookDeliveryWithAttempts['attemptLog'][number]; name: string }) {
  const messages = useMessages(webhookMessages)
  const { request, response, durationMs, createdAt } = attempt
  return (
    <Paper withBorder p="sm" component="section" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={500}>
            {name}: {response === null ? messages.noResponse : messages.responseStatus(response.status)}
          </Text>
          <Text size="xs" c="dimmed">
            <RelativeTime at={createdAt} />, {messages.duration(number(durationMs))}
          </Text>
        </Group>
        {response !== null && (
          <Box>
            <Text size="xs" c="dimmed">
              {messages.responseBody}
            </Text>
            {response.body === '' ? (
              <Text size="sm">{messages.emptyBody}</Text>
            ) : (
              <CopyableCode name={`${name}: ${messages.responseBody}`} code={prettyJson(response.body)} />
            )}
          </Box>
        )}
        <Headers label={`${name}: ${messages.requestHeaders}`} summary={messages.requestHeaders} headers={request.headers} />
        {response !== null && (
          <Headers label={`${name}: ${messages.responseHeaders}`} summary={messages.responseHeaders} headers={response.headers} />
        )}
      </Stack>
    </Paper>
  )
}

function Headers({ label, summary, headers }: { label: string; summary: string; headers: Record<string, string> }) {
  return (
    <details>
      <Text component="summary" size="sm" py={8} style={{ cursor: 'pointer' }}>
        {summary}
      </Text>
      <CopyableCode
        name={label}
        code={Object.entries(headers)
          .map(([header, value]) => `${header}: ${value}`)
          .join('\n')}
      />
    </details>
  )
}
