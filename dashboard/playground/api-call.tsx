import '@mantine/core/styles/Tabs.css'
import { Box, Tabs, Text, Title } from '@mantine/core'
import { CopyableCode } from '../shell/copyable-code.tsx'
import { useWords } from '../words/words.ts'
import type { AskedBody } from './asked.ts'
import { asCurl, asMcp, asTypeScript } from './calls.ts'
import { playgroundWords } from './words.ts'

/** Shows the search as a curl command, TypeScript code and an MCP configuration. */
export function ApiCall({ baseIds, body }: { baseIds: readonly string[]; body: AskedBody }) {
  const words = useWords(playgroundWords)
  const { origin } = window.location
  return (
    <Box component="section">
      <Title order={2} mb="xs">
        {words.use}
      </Title>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="curl">{words.curl}</Tabs.Tab>
          <Tabs.Tab value="typescript">{words.typescript}</Tabs.Tab>
          <Tabs.Tab value="mcp">{words.mcp}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="curl">
          <CopyableCode name={words.curl} code={asCurl({ origin, baseIds, body })} />
        </Tabs.Panel>
        <Tabs.Panel value="typescript">
          <CopyableCode name={words.typescript} code={asTypeScript({ origin, baseIds, body })} />
        </Tabs.Panel>
        <Tabs.Panel value="mcp">
          <Text size="sm" mb="xs">
            {words.mcpHelp}
          </Text>
          <CopyableCode name={words.mcp} code={asMcp(origin)} />
        </Tabs.Panel>
      </Tabs>
    </Box>
  )
}
