import { expect, test } from 'vitest'
import { isLastOwner, rolesGivenBy } from './roles.ts'

test('only owners can assign the owner role', () => {
  expect(rolesGivenBy('owner')).toContain('owner')
  expect(rolesGivenBy('admin')).toEqual(['admin', 'member', 'viewer'])
})

test('isLastOwner is true for the only owner, and false for one of two', () => {
  const [ada, grace] = [{ id: 'usr_1', role: 'owner' } as const, { id: 'usr_2', role: 'admin' } as const]
  expect(isLastOwner(ada, [ada, grace])).toBe(true)
  expect(isLastOwner(grace, [ada, grace])).toBe(false)
  expect(isLastOwner(ada, [ada, { ...grace, role: 'owner' }])).toBe(false)
})
