import { findContactInput, findContactOutput } from '@groundwork/api'
import { searchContacts } from '../../contacts/search.ts'
import { untrustedContentNotice } from '../../lib/untrusted-content.ts'
import { lineOf, shortened } from './short-contact.ts'
import { tool } from './tool.ts'

const defaultLimit = 5

export const findContact = tool({
  name: 'find_contact',
  title: 'Find a contact',
  description:
    "Finds the organization's contacts by words of their name, email address or phone number. A contact must match every word; if no " +
    'contact does, words with typing errors match too. The best match comes first, with a score from 0 to 1 and reasons.',
  scope: 'contacts:read',
  input: findContactInput,
  output: findContactOutput,
  async run(ctx, { query, limit = defaultLimit }) {
    const { data } = await searchContacts(ctx, { q: query, limit, count: false })
    const contacts = data.map(({ contact, score, reasons }) => ({ ...shortened(contact), score, reasons }))
    const lines = contacts.map((each) => `${each.score}: ${lineOf(each)}`)
    return { data: { notice: untrustedContentNotice, contacts }, text: lines.length === 0 ? 'No contact was found.' : lines.join('\n') }
  },
})
