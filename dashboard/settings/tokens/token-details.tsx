import type { ApiToken } from '@groundwork/api'
import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { Bases, TokenStatus } from './token-cells.tsx'
import { tokenMessages } from './messages.ts'

/** Shows everything about a token but its secret. */
export function TokenDetails({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const messages = useMessages(tokenMessages)
  const { close } = useMessages(sharedMessages)
  const { columns, details, never } = messages
  const { id, name, hint, scopes, agent, publishable, createdAt, createdBy, createdByName, lastUsedAt, expiresAt } = token
  const facts: [label: string, value: ReactNode][] = [
    [columns.status, <TokenStatus token={token} />],
    [details.kind, publishable === null ? (agent ? messages.agent : details.secret) : details.publishable],
    ...(publishable === null
      ? []
      : ([
          [details.origins, publishable.origins.join(', ')],
          [details.limit, details.perMinute(publishable.requestsPerMinute)],
        ] satisfies typeof facts)),
    [columns.bases, <Bases token={token} />],
    [columns.scopes, scopes.join(', ')],
    [columns.lastUsed, lastUsedAt === null ? never : <RelativeTime at={lastUsedAt} />],
    [columns.expires, expiresAt === null ? never : <RelativeTime at={expiresAt} />],
    [details.created, <RelativeTime at={createdAt} />],
    [columns.createdBy, createdByName ?? createdBy ?? messages.commandLine],
    ...(hint === null ? [] : ([[messages.secret, messages.endsIn(publishable === null ? 'gw_' : 'gwp_', hint)]] satisfies typeof facts)),
    [details.id, id],
  ]
  return (
    <Modal opened onClose={onClose} title={name} size="lg" closeButtonProps={{ 'aria-label': close }}>
      <dl className="offer-facts">
        {facts.map(([label, value]) => [
          <dt key={`${label}-label`}>{label}</dt>,
          <dd key={label} className="wrap">
            {value}
          </dd>,
        ])}
      </dl>
    </Modal>
  )
}
