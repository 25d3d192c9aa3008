import { Alert, Box, Button, Group, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { BadRequestError, NotFoundError, ValidationError } from '@groundwork/sdk'
import { IconAlertTriangle, type TablerIcon } from '@tabler/icons-react'
import { useDeferredValue, type ReactNode } from 'react'
import { messageOf, ShownError } from '../lib/errors.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { FailedRequest } from './request-id.tsx'

export interface Asked<T> {
  data: T | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

/**
 * Renders the data of a query, `skeleton` while it loads, or its error. The skeleton should have the size of the content, to
 * avoid a layout shift. Loaded data stays visible if a refetch fails.
 */
export function Loaded<T>({ query, skeleton, children }: { query: Asked<T>; skeleton: ReactNode; children: (data: T) => ReactNode }) {
  const messages = useMessages(sharedMessages)
  const { data, error } = useDrawn(query)
  if (data !== undefined) return children(data)
  if (error !== null) return <ErrorState error={error} retry={() => void query.refetch()} busy={query.isFetching} />
  return (
    <Box role="status" aria-busy aria-label={messages.loading}>
      {skeleton}
    </Box>
  )
}

/**
 * Returns a query without its data until React draws it in short tasks, between which the browser handles input. A query that has
 * data at first is returned as it is.
 */
function useDrawn<T>(query: Asked<T>): Asked<T> {
  const isLoaded = query.data !== undefined
  const isDrawn = useDeferredValue(isLoaded)
  return isLoaded && !isDrawn ? { data: undefined, error: null, isFetching: true, refetch: query.refetch } : query
}

/** Renders `skeleton` at first, and `children` in short tasks after it, between which the browser handles input. */
export function DrawnLater({ skeleton, children }: { skeleton: ReactNode; children: ReactNode }) {
  return useDeferredValue(true, false) ? children : skeleton
}

/** Placeholder rows for a table or a list. */
export function SkeletonRows({ rows = 6, height = 44 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="xs">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  )
}

export function ErrorState({ error, retry, busy = false }: { error: unknown; retry?: () => void; busy?: boolean }) {
  const messages = useMessages(sharedMessages)
  const cause = error instanceof ShownError ? error.cause : error
  const isRefused = (cause instanceof ValidationError || cause instanceof BadRequestError) && window.location.search !== ''
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={error instanceof NotFoundError ? messages.notFound : messages.loadFailed}
    >
      <Stack align="flex-start" gap="sm">
        <Text size="sm">
          {error instanceof NotFoundError ? messages.notFoundHelp : isRefused && cause === error ? messages.wrongAddress : messageOf(error)}
        </Text>
        <FailedRequest error={error} />
        {isRefused && (
          <Button size="sm" component="a" href={window.location.pathname}>
            {messages.withoutFilters}
          </Button>
        )}
        {retry && (
          <Button size="sm" variant="default" onClick={retry} loading={busy}>
            {messages.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

interface EmptyStateProps {
  icon: TablerIcon
  title: string
  /** Describes the next step. */
  children: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py={64} px="md" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" color="gray">
        <Icon size={28} aria-hidden />
      </ThemeIcon>
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text c="dimmed" maw={480} component="div">
        {children}
      </Text>
      {action && (
        <Group mt="xs" justify="center">
          {action}
        </Group>
      )}
    </Stack>
  )
}
