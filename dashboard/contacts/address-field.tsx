import type { Contact } from '@groundwork/api'
import { Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { useForm } from '../shell/form.ts'
import { useMayEdit } from '../shell/record-gone.tsx'
import { AddressInputs, addressOf, addressParts, addressValues } from './address-inputs.tsx'
import { useSaveField } from './save-field.ts'
import { addressLines } from './value-text.ts'
import { contactMessages } from './messages.ts'

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
  const { fields } = useMessages(contactMessages)
  const { save } = useMessages(sharedMessages)
  const [base] = useState(contact.address)
  const change = useSaveField(contact, 'address')
  const form = useForm(addressValues(base))
  const submit = (): void => {
    form.sending()
    change.mutate({ base, value: addressOf(form.values) }, { onSuccess: onClose, onError: form.refuse })
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
      fields={addressParts.map((part) => `address.${part}`)}
    >
      <AddressInputs values={form.values} set={form.set} errorOf={form.errorOf} />
    </FormDialog>
  )
}
