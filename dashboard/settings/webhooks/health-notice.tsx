import type { WebhookEndpoint } from '@groundwork/api'
import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { rowsOf } from '../../lib/pages.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { useMessages } from '../../messages/messages.ts'
import { healthColors, healthOf } from './health.ts'
import { deliveriesQuery } from './queries.ts'
import { webhookMessages } from './messages.ts'

/** Explains why an endpoint fails or is disabled, and the next step. */
export function HealthNotice({ endpoint }: { endpoint: WebhookEndpoint }) {
  const messages = useMessages(webhookMessages)
  const health = healthOf(endpoint)
  if (health === 'working') return null
  const [title, help] = {
    failing: [messages.failingTitle, messages.failingHelp],
    manual: [messages.manualTitle, messages.manualHelp],
    gone: [messages.goneTitle, messages.goneHelp],
    'given-up': [messages.givenUpTitle, messages.givenUpHelp],
  }[health]
  return (
    <Alert color={healthColors[health]} icon={<IconAlertTriangle aria-hidden />} title={title}>
      {health === 'failing' && endpoint.failingSince !== null && (
        <Text size="sm">
          {messages.firstFailure} <RelativeTime at={endpoint.failingSince} />.
        </Text>
      )}
      {health !== 'manual' && <LastFailure endpoint={endpoint} />}
      <Text size="sm">{help}</Text>
    </Alert>
  )
}

function LastFailure({ endpoint }: { endpoint: WebhookEndpoint }) {
  const messages = useMessages(webhookMessages)
  const { data } = useInfiniteQuery(deliveriesQuery(useWorkspace(), endpoint.id, undefined))
  const failed = data && rowsOf(data).find(({ status, lastAttemptAt }) => status !== 'succeeded' && lastAttemptAt !== null)
  if (failed === undefined) return null
  return (
    <Text size="sm" className="wrap">
      {messages.lastAttempt} {failed.responseStatus === null ? messages.noResponse : messages.responseStatus(failed.responseStatus)}.
    </Text>
  )
}
