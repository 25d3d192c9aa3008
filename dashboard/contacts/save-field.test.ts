import type { Contact } from '@groundwork/api'
import { PreconditionFailedError } from '@groundwork/sdk'
import { describe, expect, test } from 'vitest'
import { ChangedMeanwhile, saveField } from './save-field.ts'
import { mergeTags } from './tags-field.ts'

const contact = (changes: Partial<Contact>): Contact => ({ email: 'a@example.com', phone: null, tags: ['a'], ...changes }) as Contact

/** A record that somebody else has changed since it was read. */
function record(now: Contact) {
  const state = { now, written: [] as object[] }
  return {
    state,
    read: () => Promise.resolve(state.now),
    write: (version: Contact, change: object) => {
      if (version !== state.now)
        return Promise.reject(new PreconditionFailedError('', { code: 'precondition_failed', requestId: undefined }))
      state.written.push(change)
      state.now = { ...state.now, ...change }
      return Promise.resolve(state.now)
    },
  }
}

describe('a field', () => {
  test('is saved beside what others changed elsewhere', async () => {
    const theirs = record(contact({ phone: '+4930123456' }))
    const saved = await saveField(contact({}), 'email', { base: 'a@example.com', value: 'b@example.com' }, theirs)
    expect(saved).toMatchObject({ email: 'b@example.com', phone: '+4930123456' })
  })

  test('does not overwrite what others put into it', async () => {
    const theirs = record(contact({ email: 'theirs@example.com' }))
    const saving = saveField(contact({}), 'email', { base: 'a@example.com', value: 'b@example.com' }, theirs)
    await expect(saving).rejects.toThrow(ChangedMeanwhile)
    expect(theirs.state.written).toEqual([])
  })

  test('that is a list keeps what everybody added, and loses what anybody removed', async () => {
    const theirs = record(contact({ tags: ['b', 'theirs'] }))
    const saved = await saveField(contact({ tags: ['a', 'b'] }), 'tags', { base: ['a', 'b'], value: ['a', 'mine'] }, theirs, mergeTags)
    expect(saved.tags).toEqual(['theirs', 'mine'])
  })
})
