import type { Contact, TimelineEntry } from '@groundwork/api'
import { expect, test } from 'vitest'
import { undoableMerges } from './merges.ts'

const entry = (type: string, createdAt: string, data: object): TimelineEntry => ({ type, createdAt, data }) as unknown as TimelineEntry
const named = (id: string, firstName: string) => ({ id, firstName, lastName: null, email: null, phone: null })

test('merges that can be undone have a name and a time; indirect and old ones are left out', () => {
  const contact = { id: 'a', mergedIds: ['b', 'c', 'd', 'e'] } as unknown as Contact
  const entries = [
    entry('contact.merged', '2026-05-25T00:00:00.000Z', { ...named('a', 'Ada'), mergedIds: ['d', 'b', 'c'] }),
    entry('contact.merged', '2026-05-24T00:00:00.000Z', { ...named('b', 'Bob'), mergedIds: ['c'] }),
    entry('contact.created', '2026-05-23T00:00:00.000Z', named('c', 'Cem')),
    entry('contact.merged', '2026-01-01T00:00:00.000Z', { ...named('a', 'Ada'), mergedIds: ['d'] }),
  ]
  expect(undoableMerges(contact, entries, Date.parse('2026-05-26T00:00:00.000Z'))).toEqual([
    { id: 'b', name: 'Bob', mergedAt: '2026-05-25T00:00:00.000Z' },
    { id: 'e', name: null, mergedAt: null },
  ])
})
