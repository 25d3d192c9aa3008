import type { Contact } from '@groundwork/api'
import { PreconditionFailedError } from '@groundwork/sdk'
import { describe, expect, test } from 'vitest'
import { ChangedMeanwhile, saveField } from './save-field.ts'
import { mergeTags } from './tags-field.ts'

const contact = (changes: Partial<Contact>): Contact => ({ email: 'a@example.com', phone: null, tags: ['a'], ...changes }) as Contact

/** A contact on the server that was changed after the caller read it. */
function serverContact(current: Contact) {
  const state = { current, written: [] as object[] }
  return {
    state,
    read: () => Promise.resolve(state.current),
    write: (version: Contact, change: object) => {
      if (version !== state.current)
        return Promise.reject(new PreconditionFailedError('', { code: 'precondition_failed', requestId: undefined }))
      state.written.push(change)
      state.current = { ...state.current, ...change }
      return Promise.resolve(state.current)
    },
  }
}

describe('saveField', () => {
  test('keeps changes that others made to other fields', async () => {
    const theirs = serverContact(contact({ phone: '+4930123456' }))
    const saved = await saveField(contact({}), 'email', { base: 'a@example.com', value: 'b@example.com' }, theirs)
    expect(saved).toMatchObject({ email: 'b@example.com', phone: '+4930123456' })
  })

  test('does not overwrite a change of the same field', async () => {
    const theirs = serverContact(contact({ email: 'theirs@example.com' }))
    const saving = saveField(contact({}), 'email', { base: 'a@example.com', value: 'b@example.com' }, theirs)
    await expect(saving).rejects.toThrow(ChangedMeanwhile)
    expect(theirs.state.written).toEqual([])
  })

  test('saves a custom field, and does not overwrite a change of it', async () => {
    const theirs = serverContact(contact({ customFields: { fld_1: 1, fld_2: 'theirs' } }))
    const known = contact({ customFields: { fld_1: 1 } })
    const saving = saveField(known, 'customFields.fld_2', { base: null, value: 'mine' }, theirs)
    await expect(saving).rejects.toThrow(ChangedMeanwhile)
    await saveField(known, 'customFields.fld_1', { base: 1, value: 2 }, theirs)
    expect(theirs.state.written).toEqual([{ customFields: { fld_1: 2 } }])
  })

  test('merges lists: keeps all additions and applies all removals', async () => {
    const theirs = serverContact(contact({ tags: ['b', 'theirs'] }))
    const saved = await saveField(contact({ tags: ['a', 'b'] }), 'tags', { base: ['a', 'b'], value: ['a', 'mine'] }, theirs, mergeTags)
    expect(saved.tags).toEqual(['theirs', 'mine'])
  })
})
