import { contactFields, CreateContact, saveContactInput, saveContactOutput, type Contact, type ContactFields } from '@groundwork/api'
import { createContact, getContact, updateContact } from '../../contacts/contacts.ts'
import { listContacts } from '../../contacts/list.ts'
import { unionOfTags } from '../../contacts/union-of-tags.ts'
import { upsertContact } from '../../contacts/upsert.ts'
import { fieldIdOf } from '../../custom-fields/named.ts'
import { AppError } from '../../lib/errors.ts'
import { untrustedContentNotice } from '../../lib/untrusted-content.ts'
import { parsed, type IntegrationContext } from '../integration.ts'
import { lineOf, shortened } from './short-contact.ts'
import { tool } from './tool.ts'

export const saveContact = tool({
  name: 'save_contact',
  title: 'Save a contact',
  description:
    'Creates a contact, or changes an existing one. With contactId, changes this contact; otherwise the only contact with this phone ' +
    'number, email address or externalId, or creates one. A new contact needs one of phone number and email address, or both names. ' +
    'Fields that you leave out keep their values, and none can be cleared. Tags are added. Spell names back to the person before you ' +
    'save them.',
  scope: 'contacts:write',
  changes: 'replaces',
  input: saveContactInput,
  output: saveContactOutput,
  async run(ctx, { contactId, customFields, reference, ...given }) {
    const fields = parsed(contactFields, {
      ...given,
      ...(customFields !== undefined && { customFields: await valuesById(ctx, customFields) }),
      ...(reference !== undefined && { provenance: { how: 'heard', reference } }),
    })
    const known = contactId === undefined ? await contactsWith(ctx, fields) : [await getContact(ctx, contactId)]
    if (known.length > 1) {
      throw new AppError(
        'conflict',
        `Several contacts have this number, address or externalId: ${known.map(({ id }) => id).join(', ')}. Give a contactId.`,
      )
    }
    const [before] = known
    const { created, contact } =
      before === undefined ? await create(ctx, fields) : { created: false, contact: await change(ctx, before, fields) }
    const suggested = (contact.suggestions ?? []).map(({ field }) => field).join(', ')
    const note = suggested === '' ? '' : `\nSuggested to a person, because people typed or verified the present values: ${suggested}`
    return {
      data: { notice: untrustedContentNotice, created, contact },
      text: `${created ? 'Created' : 'Saved'}: ${lineOf(shortened(contact))}${note}`,
    }
  },
})

/** Returns up to 20 contacts with the phone number, the email address or the externalId. */
async function contactsWith(ctx: IntegrationContext, { phone, email, externalId }: ContactFields): Promise<Contact[]> {
  const found = new Map<string, Contact>()
  for (const filter of [phone && { phone }, email && { email }, externalId && { externalId }]) {
    if (!filter) continue
    for (const contact of (await listContacts(ctx, { ...filter, limit: 20 })).data) found.set(contact.id, contact)
  }
  return [...found.values()].slice(0, 20)
}

const change = (ctx: IntegrationContext, { id, tags }: Contact, fields: ContactFields): Promise<Contact> =>
  updateContact(ctx, id.slice(-36), {
    ...fields,
    ...(fields.tags != null && { tags: unionOfTags(tags, fields.tags) }),
  })

/** Creates a contact. Two calls at the same time with one number, address or externalId create one contact. */
async function create(ctx: IntegrationContext, fields: ContactFields): Promise<{ created: boolean; contact: Contact }> {
  const { phone, email, firstName, lastName, externalId } = fields
  if (phone == null && email == null && (firstName == null || lastName == null)) {
    throw new AppError('validation_error', 'A new contact needs a phone number, an email address, or both a first and a last name.')
  }
  const matchOn = phone != null ? 'phone' : email != null ? 'email' : externalId != null ? 'externalId' : undefined
  if (matchOn === undefined) return { created: true, contact: await createContact(ctx, parsed(CreateContact, fields)) }
  const { created, ...contact } = await upsertContact(ctx, { ...fields, matchOn })
  return { created, contact }
}

/** Returns the values of custom fields, given by name or id, by their ids. */
async function valuesById(ctx: IntegrationContext, given: readonly { field: string; value: unknown }[]): Promise<Record<string, unknown>> {
  const idOf = await fieldIdOf(ctx, 'contact')
  return Object.fromEntries(given.map(({ field, value }) => [idOf(field), value]))
}
