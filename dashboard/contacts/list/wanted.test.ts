import { expect, test } from 'vitest'
import { addressValues } from '../address-inputs.tsx'
import { changeOf, nothingWanted, type Wanted } from './wanted.ts'

const set = (wanted: Partial<Wanted>) => changeOf('set', { ...nothingWanted('set'), ...wanted })

test('sets a field, a custom field and an address, and clears a field', () => {
  expect(set({ field: 'jobTitle', value: ' Buyer ' })).toEqual({ set: { jobTitle: 'Buyer' } })
  expect(set({ field: 'customFields.fld_1', value: 0 })).toEqual({ set: { customFields: { fld_1: 0 } } })
  expect(set({ field: 'doNotContact', value: false })).toEqual({ set: { doNotContact: false } })
  expect(set({ field: 'address', value: { ...addressValues(null), city: 'London' } })).toMatchObject({
    set: { address: { city: 'London' } },
  })
  expect(set({ field: 'companyId', value: 'co_1', clears: true })).toEqual({ set: { companyId: null } })
})

test('is not complete without a field, a value, a part of the address or a tag', () => {
  expect(set({ value: 'Buyer' })).toBeNull()
  expect(set({ field: 'jobTitle', value: '  ' })).toBeNull()
  expect(set({ field: 'address', value: addressValues(null) })).toBeNull()
  expect(changeOf('assign', nothingWanted('assign'))).toBeNull()
  expect(changeOf('addTags', nothingWanted('addTags'))).toBeNull()
})

test('records a consent without empty texts, with its time if one is entered', () => {
  const consent = { channel: 'sms', state: 'denied', at: '', source: 'call', wording: ' ' } as const
  const recorded = { channel: 'sms', state: 'denied', source: 'call' }
  expect(changeOf('consent', { ...nothingWanted('consent'), consent })).toEqual({ recordConsent: recorded })
  const ofTime = (at: string) => changeOf('consent', { ...nothingWanted('consent'), consent: { ...consent, at } })
  expect(ofTime('2025-05-06T07:08')).toEqual({ recordConsent: { ...recorded, at: new Date('2025-05-06T07:08').toISOString() } })
  expect(ofTime('202505-05-06T07:08')).toEqual({ recordConsent: { ...recorded, at: '202505-05-06T07:08' } })
})
