import { ActionIcon, Button, Checkbox, Group, Paper, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMessages } from '../messages/messages.ts'
import { ContactPicker } from '../shell/contact-picker.tsx'
import { emptyRecipient, type DraftRecipient, type DraftSigning } from './draft-recipients.ts'
import { signingMessages } from './signing-messages.ts'

const maxRecipients = 20

interface RecipientsEditorProps {
  values: DraftSigning
  onChange: (values: DraftSigning) => void
  /** Returns the error of a field by its API path, such as `recipients.0.email`. */
  errorOf: (path: string) => string | undefined
}

/** Edits the recipients after the contact, the order of their signatures and the signature of the organization. */
export function RecipientsEditor({ values, onChange, errorOf }: RecipientsEditorProps) {
  const messages = useMessages(signingMessages)
  const { recipients, signingOrder, counterSignature } = values
  const set = (changes: Partial<DraftSigning>): void => onChange({ recipients, signingOrder, counterSignature, ...changes })
  return (
    <Stack gap="sm" component="section" aria-label={messages.title}>
      <div>
        <Title order={2} size="h4">
          {messages.title}
        </Title>
        <Text size="sm" c="dimmed">
          {messages.help}
        </Text>
      </div>
      {recipients.map((recipient, index) => (
        <Recipient
          key={recipient.key}
          recipient={recipient}
          index={index}
          errorOf={errorOf}
          onChange={(changed) => set({ recipients: recipients.with(index, changed) })}
          onRemove={() => set({ recipients: recipients.toSpliced(index, 1) })}
        />
      ))}
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={recipients.length >= maxRecipients}
          onClick={() => set({ recipients: [...recipients, emptyRecipient()] })}
        >
          {messages.add}
        </Button>
      </Group>
      {recipients.some(({ role }) => role === 'signer') && (
        <Select
          label={messages.order}
          data={[
            { value: 'parallel', label: messages.orders.parallel },
            { value: 'sequential', label: messages.orders.sequential },
          ]}
          allowDeselect={false}
          value={signingOrder}
          onChange={(order) => set({ signingOrder: order === 'sequential' ? 'sequential' : 'parallel' })}
        />
      )}
      <Checkbox
        label={messages.counterSignature}
        checked={counterSignature}
        onChange={(event) => set({ counterSignature: event.currentTarget.checked })}
      />
    </Stack>
  )
}

interface RecipientProps {
  recipient: DraftRecipient
  index: number
  errorOf: RecipientsEditorProps['errorOf']
  onChange: (recipient: DraftRecipient) => void
  onRemove: () => void
}

function Recipient({ recipient, index, errorOf, onChange, onRemove }: RecipientProps) {
  const messages = useMessages(signingMessages)
  const text = (field: 'name' | 'email') => (
    <TextInput
      label={messages[field]}
      value={recipient[field]}
      onChange={(event) => onChange({ ...recipient, [field]: event.currentTarget.value })}
      error={errorOf(`recipients.${index}.${field}`)}
      maxLength={field === 'name' ? 200 : 254}
      {...(field === 'email' && { type: 'email' })}
      required
    />
  )
  return (
    <Paper withBorder p="sm" component="fieldset" aria-label={messages.recipient(index + 1)} m={0} miw={0}>
      <Stack gap="xs">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
          <Select
            label={messages.role}
            data={[
              { value: 'signer', label: messages.roles.signer },
              { value: 'copy', label: messages.roles.copy },
            ]}
            allowDeselect={false}
            value={recipient.role}
            onChange={(role) => onChange({ ...recipient, role: role === 'copy' ? 'copy' : 'signer' })}
          />
          <Select
            label={messages.kind}
            data={[
              { value: 'person', label: messages.kinds.person },
              { value: 'contact', label: messages.kinds.contact },
            ]}
            allowDeselect={false}
            value={recipient.kind}
            onChange={(kind) => onChange({ ...recipient, kind: kind === 'contact' ? 'contact' : 'person' })}
          />
          {recipient.kind === 'person' ? (
            <>
              {text('name')}
              {text('email')}
            </>
          ) : (
            <ContactPicker
              label={messages.contact}
              value={recipient.contactId}
              onChange={(contactId) => onChange({ ...recipient, contactId })}
              error={errorOf(`recipients.${index}.contactId`)}
            />
          )}
        </SimpleGrid>
        <Group justify="flex-end">
          <ActionIcon size={36} variant="subtle" color="gray" aria-label={messages.remove(index + 1)} onClick={onRemove}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Stack>
    </Paper>
  )
}
