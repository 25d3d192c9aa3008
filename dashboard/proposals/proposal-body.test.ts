import type { Organization, Proposal } from '@groundwork/api'
import { afterEach, expect, test, vi } from 'vitest'
import { bodyOf, newValues, previewBodyOf, valuesOf } from './proposal-body.ts'

const timeZone = 'Pacific/Auckland'
const draft = (expiresAt: string | null) =>
  ({
    title: 'Website',
    contactId: 'con_1',
    items: [],
    pricesIncludeTax: false,
    discount: null,
    discountPercent: null,
    totalAmount: '5.00',
    currency: 'EUR',
    expiresAt,
    message: null,
    sections: [],
    recipients: [],
    signingOrder: 'parallel',
    counterSignature: null,
  }) as unknown as Proposal

afterEach(() => void vi.useRealTimers())

test('a proposal expires at the end of the day in the time zone of the organization', () => {
  const values = { ...valuesOf(draft(null), timeZone), expiresAt: '2026-05-25' }
  expect(bodyOf(values, { timeZone }).expiresAt).toBe('2026-05-25T11:59:59.999Z')
  expect(previewBodyOf(values, 'EUR', { timeZone }).expiresAt).toBe('2026-05-25T11:59:59.999Z')
})

test('an expiry at another time of the day is kept until another day is chosen', () => {
  const before = '2026-05-25T13:00:00.000Z'
  const values = valuesOf(draft(before), timeZone)
  expect(values.expiresAt).toBe('2026-05-26')
  expect(bodyOf({ ...values, title: 'Web shop' }, { timeZone, before }).expiresAt).toBe(before)
  expect(bodyOf({ ...values, expiresAt: '2026-05-27' }, { timeZone, before }).expiresAt).toBe('2026-05-27T11:59:59.999Z')
  expect(bodyOf({ ...values, expiresAt: '' }, { timeZone, before }).expiresAt).toBeNull()
})

test('the default expiry is counted from the day in the time zone of the organization', () => {
  vi.useFakeTimers({ now: new Date('2026-05-25T13:00:00Z') })
  expect(newValues({ defaultTerms: null, expiryDays: 30, timeZone } as Organization).expiresAt).toBe('2026-06-25')
})
