import type { Contact } from '@groundwork/api'
import { Select, SimpleGrid, Text, Textarea, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { useForm } from '../shell/form.ts'
import { countryOptions } from '../lib/code-names.ts'
import { useMayEdit } from '../shell/record-gone.tsx'
import { useSaveField } from './save-field.ts'
import { addressLines } from './value-text.ts'
import { contactMessages } from './messages.ts'

const parts = ['street', 'postalCode', 'city', 'region', 'country'] as const

/** The postal address, edited in a dialog. */
export function AddressOf({ contact }: { contact: Contact }) {
  const messages = useMessages(contactMessages)
  const { none } = useMessages(sharedMessages)
  const mayWrite = useMayEdit('contacts:write')
  const [editing, setEditing] = useState(false)
  const lines = contact.address === null ? [] : addressLines(contact.address)
  const text = lines.length === 0 ? <Text c="dimmed">{none}</Text> : lines.join(', ')
  if (!mayWrite && !editing) return <div className="field-read wrap">{text}</div>
  return (
    <>
      <UnstyledButton
        className="field-value wrap"
        aria-label={messages.edit(messages.fields.address, lines.length === 0 ? messages.empty : lines.join(', '))}
        onClick={() => setEditing(true)}
      >
        {text}
      </UnstyledButton>
      {editing && <EditAddress contact={contact} onClose={() => setEditing(false)} />}
    </>
  )
}

function EditAddress({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { addressParts: labels, fields } = useMessages(contactMessages)
  const { save } = useMessages(sharedMessages)
  const [base] = useState(contact.address)
  const change = useSaveField(contact, 'address')
  const form = useForm({
    street: base?.street ?? '',
    postalCode: base?.postalCode ?? '',
    city: base?.city ?? '',
    region: base?.region ?? '',
    country: base?.country ?? '',
  })
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
  const submit = (): void => {
    const { street, postalCode, city, region, country } = form.values
    const address = {
      street: orNull(street),
      postalCode: orNull(postalCode),
      city: orNull(city),
      region: orNull(region),
      country: orNull(country),
    }
    const value = Object.values(address).every((part) => part === null) ? null : address
    form.sending()
    change.mutate({ base, value }, { onSuccess: onClose, onError: form.refuse })
  }
  return (
    <FormDialog
      title={fields.address}
      onClose={onClose}
      form={form}
      onSubmit={submit}
      action={save}
      busy={change.isPending}
      error={change.error}
      fields={parts.map((part) => `address.${part}`)}
    >
      <Textarea
        label={labels.street}
        autosize
        minRows={1}
        maxLength={300}
        {...form.text('street')}
        error={form.errorOf('address.street')}
        data-autofocus
      />
      <SimpleGrid cols={2}>
        <TextInput label={labels.postalCode} maxLength={20} {...form.text('postalCode')} error={form.errorOf('address.postalCode')} />
        <TextInput label={labels.city} maxLength={120} {...form.text('city')} error={form.errorOf('address.city')} />
        <TextInput label={labels.region} maxLength={120} {...form.text('region')} error={form.errorOf('address.region')} />
        <Select
          label={labels.country}
          data={countryOptions(base?.country ?? null)}
          searchable
          clearable
          value={form.values.country === '' ? null : form.values.country}
          onChange={(country) => form.set('country', country ?? '')}
          error={form.errorOf('address.country')}
        />
      </SimpleGrid>
    </FormDialog>
  )
}
