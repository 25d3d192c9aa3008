import { expect, test } from 'vitest'
import { firstCall } from './first-call.ts'
import { groupsOf, presetOf, scopesOf } from './scope-presets.ts'
import { stateOf } from './token-state.ts'

const granted = ['contacts:read', 'contacts:write', 'bases:read', 'search:read', 'tokens:write'] as const

test('a preset grants no more than its maker has', () => {
  expect(scopesOf('import', granted)).toEqual(['bases:read'])
  expect(scopesOf('reading', granted)).toEqual(['contacts:read', 'bases:read', 'search:read'])
  expect(scopesOf('everything', granted)).toEqual(granted)
})

test('what is chosen is known as a preset whatever its order; anything else is a choice of one’s own', () => {
  expect(presetOf(['search:read'], granted)).toBe('voice')
  expect(presetOf(['contacts:read', 'search:read', 'bases:read'], granted)).toBe('assistant')
  expect(presetOf(['tokens:write'], granted)).toBe('own')
  expect(presetOf([], granted)).toBe('own')
})

test('scopes are grouped by what they are of', () => {
  expect(groupsOf(granted)).toEqual([
    { resource: 'contacts', read: 'contacts:read', write: 'contacts:write' },
    { resource: 'bases', read: 'bases:read' },
    { resource: 'search', read: 'search:read' },
    { resource: 'tokens', write: 'tokens:write' },
  ])
})

test('a token is told by how it stands', () => {
  const now = Date.parse('2026-05-25T00:00:00Z')
  expect(stateOf({ revokedAt: null, expiresAt: null }, now)).toBe('active')
  expect(stateOf({ revokedAt: null, expiresAt: '2026-07-01T00:00:00Z' }, now)).toBe('active')
  expect(stateOf({ revokedAt: null, expiresAt: '2026-05-26T00:00:00Z' }, now)).toBe('expiring')
  expect(stateOf({ revokedAt: null, expiresAt: '2026-05-24T00:00:00Z' }, now)).toBe('expired')
  expect(stateOf({ revokedAt: '2026-05-24T00:00:00Z', expiresAt: null }, now)).toBe('revoked')
})

test('the first call is one that the token may make', () => {
  const at = { origin: 'https://groundwork.example.com', token: 'gw_secret' }
  expect(firstCall({ ...at, scopes: ['search:read'], baseIds: ['kb_1'] })).toContain('/v1/bases/kb_1/search')
  expect(firstCall({ ...at, scopes: ['contacts:read', 'contacts:write'], baseIds: null })).toContain('/v1/contacts?limit=3')
  expect(firstCall({ ...at, scopes: ['sources:write'], baseIds: null })).toBeUndefined()
})
