import '@mantine/core/styles/Tabs.css'
import { Box, Button, Group, Tabs, Text, Title } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../lib/workspace.ts'
import { CopyableCode } from '../shell/copyable-code.tsx'
import { useMessages } from '../messages/messages.ts'
import type { AskedBody } from './asked.ts'
import { asCurl, asMcp, asTypeScript } from './calls.ts'
import { playgroundMessages } from './messages.ts'

/** Shows the search as a curl command, TypeScript code and an MCP configuration. */
export function ApiCall({ baseIds, body, question }: { baseIds: readonly string[]; body: AskedBody; question: string }) {
  const messages = useMessages(playgroundMessages)
  const { organization } = useWorkspace()
  const [baseId] = baseIds
  const { origin } = window.location
  return (
    <Box component="section">
      <Group justify="space-between" mb="xs">
        <Title order={2}>{messages.use}</Title>
        {baseId !== undefined && (
          <Button
            variant="light"
            leftSection={<IconPlugConnected size={16} aria-hidden />}
            renderRoot={(props) => (
              <Link
                {...props}
                to="/$organization/knowledge/$baseId/connect"
                params={{ organization: organization.slug, baseId }}
                search={{ q: question }}
              />
            )}
          >
            {messages.connect}
          </Button>
        )}
      </Group>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="curl">{messages.curl}</Tabs.Tab>
          <Tabs.Tab value="typescript">{messages.typescript}</Tabs.Tab>
          <Tabs.Tab value="mcp">{messages.mcp}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="curl">
          <CopyableCode name={messages.curl} code={asCurl({ origin, baseIds, body })} />
        </Tabs.Panel>
        <Tabs.Panel value="typescript">
          <CopyableCode name={messages.typescript} code={asTypeScript({ origin, baseIds, body })} />
        </Tabs.Panel>
        <Tabs.Panel value="mcp">
          <Text size="sm" mb="xs">
            {messages.mcpHelp}
          </Text>
          <CopyableCode name={messages.mcp} code={asMcp(origin)} />
        </Tabs.Panel>
      </Tabs>
    </Box>
  )
}
