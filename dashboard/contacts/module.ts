import { IconUsers } from '@tabler/icons-react'
import { contactKey } from '../lib/contact.ts'
import { conversionsKey } from '../lib/custom-fields.ts'
import type { LiveEvent, Module } from '../lib/module.ts'
import {
  activitiesKey,
  consentKey,
  deletedKey,
  duplicatesKey,
  filteredKey,
  historyKey,
  importsKey,
  suggestionsKey,
  timelineKey,
} from './keys.ts'
import { hideContact, showContact } from './shown.ts'
import { contactsLabel } from './messages.ts'

export const contactsModule: Module = {
  links: [{ to: '/$organization/contacts', label: contactsLabel, icon: IconUsers, scope: 'contacts:read', key: 'c' }],
  find: async (...asked) => (await import('./find.ts')).findContacts(...asked),
  show(event, shown) {
    if (event.type === 'contact.deleted' || event.type === 'contact.erased') hideContact(shown, event.data.id)
    else if (event.type === 'contact.created' || event.type === 'contact.updated' || event.type === 'contact.restored')
      showContact(shown, event.data)
  },
  touchedBy,
}

function touchedBy(event: LiveEvent): readonly (readonly string[])[] {
  switch (event.type) {
    case 'contact.created':
    case 'contact.updated':
      return touchedByChange(event.data.id)
    // Pairs with a changed contact are found again later, and have no event.
    case 'contact.deleted':
    case 'contact.restored':
    case 'contact.erased':
    case 'contact.merged':
    case 'contact.unmerged':
      return [...touchedByChange(event.data.id), duplicatesKey]
    case 'activity.created':
    case 'activity.updated':
    case 'activity.deleted':
      return [timelineKey(event.data.contactId), contactKey(event.data.contactId), activitiesKey(event.data.contactId)]
    case 'import.completed':
    case 'import.failed':
      return [importsKey]
    case 'suggestion.created':
      return [timelineKey(event.data.contactId), suggestionsKey(event.data.contactId)]
    case 'proposal.created':
    case 'proposal.sent':
    case 'proposal.delivery_failed':
    case 'proposal.reminded':
    case 'proposal.viewed':
    case 'proposal.signed':
    case 'proposal.completed':
    case 'proposal.rejected':
    case 'proposal.expired':
    case 'proposal.voided':
    case 'proposal.superseded':
    case 'proposal.question_asked':
      return [timelineKey(event.data.contactId)]
    default:
      return []
  }
}

const touchedByChange = (id: string) => [
  filteredKey,
  deletedKey,
  contactKey(id),
  consentKey(id),
  timelineKey(id),
  historyKey(id),
  conversionsKey,
]
