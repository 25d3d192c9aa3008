import { idOutput, text, wholeNumber } from '@groundwork/api'
import { z } from 'zod'
import { listContacts } from '../../contacts/list.ts'
import { untrustedContentNotice } from '../../lib/untrusted-content.ts'
import { tool } from './tool.ts'

export const findContact = tool({
  name: 'find_contact',
  title: 'Find a contact',
  description:
    "Finds the organization's contacts by words of their name, email address or phone number. " +
    'A contact must match every word; if no contact does, words with typing errors match too. The best match comes first.',
  scope: 'contacts:read',
  input: z.strictObject({
    query: text(1, 200).meta({ description: 'Words of a name, an email address or a phone number' }),
    limit: wholeNumber(1, 20).default(5).meta({ description: 'Maximum number of contacts, best match first' }),
  }),
  output: z.object({
    notice: z.string(),
    contacts: z.array(
      z.object({
        contactId: idOutput('ctc'),
        firstName: z.string().nullable(),
        lastName: z.string().nullable(),
        email: z.string().nullable(),
        phone: z.string().nullable(),
        tags: z.array(z.string()),
      }),
    ),
  }),
  async run(ctx, { query, limit }) {
    const { data } = await listContacts(ctx, { q: query, limit })
    const contacts = data.map(({ id, firstName, lastName, email, phone, tags }) => ({
      contactId: id,
      firstName,
      lastName,
      email,
      phone,
      tags,
    }))
    const lines = contacts.map(({ contactId, firstName, lastName, email, phone, tags }) =>
      [contactId, [firstName, lastName].filter((name) => name !== null).join(' '), email ?? '', phone ?? '', tags.join(' ')]
        .filter((part) => part !== '')
        .join(', '),
    )
    return { data: { notice: untrustedContentNotice, contacts }, text: lines.length === 0 ? 'No contact was found.' : lines.join('\n') }
  },
})
