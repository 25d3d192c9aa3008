import type { Contact, ContactSort, CustomField } from '@groundwork/api'
import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { actorChoicesQuery } from '../../lib/choices.ts'
import { companyQuery } from '../../lib/company.ts'
import { nameOfCode } from '../../lib/code-names.ts'
import { customFieldsQuery, customText } from '../../lib/custom-fields.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import type { Column } from '../../shell/data-table.tsx'
import { ContactRowLink } from '../../shell/contact-row-link.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { contactMessages } from '../messages.ts'
import { addressLines } from '../value-text.ts'
import { listMessages } from './messages.ts'
import type { ListState } from './search.ts'
import { defaultSort } from './state.ts'

/** A column that can be chosen. */
export interface ChoosableColumn {
  key: string
  header: string
  /** Returns what the cell shows; null without a value. */
  value: (contact: Contact) => ReactNode
}

/** Returns all columns by their names in the API. Columns of archived fields are not among them. */
export function useAllColumns(): readonly ChoosableColumn[] {
  const workspace = useWorkspace()
  const { yes, no } = useMessages(contactMessages)
  const { columns } = useMessages(listMessages)
  const { data: fields = [] } = useQuery(customFieldsQuery(workspace, 'contact'))
  const { data: actors } = useQuery(actorChoicesQuery(workspace))
  const memberName = (id: string): string => actors?.members.find((member) => member.id === id)?.name ?? ''
  const values: Record<keyof typeof columns, (contact: Contact) => ReactNode> = {
    name: (contact) => <ContactRowLink contact={contact} className="cut cell" />,
    firstName: ({ firstName }) => text(firstName),
    lastName: ({ lastName }) => text(lastName),
    email: ({ email }) => text(email),
    phone: ({ phone }) => phone !== null && <span className="one-line">{phone}</span>,
    companyId: ({ companyId }) => companyId !== null && <CompanyName id={companyId} />,
    jobTitle: ({ jobTitle }) => text(jobTitle),
    tags: ({ tags }) => tags.length > 0 && <Tags tags={tags} />,
    ownerId: ({ ownerId }) => ownerId !== null && text(memberName(ownerId)),
    source: ({ source }) => text(source),
    language: ({ language }) => language !== null && text(nameOfCode('language', language)),
    timeZone: ({ timeZone }) => text(timeZone?.replaceAll('_', ' ') ?? null),
    address: ({ address }) => address !== null && text(addressLines(address).join(', ')),
    externalId: ({ externalId }) => text(externalId),
    doNotContact: ({ doNotContact }) => doNotContact && yes,
    lastInteractionAt: ({ lastInteractionAt }) => lastInteractionAt !== null && <Time at={lastInteractionAt} />,
    createdAt: ({ createdAt }) => <Time at={createdAt} />,
    updatedAt: ({ updatedAt }) => <Time at={updatedAt} />,
  }
  const names = Object.keys(columns) as (keyof typeof columns)[]
  return [
    ...names.map((key) => ({ key, header: columns[key], value: values[key] })),
    ...fields.map((field) => ({
      key: `customFields.${field.id}`,
      header: field.name,
      value: ({ customFields }: Contact) => customValue(customFields[field.id], field, { yes, no }),
    })),
  ]
}

/** The orders by column: the one of the first click, and its reverse. */
const sortsOf: Readonly<Record<string, readonly [ContactSort, ContactSort]>> = {
  name: ['name', '-name'],
  createdAt: ['-createdAt', 'createdAt'],
  updatedAt: ['-updatedAt', 'updatedAt'],
  lastInteractionAt: ['-lastInteractionAt', 'lastInteractionAt'],
}

/** Returns the chosen columns of the table. The name comes first, because it identifies the row. */
export function tableColumns(
  chosen: readonly ChoosableColumn[],
  { q, sort = defaultSort }: ListState,
  none: string,
  onSort: (sort: ContactSort) => void,
): Column<Contact>[] {
  return chosen.map(({ key, header, value }) => {
    const [first, reverse] = sortsOf[key] ?? []
    const order = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined
    return {
      key,
      header,
      cell: (contact) => value(contact) || <span aria-hidden>{none}</span>,
      ...(first !== undefined &&
        reverse !== undefined &&
        q === undefined && { sort: { order, onSort: () => onSort(sort === first ? reverse : first) } }),
    }
  })
}

/** Returns the columns in this order, the name first. Names that are no columns any more are left out. */
export function chosenColumns(all: readonly ChoosableColumn[], names: readonly string[]): ChoosableColumn[] {
  const ordered = names.includes('name') ? names : ['name', ...names]
  return ordered.flatMap((name) => all.find(({ key }) => key === name) ?? [])
}

const text = (value: string | null): ReactNode =>
  value !== null &&
  value !== '' && (
    <span className="cut cell" dir="auto" title={value}>
      {value}
    </span>
  )

function customValue(value: unknown, field: CustomField, words: { yes: string; no: string }): ReactNode {
  if (value === undefined || value === null) return null
  const shown = customText(value, field, words)
  return field.type === 'number' || field.type === 'date' ? <span className="one-line">{shown}</span> : text(shown)
}

function Time({ at }: { at: string }) {
  return (
    <span className="one-line">
      <RelativeTime at={at} />
    </span>
  )
}

function CompanyName({ id }: { id: string }) {
  const { data } = useQuery(companyQuery(useWorkspace(), id))
  return text(data?.name ?? null)
}

const maxTags = 2

function Tags({ tags }: { tags: readonly string[] }) {
  const messages = useMessages(contactMessages)
  return (
    <span className="tags">
      {tags.slice(0, maxTags).map((tag) => (
        <span key={tag} className="tag" title={tag}>
          {tag}
        </span>
      ))}
      {tags.length > maxTags && <small title={tags.slice(maxTags).join(', ')}>{messages.moreTags(String(tags.length - maxTags))}</small>}
    </span>
  )
}

/** The number of values below the name on a phone. */
const maxCardValues = 3

/** A contact on a phone: the name, and the first chosen columns that have a value. */
export function ContactCard({ contact, columns }: { contact: Contact; columns: readonly ChoosableColumn[] }) {
  const [name, ...others] = columns
  const shown = others.flatMap(({ key, header, value }) => {
    const content = value(contact)
    return content ? [{ key, header, content }] : []
  })
  return (
    <>
      {name?.value(contact)}
      <dl className="card-values">
        {shown.slice(0, maxCardValues).map(({ key, header, content }) => (
          <div key={key}>
            <VisuallyHidden component="dt">{header}</VisuallyHidden>
            <dd>{content}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
