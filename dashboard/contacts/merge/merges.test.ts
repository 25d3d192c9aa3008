import type { Contact, TimelineEntry } from '@groundwork/api'
import { expect, test } from 'vitest'
import { undoableMerges } from './merges.ts'

const entry = (type: string, createdAt: string, data: object): TimelineEntry => ({ type, createdAt, data }) as unknown as TimelineEntry
const named = (id: string, firstName: string) => ({ id, firstName, lastName: null, email: null, phone: null })

test('lists direct merges of the last 30 days; name and time are null if the timeline lacks them', () => {
  const contact = { id: 'a', mergedIds: ['b', 'c', 'd', 'e'] } as unknown as Contact
  // `mergedIds` lists every contact merged so far, so the oldest entry that has an id is its merge.
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
