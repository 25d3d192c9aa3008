import type { Contact, CustomField } from '@groundwork/api'
import { etagOf, PreconditionFailedError } from '@groundwork/sdk'
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { ShownError } from '../lib/errors.ts'
import { contactQuery } from '../lib/contact.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { filteredKey, historyKey, timelineKey } from './keys.ts'
import { useFailureAfterLeaving } from './left-field.ts'
import { contactMessages } from './messages.ts'
import { showContact } from './shown.ts'

export type EditableField =
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'emails'
  | 'phone'
  | 'phones'
  | 'source'
  | 'externalId'
  | 'jobTitle'
  | 'tags'
  | 'address'
  | 'language'
  | 'timeZone'
  | 'ownerId'
  | 'companyId'

export type CustomValue = string | number | boolean | string[] | null

/** A field of contacts, or a custom field by its name in the API: `customFields.fld_…`. */
export type SavedField = EditableField | `customFields.${string}`
type ValueOf<K extends SavedField> = K extends EditableField ? Contact[K] : CustomValue

export interface Edit<K extends SavedField> {
  /** The value when the user opened the field. */
  base: ValueOf<K>
  value: ValueOf<K>
}

const customPrefix = 'customFields.'
const customId = (field: SavedField): string | undefined => (field.startsWith(customPrefix) ? field.slice(customPrefix.length) : undefined)

/** Returns the value of a field; null for a custom field without one. */
export function fieldValue<K extends SavedField>(contact: Contact, field: K): ValueOf<K> {
  const id = customId(field)
  return (id === undefined ? contact[field as EditableField] : (contact.customFields[id] ?? null)) as ValueOf<K>
}

function changeOf<K extends SavedField>(field: K, value: ValueOf<K>): object {
  const id = customId(field)
  return id === undefined ? { [field]: value } : { customFields: { [id]: value } }
}

/** Another user changed the same field after it was opened. */
export class ChangedMeanwhile extends ShownError {
  readonly theirs: Contact

  constructor(theirs: Contact) {
    super('Someone else changed this field. Reload the page to see the new value.')
    this.theirs = theirs
  }
}

interface ContactAccess {
  read: () => Promise<Contact>
  /** @throws PreconditionFailedError if the record has another version */
  write: (version: Contact, change: object) => Promise<Contact>
}

/** A record that still conflicts after this many attempts is being written by a program. */
const maxAttempts = 5

/**
 * Saves one field of a contact. Changes that others made to other fields are kept.
 * @param merge returns the value to save if another user changed the same field
 * @throws ChangedMeanwhile if another user changed the same field and there is no `merge`
 */
export async function saveField<K extends SavedField>(
  known: Contact,
  field: K,
  { base, value }: Edit<K>,
  { read, write }: ContactAccess,
  merge?: (theirs: ValueOf<K>, edit: Edit<K>) => ValueOf<K>,
): Promise<Contact> {
  let contact = known
  for (let attempt = 1; ; attempt++) {
    const theirs = fieldValue(contact, field)
    const untouched = JSON.stringify(theirs) === JSON.stringify(base)
    if (!untouched && merge === undefined) throw new ChangedMeanwhile(contact)
    const saved = untouched || merge === undefined ? value : merge(theirs, { base, value })
    try {
      return await write(contact, changeOf(field, saved))
    } catch (error) {
      if (!(error instanceof PreconditionFailedError) || attempt === maxAttempts) throw error
      contact = await read()
    }
  }
}

/** Saves a field of a contact. Edits of one contact run one after the other, each on the version that the previous one saved. */
export function useSaveField<K extends EditableField>(
  contact: Contact,
  field: K,
  merge?: (theirs: ValueOf<K>, edit: Edit<K>) => ValueOf<K>,
): UseMutationResult<Contact, Error, Edit<K>> {
  const { fields } = useMessages(contactMessages)
  return useSave(contact, field, fields[field], merge)
}

/** As `useSaveField`, for a custom field. */
export const useSaveCustomField = (contact: Contact, { id, name }: CustomField) => useSave(contact, `customFields.${id}`, name)

function useSave<K extends SavedField>(
  contact: Contact,
  field: K,
  label: string,
  merge?: (theirs: ValueOf<K>, edit: Edit<K>) => ValueOf<K>,
): UseMutationResult<Contact, Error, Edit<K>> {
  const workspace = useWorkspace()
  const { client, organization } = workspace
  const queries = useQueryClient()
  const query = contactQuery(workspace, contact.id)
  const onError = useFailureAfterLeaving(contact, label)
  return useMutation({
    onError,
    scope: { id: contact.id },
    mutationFn: (edit) =>
      saveField(
        queries.getQueryData(query.queryKey) ?? contact,
        field,
        edit,
        {
          read: () => queries.fetchQuery({ ...query, staleTime: 0 }),
          write: (version, change) => client.contacts.update(contact.id, change, { headers: { 'If-Match': etagOf(version) } }),
        },
        merge,
      ),
    onSuccess: async (saved) => {
      await queries.cancelQueries({ queryKey: query.queryKey })
      queries.setQueryData(query.queryKey, saved)
      showContact({ queries, organizationId: organization.id }, saved)
      for (const key of [filteredKey, timelineKey(contact.id), historyKey(contact.id)])
        void queries.invalidateQueries({ queryKey: [organization.id, ...key] })
    },
  })
}
