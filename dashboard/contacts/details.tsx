import '../shell/fields.css'
import type { Contact } from '@groundwork/api'
import { Box, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, type ReactNode } from 'react'
import { customFieldsQuery } from '../lib/custom-fields.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { CopyButton } from '../shell/copy-button.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { AddressOf } from './address-field.tsx'
import { CompanyField } from './company-field.tsx'
import { CustomFieldOf } from './custom-field.tsx'
import { EntriesOf } from './entries-field.tsx'
import { FieldOrigin } from './field-origin.tsx'
import { FieldChangesContext, useFieldChanges } from './field-changes.ts'
import { LanguageOf, OwnerOf, TimeZoneOf } from './select-field.tsx'
import { TagsOf } from './tags-input.tsx'
import { TextFieldOf } from './text-field.tsx'
import { contactMessages } from './messages.ts'

/** The fields of a contact, each editable and with its origin. */
export function Details({ contact }: { contact: Contact }) {
  const messages = useMessages(contactMessages)
  const { data: customFields = [] } = useQuery(customFieldsQuery(useWorkspace(), 'contact'))
  /** @param field the name of the field in the history */
  const line = (field: string, name: string, input: ReactNode) => (
    <Line name={name} origin={<FieldOrigin contact={contact} field={field} name={name} />}>
      {input}
    </Line>
  )
  const { fields } = messages
  return (
    <Paper withBorder p="md" component="section" aria-label={messages.details}>
      <Title order={2} mb="sm">
        {messages.details}
      </Title>
      <FieldChanges contactId={contact.id}>
        <Stack component="dl" gap={4} m={0}>
          {line('firstName', fields.firstName, <TextFieldOf contact={contact} field="firstName" />)}
          {line('lastName', fields.lastName, <TextFieldOf contact={contact} field="lastName" />)}
          {line('jobTitle', fields.jobTitle, <TextFieldOf contact={contact} field="jobTitle" />)}
          {line('companyId', fields.companyId, <CompanyField contact={contact} />)}
          {line('emails', fields.email, <EntriesOf contact={contact} list="emails" />)}
          {line('phones', fields.phone, <EntriesOf contact={contact} list="phones" />)}
          {line('address', fields.address, <AddressOf contact={contact} />)}
          {line('tags', fields.tags, <TagsOf contact={contact} />)}
          {line('language', fields.language, <LanguageOf contact={contact} />)}
          {line('timeZone', fields.timeZone, <TimeZoneOf contact={contact} />)}
          {line('ownerId', fields.ownerId, <OwnerOf contact={contact} />)}
          {customFields.map((field) => (
            <Line
              key={field.id}
              name={field.name}
              origin={<FieldOrigin contact={contact} field={`customFields.${field.id}`} name={field.name} />}
            >
              <CustomFieldOf contact={contact} field={field} />
            </Line>
          ))}
          {line('source', fields.source, <TextFieldOf contact={contact} field="source" />)}
          {line('externalId', fields.externalId, <TextFieldOf contact={contact} field="externalId" />)}
          {contact.lastInteractionAt !== null && <Time name={messages.lastInteractionAt} at={contact.lastInteractionAt} />}
          <Time name={messages.createdAt} at={contact.createdAt} />
          <Time name={messages.updatedAt} at={contact.updatedAt} />
          <Line name={messages.id}>
            <Text size="sm" ff="monospace" className="field-read wrap" component="span">
              {contact.id}
            </Text>
            <CopyButton value={contact.id} name={messages.id} />
          </Line>
        </Stack>
      </FieldChanges>
    </Paper>
  )
}

/** Draws only the origins when the history arrives, in short tasks, and not all fields. */
function FieldChanges({ contactId, children }: { contactId: string; children: ReactNode }) {
  return <FieldChangesContext value={useDeferredValue(useFieldChanges(contactId))}>{children}</FieldChangesContext>
}

function Time({ name, at }: { name: string; at: string }) {
  return (
    <Line name={name}>
      <Text className="field-read">
        <RelativeTime at={at} />
      </Text>
    </Line>
  )
}

function Line({ name, origin, children }: { name: string; origin?: ReactNode; children: ReactNode }) {
  return (
    <div className="field-line">
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Box component="dd" m={0} className="field-cell">
        {children}
        {origin !== undefined && <span className="field-origin-place">{origin}</span>}
      </Box>
    </div>
  )
}
