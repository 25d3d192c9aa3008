import '@mantine/core/styles/RadioCard.css'
import '@mantine/core/styles/RadioIndicator.css'
import '@mantine/core/styles/Radio.css'
import type { Contact } from '@groundwork/api'
import { Paper, Radio, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { contactName } from '../../lib/contact.ts'
import { customFieldsQuery } from '../../lib/custom-fields.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { contactMessages } from '../messages.ts'
import { useValueText } from '../value-text.ts'
import { comparedFields, valueOf, type ComparedField } from './fields.ts'
import { mergeMessages } from './messages.ts'

interface ComparisonProps {
  /** The contact that stays. */
  contact: Contact
  other: Contact
  /** The contact after the merge, once it is known. */
  result: Contact | undefined
  /** For a field, the id of the contact whose value the user chose. */
  chosen: Readonly<Record<string, string>>
  onChoose: (field: string, contactId: string) => void
}

const channels = ['email', 'phone', 'sms', 'post'] as const

/** Compares two contacts field by field. Where their values differ, the user chooses one. */
export function Comparison({ contact, other, result, chosen, onChoose }: ComparisonProps) {
  const messages = useMessages(mergeMessages)
  const words = useMessages(contactMessages)
  const workspace = useWorkspace()
  const { data: customFields = [] } = useQuery(customFieldsQuery(workspace, 'contact'))
  const textOf = useValueText([contact.companyId, other.companyId])
  const [name, otherName] = [contactName(contact), contactName(other)]
  const rows = comparedFields(contact, other, customFields, messages)
  return (
    <Paper withBorder p="md" component="section" aria-label={messages.compare}>
      <Title order={2} mb="sm">
        {messages.compare}
      </Title>
      <table className="merge-table" aria-label={messages.compare}>
        <colgroup>
          <col />
          <col />
          <col />
        </colgroup>
        <thead>
          <tr>
            <td />
            <th scope="col" className="wrap">
              {name}
              <span className="merge-note">{messages.stays}</span>
            </th>
            <th scope="col" className="wrap">
              {otherName}
              <span className="merge-note">{messages.becomesPart}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((field) => (
            <FieldRow
              key={field.name}
              field={field}
              names={[name, otherName]}
              textOf={(value) => textOf(field.name, value)}
              choice={chosen[field.name] ?? keptBy(field, contact, other, result)}
              ids={[contact.id, other.id]}
              onChoose={onChoose}
            />
          ))}
          {channels
            .filter((channel) => contact.consent?.[channel] !== other.consent?.[channel])
            .map((channel) => (
              <StrictRow
                key={channel}
                label={messages.consent(words.consent.channels[channel])}
                names={[name, otherName]}
                values={[contact, other].map(({ consent }) => words.consent.states[consent?.[channel] ?? 'unknown'])}
              />
            ))}
          {contact.doNotContact !== other.doNotContact && (
            <StrictRow
              label={messages.doNotContact}
              names={[name, otherName]}
              values={[contact, other].map(({ doNotContact }) => (doNotContact ? words.yes : words.no))}
            />
          )}
        </tbody>
      </table>
    </Paper>
  )
}

/** Returns the id of the contact whose value stays without a choice. */
function keptBy({ name, own, other: others }: ComparedField, contact: Contact, other: Contact, result: Contact | undefined): string {
  const isSame = (value: unknown): boolean => JSON.stringify(value ?? null) === JSON.stringify((result && valueOf(result, name)) ?? null)
  if (result !== undefined && !isSame(own) && isSame(others)) return other.id
  return result === undefined && own === null ? other.id : contact.id
}

interface FieldRowProps {
  field: ComparedField
  names: readonly [string, string]
  ids: readonly [string, string]
  textOf: (value: unknown) => string
  choice: string
  onChoose: (field: string, contactId: string) => void
}

function FieldRow({ field, names, ids, textOf, choice, onChoose }: FieldRowProps) {
  const messages = useMessages(mergeMessages)
  const { none } = useMessages(sharedMessages)
  const notes = { same: messages.same, both: messages.both, choice: undefined }
  return (
    <tr>
      <th scope="row">
        {field.label}
        {notes[field.kind] !== undefined && <span className="merge-note">{notes[field.kind]}</span>}
      </th>
      {[field.own, field.other].map((value, index) => {
        const [id = '', name = ''] = [ids[index], names[index]]
        const text = textOf(value)
        return (
          <td key={id} className="wrap" data-of={name}>
            {field.kind === 'choice' ? (
              <Choice field={field.name} label={field.label} id={id} name={name} text={text} isChosen={choice === id} onChoose={onChoose} />
            ) : (
              text || none
            )}
          </td>
        )
      })}
    </tr>
  )
}

interface ChoiceProps {
  field: string
  label: string
  /** The contact that has the value. */
  id: string
  name: string
  text: string
  isChosen: boolean
  onChoose: (field: string, contactId: string) => void
}

/** Not drawn again when names of members and companies or the dry run arrive, unless they change it. */
const Choice = memo(function Choice({ field, label, id, name, text, isChosen, onChoose }: ChoiceProps) {
  const messages = useMessages(mergeMessages)
  const shown = text === '' ? messages.empty : text
  return (
    <Radio
      name={`merge ${field}`}
      value={id}
      checked={isChosen}
      onChange={() => onChoose(field, id)}
      label={shown}
      aria-label={`${label}: ${messages.keep(shown, name)}`}
    />
  )
})

function StrictRow({ label, names, values }: { label: string; names: readonly string[]; values: readonly string[] }) {
  const { stricter } = useMessages(mergeMessages)
  return (
    <tr>
      <th scope="row">
        {label}
        <span className="merge-note">{stricter}</span>
      </th>
      {values.map((value, index) => (
        <td key={names[index]} data-of={names[index]}>
          {value}
        </td>
      ))}
    </tr>
  )
}
