import type { Proposal } from '@groundwork/api'
import { counterSignatureWording } from '@groundwork/api/counter-signature'
import { Badge, Group, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { sentBy, useForm } from '../shell/form.ts'
import { ReasonedButton } from '../shell/reasoned-button.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { useMessages } from '../messages/messages.ts'
import { organizationQuery, proposalsKey } from './queries.ts'
import { signingMessages } from './signing-messages.ts'
import { statusColors } from './states.ts'

/** Shows the signature of the organization, and signs when all signers have signed. */
export function CounterSignature({ proposal }: { proposal: Proposal }) {
  const messages = useMessages(signingMessages)
  const mayWrite = useMay('proposals:write')
  const [opened, { open, close }] = useDisclosure()
  const { data: organization } = useQuery(organizationQuery(useWorkspace()))
  const { status, recipients, counterSignedBy, counterSignedAt } = proposal
  const isDue = status === 'pending' && recipients.every(({ role, signedAt }) => role === 'copy' || signedAt !== null)
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Group gap="xs">
          <Text fw={600} className="wrap">
            {counterSignedBy ?? messages.ofOrganization}
          </Text>
          {counterSignedAt === null && (
            <Badge variant="light" color={isDue ? statusColors.pending : statusColors.draft}>
              {messages.notSignedYet}
            </Badge>
          )}
        </Group>
        {counterSignedAt !== null && (
          <Text size="sm" c="dimmed">
            {messages.ofOrganization} <RelativeTime at={counterSignedAt} />
          </Text>
        )}
      </div>
      {status === 'pending' && counterSignedAt === null && mayWrite && (
        <>
          <ReasonedButton
            reason={isDue ? undefined : messages.waitsForSigners}
            variant={isDue ? 'filled' : 'default'}
            onClick={open}
            loading={isDue && organization === undefined}
          >
            {messages.sign}
          </ReasonedButton>
          {opened && isDue && organization !== undefined && (
            <Countersign proposal={proposal} wording={counterSignatureWording(proposal, organization.language)} onClose={close} />
          )}
        </>
      )}
    </Group>
  )
}

interface CountersignProps {
  proposal: Proposal
  /** The sentence that the person agrees to. */
  wording: string
  onClose: () => void
}

function Countersign({ proposal, wording, onClose }: CountersignProps) {
  const messages = useMessages(signingMessages)
  const { client, organization, user } = useWorkspace()
  const form = useForm({ name: user.name })
  const change = useChange(({ name }: typeof form.values) => client.proposals.countersign(proposal.id, { name }), {
    invalidates: () => [[organization.id, ...proposalsKey]],
    done: messages.signed,
    refusals: { conflict: messages.notYet },
    notifyFailure: false,
    onDone: onClose,
  })
  return (
    <FormDialog title={messages.signTitle} onClose={onClose} {...sentBy(form, change)} action={messages.sign} fields={['name']}>
      <Text size="sm">{messages.signHelp}</Text>
      <TextInput label={messages.yourName} {...form.text('name')} maxLength={200} autoComplete="name" required data-autofocus />
      <Text size="sm" className="wrap">
        {wording}
      </Text>
    </FormDialog>
  )
}
