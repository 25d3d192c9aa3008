import { Button, Divider, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FormFailure } from '../shell/form-failure.tsx'
import { useMessages } from '../messages/messages.ts'
import { goTo } from './addresses.ts'
import { askAuth } from './ask.ts'
import { setupQuery } from './setup-query.ts'
import { useAttempt } from './use-attempt.ts'
import { authMessages } from './messages.ts'

/** Starts sign-in with the identity provider, if one is configured. @param onLeave saves state for the return to the dashboard */
export function IssuerButton({ onLeave }: { onLeave: () => void }) {
  const { issuer: words } = useMessages(authMessages)
  const host = useQuery(setupQuery).data?.oidcHost ?? null
  const attempt = useAttempt(async () => {
    const { url } = await askAuth<{ url: string }>('/sign-in/oidc', {})
    onLeave()
    goTo(url)
  })
  if (host === null) return null
  return (
    <Stack>
      <Divider label={words.or} />
      <FormFailure error={attempt.error} fields={[]} />
      <Button variant="default" loading={attempt.pending} onClick={() => void attempt.run()}>
        {words.action(host)}
      </Button>
    </Stack>
  )
}
