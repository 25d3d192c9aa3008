import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
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
  const [wasLost, setWasLost] = useState(false)
  const [isReloaded, setIsReloaded] = useState(false)
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
    else if (data === true && wasLost) window.location.reload()
    else if (data === true && !reloadOnce(error)) setIsReloaded(true)
  }, [data, wasLost, error])
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
