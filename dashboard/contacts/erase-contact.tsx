import './erase.css'
import type { Contact, ContactErasure } from '@groundwork/api'
import { Button, Checkbox, Group, List, Modal, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { contactName } from '../lib/contact.ts'
import { dayOf, exactTime, number } from '../lib/formats.ts'
import { saveFile } from '../lib/save-file.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { useChange } from '../shell/change.ts'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { filteredKey } from './keys.ts'
import { hideContact } from './shown.ts'
import { contactMessages } from './messages.ts'

const route = getRouteApi('/$organization/contacts/$contactId')

/** A button that shows what an erasure would remove, erases the contact, and shows the receipt. */
export function EraseContact({ contact }: { contact: Contact }) {
  const { erasure: messages } = useMessages(contactMessages)
  const { close } = useMessages(sharedMessages)
  const [opened, setOpened] = useState(false)
  const [receipt, setReceipt] = useState<ContactErasure>()
  const { organization } = useWorkspace()
  const navigate = route.useNavigate()
  const end = (): void => {
    setOpened(false)
    if (receipt !== undefined) void navigate({ to: '/$organization/contacts', params: { organization: organization.slug } })
  }
  return (
    <>
      <Button variant="default" color="red" onClick={() => setOpened(true)}>
        {messages.open}
      </Button>
      <Modal
        opened={opened}
        onClose={end}
        title={receipt === undefined ? messages.title(contactName(contact)) : messages.receiptTitle}
        size="lg"
        closeButtonProps={{ 'aria-label': close }}
      >
        {receipt === undefined ? (
          <Preview contact={contact} onErased={setReceipt} />
        ) : (
          <Receipt receipt={receipt} name={contactName(contact)} />
        )}
      </Modal>
    </>
  )
}

function Preview({ contact, onErased }: { contact: Contact; onErased: (receipt: ContactErasure) => void }) {
  const { erasure: messages } = useMessages(contactMessages)
  const { typeToConfirm } = useMessages(sharedMessages)
  const { client, organization } = useWorkspace()
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const [preventReimport, setPreventReimport] = useState(false)
  const query = useQuery({
    queryKey: [organization.id, 'contacts', contact.id, 'erasure'],
    queryFn: () => client.contacts.erase(contact.id, { dryRun: true }),
    gcTime: 0,
  })
  const erase = useChange(() => client.contacts.erase(contact.id, { preventReimport }), {
    invalidates: () => [[organization.id, ...filteredKey]],
    refusals: { conflict: messages.merged },
    onDone: (receipt) => {
      hideContact({ queries, organizationId: organization.id }, contact.id)
      onErased(receipt)
    },
  })
  const name = contactName(contact)
  return (
    <Stack
      component="form"
      onSubmit={(event) => {
        event.preventDefault()
        erase.mutate()
      }}
    >
      <Text size="sm">{messages.help}</Text>
      <Loaded query={query} skeleton={<SkeletonRows rows={4} />}>
        {(receipt) => <Counts receipt={receipt} />}
      </Loaded>
      <Checkbox
        label={messages.preventReimport}
        description={messages.preventReimportHelp}
        checked={preventReimport}
        onChange={(event) => setPreventReimport(event.currentTarget.checked)}
      />
      <TextInput
        label={typeToConfirm(name)}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
      <Button type="submit" color="red" disabled={typed.trim() !== name || query.data === undefined} loading={erase.isPending}>
        {messages.action}
      </Button>
    </Stack>
  )
}

function Receipt({ receipt, name }: { receipt: ContactErasure; name: string }) {
  const { erasure: messages } = useMessages(contactMessages)
  const { organization } = useWorkspace()
  return (
    <Stack className="erasure-receipt">
      <Text role="status">{messages.done(name, exactTime(receipt.erasedAt ?? ''))}</Text>
      <Text size="sm" c="dimmed" className="wrap">
        {organization.name} · {receipt.contactId}
      </Text>
      <Counts receipt={receipt} />
      <Text size="sm" className="not-printed">
        {messages.keepReceipt}
      </Text>
      <Group gap="xs" className="not-printed">
        <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()} data-autofocus>
          {messages.print}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => void saveFile(new Response(JSON.stringify(receipt, null, 2)), 'erasure-receipt.json')}
        >
          {messages.download}
        </Button>
      </Group>
    </Stack>
  )
}

function Counts({ receipt: { dryRun, erased, kept } }: { receipt: ContactErasure }) {
  const { erasure: messages } = useMessages(contactMessages)
  return (
    <>
      <div>
        <Title order={3} size="sm">
          {dryRun ? messages.toErase : messages.erased}
        </Title>
        <List size="sm">
          {erased.map(({ kind, count }) => (
            <List.Item key={kind}>
              {messages.kinds[kind]}: {number(count)}
            </List.Item>
          ))}
        </List>
      </div>
      <div>
        <Title order={3} size="sm">
          {messages.kept}
        </Title>
        <List size="sm">
          {kept.map(({ kind, count, until }) => (
            <List.Item key={kind}>
              {messages.keptKinds[kind].title}
              {count !== null && `: ${number(count)}`}. {messages.keptKinds[kind].reason}
              {until !== null && ` ${(kind === 'accepted_proposals' ? messages.contractsUntil : messages.until)(dayOf(until))}`}
            </List.Item>
          ))}
        </List>
      </div>
    </>
  )
}
