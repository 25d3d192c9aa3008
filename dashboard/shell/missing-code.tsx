import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { doesServerRespond, reloadOnce } from '../lib/missing-code.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { Failure } from './failure.tsx'
import { PendingPage } from './pending-page.tsx'

const retryMs = 3_000

/**
 * Shown if the code of a page cannot be loaded. If the server does not respond, the page opens when it does again. If it responds, it
 * was updated, and the page is reloaded.
 */
export function MissingCode({ error }: { error: Error }) {
  const messages = useMessages(sharedMessages)
  const [isReloaded, setIsReloaded] = useState(false)
  const { responds, wasLost, isFetching, refetch } = useServer(error)
  useEffect(() => {
    if (responds === true && wasLost) window.location.reload()
    else if (responds === true && !reloadOnce(error)) setIsReloaded(true)
  }, [responds, wasLost, error])
  if (isReloaded)
    return <Failure title={messages.broken} help={messages.newVersion} action={messages.reload} onClick={() => window.location.reload()} />
  if (!wasLost) return <PendingPage />
  return (
    <Failure
      title={messages.noConnection}
      help={messages.noConnectionHelp}
      action={messages.tryAgain}
      busy={isFetching}
      onClick={() => void refetch()}
    />
  )
}

/** As `MissingCode`, in a dialog above a page that works: what was typed there stays, so the page is not reloaded. */
export function MissingDialog({ error, retry }: { error: Error; retry: () => void }) {
  const messages = useMessages(sharedMessages)
  const { responds, wasLost, isFetching, refetch } = useServer(error)
  const again = useEffectEvent(retry)
  useEffect(() => {
    if (responds === true && wasLost) again()
  }, [responds, wasLost])
  const isUpdated = responds === true && !wasLost
  return (
    <Stack role="status">
      <Text size="sm">{isUpdated ? messages.newVersion : messages.noConnectionDialog}</Text>
      <Group justify="flex-end">
        {isUpdated ? (
          <Button onClick={() => window.location.reload()}>{messages.reload}</Button>
        ) : (
          <Button loading={isFetching} onClick={() => void refetch()}>
            {messages.tryAgain}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

/** Asks the server until it responds. `wasLost` says whether it did not. */
function useServer(error: Error) {
  const [wasLost, setWasLost] = useState(false)
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['missing-code', error.message],
    queryFn: () => doesServerRespond(error),
    networkMode: 'always',
    staleTime: 0,
    gcTime: 0,
    refetchInterval: (query) => (query.state.data === true ? false : retryMs),
  })
  useEffect(() => {
    if (data === false) setWasLost(true)
  }, [data])
  return { responds: data, wasLost, isFetching, refetch }
}
