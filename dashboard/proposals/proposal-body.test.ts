import type { Organization } from '@groundwork/api'
import { expect, test } from 'vitest'
import { bodyOf, dayHere, newValues } from './proposal-body.ts'

const values = newValues({ defaultTerms: null, expiryDays: null } as Organization)

test('an expiry stays as it is on the same day, and otherwise becomes the end of the chosen day', () => {
  const stored = '2026-12-20T10:00:00.000Z'
  const day = dayHere(new Date(stored))
  expect(bodyOf({ ...values, expiresAt: day }, stored).expiresAt).toBe(stored)
  const end = new Date(bodyOf({ ...values, expiresAt: day }).expiresAt ?? '')
  expect([dayHere(end), dayHere(new Date(end.getTime() + 1)) === day]).toEqual([day, false])
  expect(bodyOf({ ...values, expiresAt: '' }, stored).expiresAt).toBeNull()
})
