import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { requestIdOf } from '../lib/errors.ts'
import { meQuery } from '../lib/session.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

/** Shows the id of a failed request, if it has one. */
export function FailedRequest({ error }: { error: unknown }) {
  const messages = useMessages(sharedMessages)
  const id = requestIdOf(error)
  if (id === undefined) return null
  return (
    <Text size="xs" className="wrap">
      {messages.request} <RequestId id={id} />
    </Text>
  )
}

/**
 * Shows a request id, with a link to the request log if the user may read it. Notifications are outside of the pages of an
 * organization, so the organization is that of the URL. The link opens a new tab, which keeps typed values.
 */
export function RequestId({ id }: { id: string }) {
  const { data } = useQuery({ ...meQuery, enabled: false })
  const [, , slug] = window.location.pathname.split('/')
  const organization = data?.organizations.find((each) => each.slug === slug)
  if (organization?.scopes.includes('audit:read') !== true) return id
  return (
    <Anchor inherit underline="always" href={`/app/${slug}/settings/requests?requestId=${id}`} target="_blank">
      {id}
    </Anchor>
  )
}
