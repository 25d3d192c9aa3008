import type { WebhookEndpoint } from '@groundwork/api'
import { Badge, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useWorkspace } from '../../lib/workspace.ts'
import { Page } from '../../shell/page.tsx'
import { RecordPage } from '../../shell/record-gone.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { Loaded } from '../../shell/states.tsx'
import { useMessages } from '../../messages/messages.ts'
import { webhooksLabel } from '../label.ts'
import { Deliveries } from './deliveries.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { eventLabel } from './event-label.ts'
import { HealthNotice } from './health-notice.tsx'
import { webhookQuery } from './queries.ts'
import { HealthBadge } from './webhooks-page.tsx'
import { webhookMessages } from './messages.ts'

const route = getRouteApi('/$organization/settings/webhooks/$webhookId')

export function WebhookPage() {
  const webhooks = useMessages(webhooksLabel)
  const { webhookId } = route.useParams()
  const query = useQuery(webhookQuery(useWorkspace(), webhookId))
  const endpoint = query.data
  return (
    <RecordPage query={query}>
      <Page
        guide="webhooks"
        title={endpoint?.url ?? '…'}
        crumbs={[{ label: webhooks, to: '/$organization/settings/webhooks' }]}
        {...(endpoint !== undefined && {
          description: endpoint.description,
          aside: <HealthBadge endpoint={endpoint} />,
          actions: <EndpointActions endpoint={endpoint} />,
        })}
      >
        <Loaded query={query} skeleton={<Skeleton height={240} />}>
          {(loaded) => <Endpoint endpoint={loaded} />}
        </Loaded>
      </Page>
    </RecordPage>
  )
}

function Endpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const messages = useMessages(webhookMessages)
  return (
    <>
      <HealthNotice endpoint={endpoint} />
      {endpoint.eventTypes !== null && (
        <Group gap="xs" aria-label={messages.eventTypes} role="group">
          {endpoint.eventTypes.map((type) => (
            <Badge key={type} variant="default" title={type}>
              {eventLabel(type)}
            </Badge>
          ))}
        </Group>
      )}
      {endpoint.previousSecretExpiresAt !== null && (
        <Text size="sm" c="dimmed">
          {messages.overlapUntil} <RelativeTime at={endpoint.previousSecretExpiresAt} />.
        </Text>
      )}
      <Deliveries endpoint={endpoint} />
    </>
  )
}
