import type { WebhookDeliveryWithAttempts, WebhookEndpoint } from '@groundwork/api'
import { Badge, Box, Button, Drawer, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { number } from '../../lib/formats.ts'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { CopyableCode } from '../../shell/copyable-code.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { Loaded, SkeletonRows } from '../../shell/states.tsx'
import { sharedWords } from '../../words/shared.ts'
import { useWords } from '../../words/words.ts'
import { statusColours } from './delivery-status.ts'
import { eventLabel } from './event-label.ts'
import { prettyJson } from './health.ts'
import { deliveryQuery, webhooksKey } from './queries.ts'
import { webhookWords } from './words.ts'

interface DeliveryDrawerProps {
  endpoint: WebhookEndpoint
  deliveryId: string
  onClose: () => void
}

/** Shows one delivery: the request and the response to each attempt. */
export function DeliveryDrawer({ endpoint, deliveryId, onClose }: DeliveryDrawerProps) {
  const words = useWords(webhookWords)
  const { close } = useWords(sharedWords)
  const query = useQuery(deliveryQuery(useWorkspace(), endpoint.id, deliveryId))
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={words.delivery} closeButtonProps={{ 'aria-label': close }}>
      <Loaded query={query} skeleton={<SkeletonRows />}>
        {(delivery) => <Delivery endpoint={endpoint} delivery={delivery} />}
      </Loaded>
    </Drawer>
  )
}

function Delivery({ endpoint, delivery }: { endpoint: WebhookEndpoint; delivery: WebhookDeliveryWithAttempts }) {
  const words = useWords(webhookWords)
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs">
          <Text fw={600}>{eventLabel(delivery.type)}</Text>
          <Badge variant="light" color={statusColours[delivery.status]}>
            {words.statuses[delivery.status]}
          </Badge>
        </Group>
        <Redeliver endpoint={endpoint} deliveryId={delivery.id} />
      </Group>
      {delivery.nextAttemptAt !== null && (
        <Text size="sm" c="dimmed">
          {words.nextAttempt}: <RelativeTime at={delivery.nextAttemptAt} />
        </Text>
      )}
      <Title order={3} size="h5">
        {words.requestBody}
      </Title>
      <CopyableCode name={words.requestBody} code={prettyJson(delivery.body)} />
      {delivery.attemptLog.length === 0 && <Text size="sm">{words.noAttempts}</Text>}
      {delivery.attemptLog.map((attempt, index) => (
        <Attempt
          key={`${attempt.createdAt} ${delivery.attemptLog.length - index}`}
          attempt={attempt}
          name={words.attempt(delivery.attemptLog.length - index)}
        />
      ))}
    </Stack>
  )
}

function Redeliver({ endpoint, deliveryId }: { endpoint: WebhookEndpoint; deliveryId: string }) {
  const words = useWords(webhookWords)
  const workspace = useWorkspace()
  const change = useChange(() => workspace.client.webhooks.deliveries.redeliver(endpoint.id, deliveryId), {
    invalidates: () => [webhooksKey(workspace)],
    done: words.redeliveredOne,
  })
  if (!useMay('webhooks:write') || !endpoint.enabled) return null
  return (
    <Button variant="default" leftSection={<IconSend size={16} aria-hidden />} loading={change.isPending} onClick={() => change.mutate()}>
      {words.redeliver}
    </Button>
  )
}

function Attempt({ attempt, name }: { attempt: WebhookDeliveryWithAttempts['attemptLog'][number]; name: string }) {
  const words = useWords(webhookWords)
  const { request, response, error, durationMs, createdAt } = attempt
  return (
    <Paper withBorder p="sm" component="section" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={500}>
            {name}: {response === null ? (error ?? words.noResponse) : words.responseStatus(response.status)}
          </Text>
          <Text size="xs" c="dimmed">
            <RelativeTime at={createdAt} />, {words.duration(number(durationMs))}
          </Text>
        </Group>
        {response !== null && (
          <Box>
            <Text size="xs" c="dimmed">
              {words.responseBody}
            </Text>
            {response.body === '' ? (
              <Text size="sm">{words.emptyBody}</Text>
            ) : (
              <CopyableCode name={`${name}: ${words.responseBody}`} code={prettyJson(response.body)} />
            )}
          </Box>
        )}
        <Headers label={`${name}: ${words.requestHeaders}`} summary={words.requestHeaders} headers={request.headers} />
        {response !== null && (
          <Headers label={`${name}: ${words.responseHeaders}`} summary={words.responseHeaders} headers={response.headers} />
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
