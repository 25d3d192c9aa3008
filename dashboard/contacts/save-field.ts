import type { Contact } from '@groundwork/api'
import { etagOf, PreconditionFailedError } from '@groundwork/sdk'
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { contactQuery } from '../lib/contact.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { filteredKey, timelineKey } from './queries.ts'
import { showContact } from './shown.ts'

export type EditableField = 'firstName' | 'lastName' | 'email' | 'phone' | 'source' | 'externalId' | 'tags'

export interface Edit<K extends EditableField> {
  /** What the field was when it was opened. */
  base: Contact[K]
  value: Contact[K]
}

/** Somebody else changed the same field since it was opened. */
export class ChangedMeanwhile extends Error {
  readonly theirs: Contact

  constructor(theirs: Contact) {
    super('the field was changed meanwhile')
    this.theirs = theirs
  }
}

interface Saving {
  read: () => Promise<Contact>
  /** @throws PreconditionFailedError when the record is not that version any more */
  write: (version: Contact, change: object) => Promise<Contact>
}

/** Records that change faster than this are being written to by a machine. */
const attempts = 5

/**
 * Saves one field of the version that is known. Where others changed other fields, theirs stay and this one is saved with them.
 * @param merge what to save where others changed the same field; without it they are told
 * @throws ChangedMeanwhile
 */
export async function saveField<K extends EditableField>(
  known: Contact,
  field: K,
  { base, value }: Edit<K>,
  { read, write }: Saving,
  merge?: (theirs: Contact[K], edit: Edit<K>) => Contact[K],
): Promise<Contact> {
  let contact = known
  for (let attempt = 1; ; attempt++) {
    const untouched = JSON.stringify(contact[field]) === JSON.stringify(base)
    if (!untouched && merge === undefined) throw new ChangedMeanwhile(contact)
    const saved = untouched || merge === undefined ? value : merge(contact[field], { base, value })
    try {
      return await write(contact, { [field]: saved })
    } catch (error) {
      if (!(error instanceof PreconditionFailedError) || attempt === attempts) throw error
      contact = await read()
    }
  }
}

/** Saves a field of a contact; edits of one contact go one after the other, each upon the version before it. */
export function useSaveField<K extends EditableField>(
  contact: Contact,
  field: K,
  merge?: (theirs: Contact[K], edit: Edit<K>) => Contact[K],
): UseMutationResult<Contact, Error, Edit<K>> {
  const workspace = useWorkspace()
  const { client, organization } = workspace
  const queries = useQueryClient()
  const query = contactQuery(workspace, contact.id)
  return useMutation({
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
      for (const key of [filteredKey, timelineKey(contact.id)]) void queries.invalidateQueries({ queryKey: [organization.id, ...key] })
    },
  })
}
