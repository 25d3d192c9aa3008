import type { System } from './record.ts'
import { Alert, Badge, Box, Group, Paper, Skeleton, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { number } from '../../lib/formats.ts'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { Page } from '../../shell/page.tsx'
import { RawError } from '../../shell/raw-error.tsx'
import { Loaded } from '../../shell/states.tsx'
import { useMessages } from '../../messages/messages.ts'
import { systemLabel } from '../label.ts'
import { Mails } from './mails.tsx'
import { systemQuery } from './queries.ts'
import { systemMessages } from './messages.ts'

export function SystemPage() {
  const messages = useMessages(systemMessages)
  const query = useQuery(systemQuery(useWorkspace()))
  const maySeeMails = useMay('members:write')
  return (
    <Page guide="operations" title={useMessages(systemLabel)} description={messages.about}>
      <Loaded query={query} skeleton={<Skeleton height={280} />}>
        {(system) => (
          <>
            {system.mail.lastError !== null && (
              <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={messages.failed}>
                <RawError summary={messages.failedHelp} error={system.mail.lastError} label={messages.rawError} />
              </Alert>
            )}
            <Facts system={system} />
            {maySeeMails && <Mails kind={system.mail.kind} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Facts({ system: { version, database, storage, embedder, reranker, chat, mail, oidc } }: { system: System }) {
  const messages = useMessages(systemMessages)
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    [messages.version, version],
    [messages.database, messages.databases[database]],
    [messages.storage, messages.storages[storage]],
    [messages.embedder, <Embedder key="embedder" embedder={embedder} />],
    [messages.reranker, reranker === null ? messages.noReranker : (reranker.model ?? messages.remoteReranker)],
    [messages.chat, chat?.model ?? messages.noReranker],
    [messages.mail, messages.mails[mail.kind]],
    [messages.oidc, oidc ? messages.oidcOn : messages.oidcOff],
  ]
  return (
    <Paper withBorder p="md">
      <Box component="dl" m={0}>
        {facts.map(([name, value]) => (
          <Group key={name} gap="sm" py={6} align="flex-start" wrap="nowrap">
            <Text component="dt" size="sm" c="dimmed" w={130} flex="none">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0} miw={0} className="wrap">
              {value}
            </Text>
          </Group>
        ))}
      </Box>
    </Paper>
  )
}

function Embedder({ embedder: { kind, model, dimensions, ready, error } }: { embedder: System['embedder'] }) {
  const messages = useMessages(systemMessages)
  return (
    <>
      {messages.embedding(messages.embedders[kind], model, number(dimensions))}{' '}
      <Badge component="span" variant="light" color={ready ? 'green' : 'red'}>
        {ready ? messages.ready : messages.notReady}
      </Badge>
      {error !== null && <RawError summary={messages.embedderFailed} error={error} label={messages.rawError} />}
    </>
  )
}
