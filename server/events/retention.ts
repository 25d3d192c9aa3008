import { keepEventsOfContacts } from './kept-entries.ts'
import { retention } from '../retention.ts'

export const eventRetention = retention('forget-events', {
  log: 'events',
  deleteFunction: 'forget_old_events',
  beforeDeletion: keepEventsOfContacts,
})
