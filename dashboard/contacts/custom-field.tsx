import type { Contact, CustomField } from '@groundwork/api'
import { Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { contactQuery } from '../lib/contact.ts'
import { customText } from '../lib/custom-fields.ts'
import { draftIdOf, readDraft, writeDraft } from '../lib/drafts.ts'
import { messageOf } from '../lib/errors.ts'
import { fieldErrors } from '../lib/field-errors.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { useChange } from '../shell/change.ts'
import { ChoiceInput, isChoice } from '../shell/choice-input.tsx'
import { isInDialog, useUnsavedText } from '../shell/form.ts'
import { filteredKey, historyKey, timelineKey } from './keys.ts'
import { useFailureAfterLeaving } from './left-field.ts'
import { showContact } from './shown.ts'
import { contactMessages } from './messages.ts'

type Value = string | number | boolean | string[] | null

/** The value of a custom field, edited by its type. A choice is saved immediately, a text on Enter or on leaving the field. */
export function CustomFieldOf({ contact, field }: { contact: Contact; field: CustomField }) {
  const { yes, no } = useMessages(contactMessages)
  const { none } = useMessages(sharedMessages)
  const workspace = useWorkspace()
  const { client, organization } = workspace
  const queries = useQueryClient()
  const mayWrite = useMay('contacts:write')
  const onFailure = useFailureAfterLeaving(contact, field.name)
  const save = useChange((value: Value) => client.contacts.update(contact.id, { customFields: { [field.id]: value } }), {
    notifyFailure: false,
    onFailure,
    invalidates: () => [filteredKey, timelineKey(contact.id), historyKey(contact.id)].map((key) => [organization.id, ...key]),
    onDone(saved) {
      queries.setQueryData(contactQuery(workspace, contact.id).queryKey, saved)
      showContact({ queries, organizationId: organization.id }, saved)
    },
  })
  const stored = contact.customFields[field.id] ?? null
  const value = save.isPending ? save.variables : stored
  const error = save.error === null ? undefined : (Object.values(fieldErrors(save.error))[0] ?? messageOf(save.error))
  const common = { 'aria-label': field.name, placeholder: none, error }
  if (!mayWrite) return <Text className="field-read wrap">{value === null ? none : customText(value, field, { yes, no })}</Text>
  if (isChoice(field))
    return <ChoiceInput {...common} words={{ yes, no }} field={field} value={value} onChange={(chosen) => save.mutate(chosen)} />
  return (
    <Typed
      {...common}
      draftOf={{ contact: contact.id, field: field.id }}
      type={field.type}
      stored={stored}
      onSave={(typed) => save.mutate(typed)}
    />
  )
}

interface TypedProps {
  'aria-label': string
  placeholder: string
  error: string | undefined
  /** What the draft is about that keeps the text for a reload or a sign-in. */
  draftOf: object
  type: CustomField['type']
  stored: unknown
  onSave: (value: Value) => void
}

function Typed({ draftOf, type, stored, onSave, ...input }: TypedProps) {
  const shown = typeof stored === 'string' || typeof stored === 'number' ? String(stored) : ''
  const [draft] = useState(() => draftIdOf(draftOf))
  const [typed, setTyped] = useState(() => {
    const kept: { text?: string } = readDraft(draft, {})
    return kept.text
  })
  const [sent, setSent] = useState<string>()
  const [lastShown, setLastShown] = useState(shown)
  if (shown !== lastShown) {
    setLastShown(shown)
    // Once the text is saved, the field shows the stored value, which others may change.
    if (typed !== undefined && [shown, sent].includes(typed.trim())) {
      setTyped(undefined)
      setSent(undefined)
    }
  }
  const isUnsaved = typed !== undefined && typed.trim() !== shown && (typed.trim() !== sent || input.error !== undefined)
  useUnsavedText(isUnsaved)
  useEffect(() => writeDraft(draft, isUnsaved ? { text: typed } : undefined), [draft, isUnsaved, typed])
  // Not called when the page is left for a reload or for sign-in, after which the draft is needed.
  useEffect(() => () => writeDraft(draft, undefined), [draft])
  const submit = (): void => {
    const text = typed?.trim()
    if (text === undefined || text === shown) return
    setSent(text)
    const number = Number(text)
    onSave(text === '' ? null : type === 'number' && Number.isFinite(number) ? number : text)
  }
  return (
    <TextInput
      {...input}
      type={type === 'date' ? 'date' : 'text'}
      inputMode={type === 'number' ? 'decimal' : undefined}
      autoComplete="off"
      value={input.error === undefined && typed?.trim() === shown ? shown : (typed ?? shown)}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={({ relatedTarget }) => !isInDialog(relatedTarget) && submit()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') submit()
        if (event.key === 'Escape') setTyped(undefined)
      }}
    />
  )
}
