import type { WebhookEndpoint } from '@groundwork/api'
import { Badge, Box, Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import type { Column } from '../../shell/data-table.tsx'
import { Page } from '../../shell/page.tsx'
import { PagedTable } from '../../shell/paged-table.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { useCreateRequest } from '../../shell/use-create-request.ts'
import { useMessages } from '../../messages/messages.ts'
import { webhooksLabel } from '../label.ts'
import { CreateEndpoint } from './endpoint-dialogs.tsx'
import { healthColors, healthOf } from './health.ts'
import { webhooksQuery } from './queries.ts'
import { webhookMessages } from './messages.ts'

export function WebhooksPage() {
  const title = useMessages(webhooksLabel)
  const messages = useMessages(webhookMessages)
  const query = useInfiniteQuery(webhooksQuery(useWorkspace()))
  const columns = useColumns()
  const mayWrite = useMay('webhooks:write')
  const [creating, { open, close }] = useDisclosure()
  useCreateRequest(open)
  const create = mayWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {messages.newEndpoint}
    </Button>
  )
  return (
    <Page guide="webhooks" title={title} description={messages.about} actions={create}>
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={IconWebhook} title={messages.emptyTitle}>
            {messages.emptyHelp}
          </EmptyState>
        }
        label={title}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ url }) => url}
      />
      {creating && <CreateEndpoint onClose={close} />}
    </Page>
  )
}

function useColumns(): Column<WebhookEndpoint>[] {
  const messages = useMessages(webhookMessages)
  const { columns } = messages
  const { organization } = useWorkspace()
  return [
    {
      key: 'endpoint',
      header: columns.endpoint,
      grows: true,
      cell: ({ id, url, description }) => (
        <Box miw={0}>
          <Link
            className="row-link cut"
            title={url}
            to="/$organization/settings/webhooks/$webhookId"
            params={{ organization: organization.slug, webhookId: id }}
          >
            {url}
          </Link>
          {description !== '' && (
            <Text size="xs" c="dimmed" className="cut" dir="auto" title={description}>
              {description}
            </Text>
          )}
        </Box>
      ),
    },
    {
      key: 'events',
      header: columns.events,
      cell: ({ eventTypes }) => (eventTypes === null ? messages.allEvents : messages.eventCount(eventTypes.length)),
      width: 140,
    },
    { key: 'status', header: columns.status, cell: (endpoint) => <HealthBadge endpoint={endpoint} />, width: 130 },
    { key: 'created', header: columns.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} />, align: 'right', width: 140 },
  ]
}

export function HealthBadge({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { healthStatuses } = useMessages(webhookMessages)
  const health = healthOf(endpoint)
  return (
    <Badge variant="light" color={healthColors[health]}>
      {healthStatuses[health]}
    </Badge>
  )
}
