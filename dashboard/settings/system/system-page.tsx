import type { System } from './record.ts'
import { Alert, Badge, Box, Group, Paper, Skeleton, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { number } from '../../lib/formats.ts'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { Page } from '../../shell/page.tsx'
import { Loaded } from '../../shell/states.tsx'
import { useWords } from '../../words/words.ts'
import { systemLabel } from '../label.ts'
import { Mails } from './mails.tsx'
import { systemQuery } from './queries.ts'
import { systemWords } from './words.ts'

export function SystemPage() {
  const words = useWords(systemWords)
  const query = useQuery(systemQuery(useWorkspace()))
  const maySeeMails = useMay('members:write')
  return (
    <Page title={useWords(systemLabel)} description={words.about}>
      <Loaded query={query} skeleton={<Skeleton height={280} />}>
        {(system) => (
          <>
            {system.mail.lastError !== null && (
              <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={words.failed}>
                {system.mail.lastError}
              </Alert>
            )}
            <Facts system={system} />
            {system.mail.kind === 'files' && maySeeMails && <Mails />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Facts({ system: { version, database, storage, embedder, reranker, mail, oidc } }: { system: System }) {
  const words = useWords(systemWords)
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    [words.version, version],
    [words.database, words.databases[database]],
    [words.storage, words.storages[storage]],
    [words.embedder, <Embedder key="embedder" embedder={embedder} />],
    [words.reranker, reranker === null ? words.noReranker : (reranker.model ?? words.remoteReranker)],
    [words.mail, words.mails[mail.kind]],
    [words.oidc, oidc ? words.oidcOn : words.oidcOff],
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
  const words = useWords(systemWords)
  return (
    <>
      {words.embedding(words.embedders[kind], model, number(dimensions))}{' '}
      <Badge component="span" variant="light" color={ready ? 'green' : 'red'}>
        {ready ? words.ready : words.notReady}
      </Badge>
      {error !== null && (
        <Text span size="sm" display="block">
          {error}
        </Text>
      )}
    </>
  )
}
