import type { Contact } from '@groundwork/api'
import { ActionIcon, Group, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { draftIdOf, readDraft, writeDraft } from '../lib/drafts.ts'
import { messageOf } from '../lib/errors.ts'
import { fieldErrors } from '../lib/field-errors.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { isInDialog, useUnsavedText } from '../shell/form.ts'
import { useMayEdit } from '../shell/record-gone.tsx'
import { ChangedMeanwhile, useSaveField, type EditableField } from './save-field.ts'
import { contactMessages } from './messages.ts'

type TextField = Extract<EditableField, 'firstName' | 'lastName' | 'email' | 'phone' | 'source' | 'externalId' | 'jobTitle'>
type Value = string | null

/** The typed text, and the value of the field when its editing began. */
interface Editing {
  base: Value
  text: string
}

/**
 * An inline text field. Enter or leaving the field saves, Escape cancels. The new value is shown immediately; if saving fails,
 * the field opens again with the typed text.
 */
export function TextFieldOf({ contact, field, type = 'text' }: { contact: Contact; field: TextField; type?: 'text' | 'email' | 'tel' }) {
  const messages = useMessages(contactMessages)
  const { none } = useMessages(sharedMessages)
  const mayWrite = useMayEdit('contacts:write')
  const save = useSaveField(contact, field)
  const [draft] = useState(() => draftIdOf({ contact: contact.id, field }))
  const [editing, setEditing] = useState(() => {
    const kept: Partial<Editing> = readDraft(draft, {})
    return mayWrite && isEditing(kept) ? kept : undefined
  })
  const button = useRef<HTMLButtonElement>(null)
  const value = save.isPending ? save.variables.value : contact[field]
  const close = (onLeave = false): void => {
    setEditing(undefined)
    if (!onLeave) requestAnimationFrame(() => button.current?.focus())
  }
  const submit = (base: Value, text: string, onLeave: boolean): void => {
    const next = text.trim() === '' ? null : text.trim()
    close(onLeave)
    if (next === base) return save.reset()
    save.mutate(
      { base, value: next },
      { onError: (error) => setEditing({ base: error instanceof ChangedMeanwhile ? error.theirs[field] : base, text }) },
    )
    return undefined
  }
  if (editing !== undefined) {
    return (
      <Editor
        label={messages.fields[field]}
        type={type}
        draft={draft}
        start={editing}
        error={errorOf(save.error, field, messages)}
        onSave={(text, onLeave) => submit(editing.base, text, onLeave)}
        onCancel={() => {
          save.reset()
          close()
        }}
      />
    )
  }
  if (!mayWrite) return <Text className="wrap">{value ?? none}</Text>
  return (
    <UnstyledButton
      ref={button}
      className="field-value wrap"
      aria-label={messages.edit(messages.fields[field], value ?? messages.empty)}
      onClick={() => setEditing({ base: contact[field], text: contact[field] ?? '' })}
    >
      {value ?? <Text c="dimmed">{none}</Text>}
    </UnstyledButton>
  )
}

const isEditing = (kept: Partial<Editing>): kept is Editing => kept.text !== undefined

interface EditorProps {
  label: string
  type: string
  /** The id of the draft that keeps the text for a reload or a sign-in. */
  draft: string | undefined
  start: Editing
  error: string | undefined
  onSave: (text: string, onLeave: boolean) => void
  onCancel: () => void
}

function Editor({ label, type, draft, start: { base, text: start }, error, onSave, onCancel }: EditorProps) {
  const { save, cancel } = useMessages(sharedMessages)
  const [text, setText] = useState(start)
  const isChanged = text !== (base ?? '')
  useUnsavedText(isChanged || error !== undefined)
  useEffect(() => writeDraft(draft, isChanged ? { base, text } : undefined), [draft, isChanged, base, text])
  // Not called when the page is left for a reload or for sign-in, after which the draft is needed.
  useEffect(() => () => writeDraft(draft, undefined), [draft])
  return (
    <Group
      gap={4}
      wrap="nowrap"
      align="flex-start"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget) && !isInDialog(event.relatedTarget)) onSave(text, true)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}
    >
      <TextInput
        flex={1}
        type={type}
        aria-label={label}
        value={text}
        error={error}
        autoFocus
        autoComplete="off"
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onSave(text, false)
        }}
      />
      <ActionIcon size={36} variant="default" aria-label={`${save}: ${label}`} onClick={() => onSave(text, false)}>
        <IconCheck size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon size={36} variant="subtle" color="gray" aria-label={`${cancel}: ${label}`} onClick={onCancel}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  )
}

interface ConflictWords {
  changedMeanwhile: (theirs: string) => string
  clearedMeanwhile: string
}

function errorOf(error: Error | null, field: TextField, words: ConflictWords): string | undefined {
  if (error === null) return undefined
  if (error instanceof ChangedMeanwhile) {
    const theirs = error.theirs[field]
    return theirs === null ? words.clearedMeanwhile : words.changedMeanwhile(theirs)
  }
  return fieldErrors(error)[field] ?? Object.values(fieldErrors(error))[0] ?? messageOf(error)
}
