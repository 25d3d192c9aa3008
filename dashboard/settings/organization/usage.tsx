import type { Usage } from '@groundwork/api'
import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { amountOf } from '../../lib/amount.ts'
import { useMessages } from '../../messages/messages.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { organizationMessages } from './messages.ts'

const resources = ['storageBytes', 'chunks', 'sources'] as const
/** Used shares from which a bar changes its color. */
const [nearShare, fullShare] = [0.9, 1]

/** Shows how much the organization uses of its quotas. */
export function UsageSection({ usage }: { usage: Usage }) {
  const messages = useMessages(organizationMessages)
  const hasLimit = resources.some((resource) => usage[resource].limit !== null)
  return (
    <Paper component="section" withBorder p="md" maw={560} aria-labelledby="usage">
      <Stack gap="sm">
        <Title order={2} id="usage">
          {messages.usage}
        </Title>
        {hasLimit && (
          <Text size="sm" c="dimmed">
            {messages.usageHelp}
          </Text>
        )}
        {resources.map((resource) => (
          <ResourceUse key={resource} resource={resource} {...usage[resource]} />
        ))}
      </Stack>
    </Paper>
  )
}

function ResourceUse({ resource, used, limit }: { resource: keyof Usage } & Usage['chunks']) {
  const { usage: words } = useMessages(sharedMessages)
  const name = words.resources[resource]
  const amount = amountOf(resource, used)
  if (limit === null)
    return (
      <Group justify="space-between" gap="xs">
        <Text size="sm">{name}</Text>
        <Text size="sm">{amount}</Text>
      </Group>
    )
  const share = limit === 0 ? fullShare : used / limit
  const text = words.of(name, amount, amountOf(resource, limit))
  return (
    <div>
      <Text size="sm">{text}</Text>
      <Progress.Root size="lg" mt={4}>
        <Progress.Section
          value={Math.min(100, share * 100)}
          color={share >= fullShare ? 'red' : share >= nearShare ? 'orange' : 'blue'}
          aria-label={name}
          aria-valuetext={text}
        />
      </Progress.Root>
    </div>
  )
}
