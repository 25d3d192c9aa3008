import { expect, test } from 'vitest'
import { firstCall } from './first-call.ts'
import { groupsOf, presetOf, scopesOf } from './scope-presets.ts'
import { stateOf } from './token-state.ts'

const granted = ['contacts:read', 'contacts:write', 'bases:read', 'search:read', 'tokens:write'] as const

test('a preset contains only scopes that its creator has', () => {
  expect(scopesOf('import', granted)).toEqual(['bases:read'])
  expect(scopesOf('reading', granted)).toEqual(['contacts:read', 'bases:read', 'search:read'])
  expect(scopesOf('everything', granted)).toEqual(granted)
})

test('recognizes a preset in any order; other selections are custom', () => {
  expect(presetOf(['search:read'], granted)).toBe('voice')
  expect(presetOf(['contacts:read', 'search:read', 'bases:read'], granted)).toBe('assistant')
  expect(presetOf(['tokens:write'], granted)).toBe('own')
  expect(presetOf([], granted)).toBe('own')
})

test('groups scopes by resource', () => {
  expect(groupsOf(granted)).toEqual([
    { resource: 'contacts', read: 'contacts:read', write: 'contacts:write' },
    { resource: 'bases', read: 'bases:read' },
    { resource: 'search', read: 'search:read' },
    { resource: 'tokens', write: 'tokens:write' },
  ])
})

test('derives the status of a token from its dates', () => {
  const now = Date.parse('2026-05-25T00:00:00Z')
  expect(stateOf({ revokedAt: null, expiresAt: null }, now)).toBe('active')
  expect(stateOf({ revokedAt: null, expiresAt: '2026-07-01T00:00:00Z' }, now)).toBe('active')
  expect(stateOf({ revokedAt: null, expiresAt: '2026-05-26T00:00:00Z' }, now)).toBe('expiring')
  expect(stateOf({ revokedAt: null, expiresAt: '2026-05-24T00:00:00Z' }, now)).toBe('expired')
  expect(stateOf({ revokedAt: '2026-05-24T00:00:00Z', expiresAt: null }, now)).toBe('revoked')
})

test('the first call uses a permission of the token', () => {
  const at = { origin: 'https://groundwork.example.com', token: 'gw_secret' }
  expect(firstCall({ ...at, scopes: ['search:read'], baseIds: ['kb_1'] })).toContain('/v1/bases/kb_1/search')
  expect(firstCall({ ...at, scopes: ['contacts:read', 'contacts:write'], baseIds: null })).toContain('/v1/contacts?limit=3')
  expect(firstCall({ ...at, scopes: ['sources:write'], baseIds: null })).toBeUndefined()
})
