import type { Proposal } from '@groundwork/api'
import { List, Stack } from '@mantine/core'
import { messagesOf } from '../messages/messages.ts'
import type { Question } from '../shell/confirm.tsx'
import { signingMessages } from './signing-messages.ts'
import { proposalMessages } from './messages.ts'

/** Asks before a draft is sent: says who receives it, and in which order. */
export function sendQuestion({ title, recipients, signingOrder, supersedes }: Proposal): Question {
  const { sendTitle, sendHelp, sendInOrder, sendReplaces, sendFinal, send } = messagesOf(proposalMessages)
  const signers = recipients.filter(({ role }) => role === 'signer').length
  return {
    title: sendTitle(title),
    body: (
      <Stack gap="xs">
        {sendHelp(recipients.length)}
        <Names recipients={recipients} />
        {signingOrder === 'sequential' && signers > 1 && <span>{sendInOrder}</span>}
        {supersedes !== null && <span>{sendReplaces}</span>}
        {sendFinal}
      </Stack>
    ),
    action: send,
    isDestructive: false,
  }
}

/** Lists the recipients of a proposal. */
export function Names({ recipients }: Pick<Proposal, 'recipients'>) {
  const { unnamed } = messagesOf(proposalMessages).recipients
  const { copy } = messagesOf(signingMessages)
  return (
    <List size="sm">
      {recipients.map(({ id, name, email, role }) => (
        <List.Item key={id} className="wrap">
          {[name ?? email ?? unnamed, ...(name !== null && email !== null ? [email] : []), ...(role === 'copy' ? [copy] : [])].join(', ')}
        </List.Item>
      ))}
    </List>
  )
}
