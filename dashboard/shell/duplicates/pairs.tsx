import './duplicates.css'
import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { percent } from '../../lib/formats.ts'
import { rowsOf } from '../../lib/pages.ts'
import { useMay } from '../../lib/workspace.ts'
import { pairMessages } from '../../messages/duplicates.ts'
import { useMessages } from '../../messages/messages.ts'
import { useChange } from '../change.ts'
import { useConfirm } from '../confirm.tsx'
import { MoreButton } from '../more-button.tsx'
import { notifyError } from '../notify.tsx'
import { RelativeTime } from '../relative-time.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../states.tsx'

interface PageOfPairs<P> {
  data: P[]
  nextCursor: string | null
}

interface PairsProps<P> {
  readonly query: UseInfiniteQueryResult<InfiniteData<PageOfPairs<P>>>
  readonly noneHelp: string
  readonly children: (pair: P) => ReactNode
}

/** A list of pairs of records that are probably the same. */
export function Pairs<P>({ query, noneHelp, children }: PairsProps<P>) {
  const messages = useMessages(pairMessages)
  return (
    <Loaded query={query} skeleton={<SkeletonRows height={120} />}>
      {(data) => {
        const pairs = rowsOf(data)
        if (pairs.length === 0) {
          return (
            <EmptyState icon={IconUsers} title={messages.none}>
              {noneHelp}
            </EmptyState>
          )
        }
        return (
          <>
            <Text size="sm" c="dimmed" role="status">
              {query.hasNextPage ? messages.foundMore(pairs.length) : messages.found(pairs.length)}
            </Text>
            <Stack component="ul" className="plain-list" m={0} p={0} gap="sm">
              {pairs.map(children)}
            </Stack>
            {query.hasNextPage && (
              <Group justify="center">
                <MoreButton query={query} />
              </Group>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

interface PairProps {
  readonly names: readonly [string, string]
  readonly confidence: number
  readonly reasons: readonly string[]
  readonly records: ReactNode
  readonly actions: ReactNode
}

export function Pair({ names: [one, other], confidence, reasons, records, actions }: PairProps) {
  const messages = useMessages(pairMessages)
  const mayWrite = useMay('contacts:write')
  return (
    <Paper component="li" withBorder p="md" aria-label={messages.pair(one, other)}>
      <div className="duplicate-pair">{records}</div>
      <Group gap="xs" mt="sm" justify="space-between">
        <Group gap={6}>
          <Text size="sm" c="dimmed" className="one-line">
            {messages.likely(percent(confidence))}
          </Text>
          {reasons.map((reason) => (
            <Badge key={reason} variant="default" fw={500} tt="none">
              {reason}
            </Badge>
          ))}
        </Group>
        {mayWrite && <Group gap="xs">{actions}</Group>}
      </Group>
    </Paper>
  )
}

interface PairRecordProps {
  readonly link: ReactNode
  readonly name: string
  readonly values: readonly (string | null)[]
  readonly createdAt: string
}

/** One of the records of a pair, with the values that it has besides its name. */
export function PairRecord({ link, name, values, createdAt }: PairRecordProps) {
  const messages = useMessages(pairMessages)
  return (
    <div className="duplicate-record">
      {link}
      {values.map(
        (value) =>
          value !== null &&
          value !== name && (
            <Text key={value} size="sm" className="cut" dir="auto" title={value}>
              {value}
            </Text>
          ),
      )}
      <Text size="sm" c="dimmed">
        {messages.since} <RelativeTime at={createdAt} />
      </Text>
    </div>
  )
}

interface DismissPairProps {
  readonly question: { readonly title: string; readonly body: string }
  readonly dismiss: () => Promise<unknown>
  readonly invalidates: () => (readonly string[])[]
  readonly shownError: (error: unknown) => unknown
}

/** Dismisses a pair after a question. */
export function DismissPair({ question, dismiss, invalidates, shownError }: DismissPairProps) {
  const messages = useMessages(pairMessages)
  const confirm = useConfirm()
  const change = useChange(dismiss, { invalidates, done: messages.dismissed, notifyFailure: false })
  const ask = async (): Promise<void> => {
    if (await confirm({ ...question, action: messages.dismiss, isDestructive: false }))
      change.mutate(undefined, { onError: (error) => notifyError(shownError(error)) })
  }
  return (
    <Button variant="default" loading={change.isPending} onClick={() => void ask()}>
      {messages.dismiss}
    </Button>
  )
}
