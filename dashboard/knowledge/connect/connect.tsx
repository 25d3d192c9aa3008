import '@mantine/core/styles/Tabs.css'
import { Alert, Anchor, Button, Group, Loader, Paper, Stack, Tabs, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { CopyableCode } from '../../shell/copyable-code.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { useMessages } from '../../messages/messages.ts'
import { connectMessages } from './messages.ts'
import { isSuccess, newestRequestQuery } from './queries.ts'
import { integrations, type Integration } from './search.ts'
import { snippets } from './snippets.ts'
import { Widget } from './widget.tsx'

/** The guide of each integration, below /docs. */
const guides: Record<Integration, string> = {
  rest: 'retrieval',
  sdk: 'sdk',
  mcp: 'agents#model-context-protocol',
  openai: 'agents#openai-vector-stores',
  vapi: 'agents#vapi-custom-knowledge-base',
  dify: 'agents#dify-external-knowledge',
}

interface ConnectProps {
  base: { id: string; name: string }
  /** The question of the examples. */
  question: string | undefined
  integration: Integration | undefined
  choose: (integration: Integration) => void
}

/** Snippets for a knowledge base that run as they are, once a token is created, and the first request with that token. */
export function Connect({ base, question, integration = 'rest', choose }: ConnectProps) {
  const messages = useMessages(connectMessages)
  const [created, setCreated] = useState<{ id: string; token: string }>()
  const target = {
    origin: window.location.origin,
    baseId: base.id,
    token: created?.token ?? messages.placeholder,
    question: question ?? messages.exampleQuestion,
  }
  return (
    <Stack gap="md">
      {created === undefined ? <TokenForm base={base} onCreated={setCreated} /> : <TokenNote />}
      <Tabs
        value={integration}
        onChange={(value) => choose(integrations.find((each) => each === value) ?? 'rest')}
        keepMounted={false}
        activateTabWithKeyboard={false}
      >
        <Tabs.List mb="sm" aria-label={messages.tabs}>
          {integrations.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {messages.names[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {integrations.map((each) => (
          <Tabs.Panel key={each} value={each}>
            <Text size="sm" mb="xs">
              {messages.help[each]}{' '}
              <Anchor inherit underline="always" href={`/docs/${guides[each]}`} target="_blank">
                {messages.guide}
              </Anchor>
            </Text>
            <CopyableCode name={messages.names[each]} code={snippets[each](target)} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {created !== undefined && <FirstRequest tokenId={created.id} />}
      <Widget base={base} />
    </Stack>
  )
}

function TokenForm({ base, onCreated }: Pick<ConnectProps, 'base'> & { onCreated: (created: { id: string; token: string }) => void }) {
  const messages = useMessages(connectMessages)
  const { client, organization } = useWorkspace()
  const mayCreate = useMay('tokens:write')
  const change = useChange(
    () => client.tokens.create({ name: messages.tokenName(base.name), scopes: ['search:read', 'bases:read'], baseIds: [base.id] }),
    { invalidates: () => [[organization.id, 'tokens']], onDone: ({ id, token }) => onCreated({ id, token }) },
  )
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="connect-token">
      <Group justify="space-between" gap="sm">
        <Stack gap={4} flex={1} miw={260}>
          <Title order={2} size="h4" id="connect-token">
            {messages.tokenTitle}
          </Title>
          <Text size="sm">{mayCreate ? messages.tokenHelp : messages.noToken}</Text>
        </Stack>
        {mayCreate && (
          <Button leftSection={<IconKey size={16} aria-hidden />} loading={change.isPending} onClick={() => change.mutate()}>
            {messages.createToken}
          </Button>
        )}
      </Group>
    </Paper>
  )
}

function TokenNote() {
  const messages = useMessages(connectMessages)
  const { organization } = useWorkspace()
  return (
    <Alert color="green" icon={<IconKey aria-hidden />} role="status">
      {messages.created} {messages.manage}{' '}
      <Anchor
        inherit
        underline="always"
        renderRoot={(props) => <Link {...props} to="/$organization/settings/tokens" params={{ organization: organization.slug }} />}
      >
        {messages.tokens}
      </Anchor>
      .
    </Alert>
  )
}

function FirstRequest({ tokenId }: { tokenId: string }) {
  const messages = useMessages(connectMessages)
  const workspace = useWorkspace()
  const { data } = useQuery(newestRequestQuery(workspace, tokenId))
  const request = data ?? null
  const succeeded = isSuccess(request)
  return (
    <Paper component="section" withBorder p="md" role="status" aria-live="polite">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        {succeeded ? <IconCircleCheck size={24} color="var(--mantine-color-green-text)" aria-hidden /> : <Loader size={24} aria-hidden />}
        <Stack gap={4} miw={0}>
          <Text fw={600}>{request === null ? messages.waiting : succeeded ? messages.received : messages.refused}</Text>
          {request === null ? (
            <Text size="sm">{messages.waitingHelp}</Text>
          ) : (
            <>
              <Text size="sm" className="wrap">
                <b>{request.method}</b> {request.path} · {request.status} · <RelativeTime at={request.createdAt} />
              </Text>
              {!succeeded && <Text size="sm">{messages.refusedHelp}</Text>}
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/$organization/settings/requests"
                    params={{ organization: workspace.organization.slug }}
                    search={{ token: tokenId }}
                  />
                )}
              >
                {messages.details}
              </Anchor>
            </>
          )}
        </Stack>
      </Group>
    </Paper>
  )
}
