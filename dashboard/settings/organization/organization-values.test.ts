import type { Organization } from '@groundwork/api'
import { expect, test } from 'vitest'
import { changesOf, valuesOf } from './organization-values.ts'

const organization = {
  name: 'Acme',
  slug: 'acme',
  defaultCurrency: 'EUR',
  legalName: null,
  address: '1 Quay Road',
  taxId: null,
  country: 'DE',
  color: null,
  language: 'de',
  timeZone: 'Europe/Berlin',
  replyTo: null,
  reminderDays: [3, 7],
  defaultTerms: null,
  expiryDays: 30,
  logo: { sha256: 'a'.repeat(64), width: 10, height: 10 },
} as unknown as Organization
const start = valuesOf(organization)

test('sends no unchanged fields', () => {
  expect(changesOf(start, { ...valuesOf(organization), reminderDays: '3,7' })).toEqual({})
})

test('sends changed fields in the format of the API', () => {
  expect(changesOf(start, { ...start, address: ' ', taxId: 'DE1', reminderDays: '3, 9', expiryDays: '' })).toEqual({
    address: null,
    taxId: 'DE1',
    reminderDays: [3, 9],
    expiryDays: null,
  })
})

test('sends a logo that was replaced or removed', () => {
  const reference = { storageUrl: 'upload://1' }
  expect(changesOf(start, { ...start, logo: { label: 'new.png', reference } })).toEqual({ logo: reference })
  expect(changesOf(start, { ...start, logo: null })).toEqual({ logo: null })
  const without = { ...start, logo: null }
  expect(changesOf(without, { ...without, name: 'Acme Ltd' })).toEqual({ name: 'Acme Ltd' })
})
