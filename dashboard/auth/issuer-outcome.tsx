import { Alert, Anchor, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useMessages } from '../messages/messages.ts'
import { nextAfterIssuer } from './after-issuer.ts'
import { authMessages } from './messages.ts'

/** Handles the return from the identity provider: opens the requested page, or explains the failure. */
export function IssuerOutcome({ outcome }: { outcome: string }) {
  const { issuer: words } = useMessages(authMessages)
  const next = nextAfterIssuer()
  const done = outcome === 'done'
  useEffect(() => {
    if (done) window.location.replace(next)
  }, [done, next])
  if (done) return <Text role="status">{words.done}</Text>
  return (
    <Alert color="red" role="alert" title={words.failed}>
      <Text size="sm">{words.outcomes[outcome] ?? words.outcomes['failed']}</Text>
      {next.startsWith('/app/invitation#') && (
        <Anchor size="sm" href={next}>
          {words.toInvitation}
        </Anchor>
      )}
    </Alert>
  )
}
