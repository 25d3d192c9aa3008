import type { Contact, CustomField } from '@groundwork/api'
import { Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { customText, formatNumber, parseNumber } from '../lib/custom-fields.ts'
import { draftIdOf, readDraft, writeDraft } from '../lib/drafts.ts'
import { messageOf } from '../lib/errors.ts'
import { fieldErrors } from '../lib/field-errors.ts'
import { useMay } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { ChoiceInput, isChoice } from '../shell/choice-input.tsx'
import { isInDialog, useUnsavedText } from '../shell/form.ts'
import { ChangedMeanwhile, fieldValue, useSaveCustomField, type CustomValue } from './save-field.ts'
import { contactMessages } from './messages.ts'

/** The value of a custom field, edited by its type. A choice is saved immediately, a text on Enter or on leaving the field. */
export function CustomFieldOf({ contact, field }: { contact: Contact; field: CustomField }) {
  const { yes, no } = useMessages(contactMessages)
  const { none } = useMessages(sharedMessages)
  const mayWrite = useMay('contacts:write')
  const save = useSaveCustomField(contact, field)
  const stored = fieldValue(contact, `customFields.${field.id}`)
  const value = save.isPending ? save.variables.value : stored
  if (!mayWrite) return <Text className="field-read wrap">{value === null ? none : customText(value, field, { yes, no })}</Text>
  if (!isChoice(field)) return <Typed contact={contact} field={field} save={save} />
  return (
    <ChoiceInput
      aria-label={field.name}
      placeholder={none}
      error={save.error === null ? undefined : errorOf(save.error)}
      words={{ yes, no }}
      field={field}
      value={value}
      onChange={(chosen) => save.mutate({ base: stored, value: chosen })}
    />
  )
}

const errorOf = (error: Error): string => Object.values(fieldErrors(error))[0] ?? messageOf(error)

/** The typed text, and the value of the field when its editing began. */
interface Editing {
  base: CustomValue
  text: string
}

interface TypedProps {
  contact: Contact
  field: CustomField
  save: ReturnType<typeof useSaveCustomField>
}

/** A text, a number or a day. Escape cancels. A text that was refused stays, and is sent again on Enter. */
function Typed({ contact, field, save }: TypedProps) {
  const { changedMeanwhile, clearedMeanwhile, yes, no } = useMessages(contactMessages)
  const { none } = useMessages(sharedMessages)
  const name = `customFields.${field.id}` as const
  const stored = fieldValue(contact, name)
  const [draft] = useState(() => draftIdOf({ contact: contact.id, field: field.id }))
  const [editing, setEditing] = useState((): Editing | undefined => {
    const kept: Partial<Editing> = readDraft(draft, {})
    return kept.text === undefined ? undefined : { base: kept.base ?? null, text: kept.text }
  })
  // Known before the next render, unlike the state of the mutation: Enter and Tab can follow each other within a millisecond.
  const sent = useRef<{ value: CustomValue }>(undefined)
  const value = editing === undefined ? undefined : valueOf(editing.text, field)
  const isSent = value === save.variables?.value
  const isUnsaved = editing !== undefined && value !== editing.base && !(save.isPending && isSent)
  useUnsavedText(isUnsaved)
  useEffect(() => writeDraft(draft, isUnsaved ? editing : undefined), [draft, isUnsaved, editing])
  // Not called when the page is left for a reload or for sign-in, after which the draft is needed.
  useEffect(() => () => writeDraft(draft, undefined), [draft])
  const cancel = (): void => {
    sent.current = undefined
    setEditing(undefined)
    save.reset()
  }
  const submit = ({ again }: { again: boolean }): void => {
    if (editing === undefined || value === undefined) return
    if (sent.current?.value === value) return
    const base = sent.current === undefined ? editing.base : sent.current.value
    if (value === base) {
      cancel()
      return
    }
    if (isSent && save.error !== null && !again) return
    const { text } = editing
    sent.current = { value }
    save.mutate(
      { base, value },
      {
        onSuccess: () =>
          setEditing((now) => {
            if (now === undefined || now.text === text) return undefined
            sent.current = undefined
            return { ...now, base: value }
          }),
        onError: (error) => {
          sent.current = undefined
          if (error instanceof ChangedMeanwhile) setEditing((now) => now && { ...now, base: fieldValue(error.theirs, name) })
        },
      },
    )
  }
  const conflict = save.error instanceof ChangedMeanwhile ? fieldValue(save.error.theirs, name) : undefined
  const conflictError = conflict === null ? clearedMeanwhile : changedMeanwhile(customText(conflict ?? '', field, { yes, no }))
  const error = save.error === null ? undefined : conflict === undefined ? errorOf(save.error) : conflictError
  return (
    <TextInput
      aria-label={field.name}
      placeholder={none}
      error={error}
      type={field.type === 'date' ? 'date' : 'text'}
      inputMode={field.type === 'number' ? 'decimal' : undefined}
      autoComplete="off"
      value={editing?.text ?? textOf(stored)}
      onChange={({ currentTarget: { value: text } }) => {
        if (editing === undefined) sent.current = undefined
        setEditing({ base: editing === undefined ? stored : editing.base, text })
      }}
      onBlur={({ relatedTarget }) => !isInDialog(relatedTarget) && submit({ again: false })}
      onKeyDown={(event) => {
        if (event.key === 'Enter') submit({ again: true })
        if (event.key === 'Escape') cancel()
      }}
    />
  )
}

const textOf = (value: CustomValue): string => (typeof value === 'number' ? formatNumber(value) : typeof value === 'string' ? value : '')

/** Returns the value of a typed text. The API refuses a text that is no number. */
function valueOf(typed: string, { type }: CustomField): CustomValue {
  const text = typed.trim()
  if (text === '') return null
  return (type === 'number' ? parseNumber(text) : undefined) ?? text
}
