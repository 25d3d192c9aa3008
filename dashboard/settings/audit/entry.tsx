import type { AuditEntry } from '@groundwork/api'
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { auditMessages } from './messages.ts'

/** Who did what, such as “Robin Moss created a contact”. */
export function AuditSentence({ entry: { actor, action } }: { entry: AuditEntry }) {
  const messages = useMessages(auditMessages)
  const actorName = actor.name === null ? messages.actors[actor.type] : actor.type === 'token' ? messages.token(actor.name) : actor.name
  return (
    <Text size="sm">
      <Text span fw={500} size="sm">
        {actorName}
      </Text>{' '}
      {messages.actions[action]}
    </Text>
  )
}

/** The changed record as a link to its page; its id if it has no name or was deleted. */
export function AuditTarget({ entry }: { entry: AuditEntry }) {
  const href = useTargetHref(entry)
  const { targetId, targetName } = entry
  const name = targetName ?? targetId
  return href === null ? (
    <Text
      size={targetName === null ? 'xs' : 'sm'}
      {...(targetName === null && { ff: 'monospace' })}
      className="cut cell"
      dir="auto"
      title={name}
    >
      {name}
    </Text>
  ) : (
    <Anchor component={Link} to={href} size="sm" className="cut cell" dir="auto" title={name}>
      {name}
    </Anchor>
  )
}

/** Returns the page of the changed record; null if it has none or was deleted. */
function useTargetHref({ targetId, targetName, targetBaseId }: AuditEntry): string | null {
  const { slug } = useWorkspace().organization
  if (targetName === null) return null
  const of: Record<string, string> = {
    ctc: `contacts/${targetId}`,
    co: `companies/${targetId}`,
    fld: 'settings/custom-fields',
    imp: `contacts/import/${targetId}`,
    prp: `proposals/${targetId}`,
    kb: `knowledge/${targetId}/sources`,
    src: `knowledge/${targetBaseId}/sources/${targetId}`,
    qst: `knowledge/${targetBaseId}/evaluation`,
    org: 'settings/organization',
    tok: 'settings/tokens',
    usr: 'settings/members',
    inv: 'settings/members',
    whk: `settings/webhooks/${targetId}`,
  }
  const path = of[targetId.split('_', 1)[0] ?? '']
  return path === undefined ? null : `/${slug}/${path}`
}
