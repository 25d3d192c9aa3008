import { errorDescription } from '@groundwork/api'
import { ConflictError, GroundworkError } from '@groundwork/sdk'
import { expect, test } from 'vitest'
import { messageOf, requestIdOf, ShownError, worded } from './errors.ts'

test('messages of the API and of libraries are never shown', () => {
  for (const code of [...Object.keys(errorDescription), 'unknown'])
    expect(messageOf(new GroundworkError('SMTP_URL is not set', { code }))).not.toContain('SMTP_URL')
  expect(messageOf(new TypeError('x is undefined'))).toBe('The action could not be completed. Reload the page and try again.')
  expect(messageOf(new ShownError('Choose one file.'))).toBe('Choose one file.')
})

test('an action words the refusals that it knows, and keeps the request id', () => {
  const error = new ConflictError('no', { code: 'conflict', requestId: 'req_1' })
  const shown = worded(error, { conflict: 'Enable it first.' })
  expect([messageOf(shown), requestIdOf(shown)]).toEqual(['Enable it first.', 'req_1'])
  expect(worded(error, { forbidden: 'Ask an owner.' })).toBe(error)
})

test('a refusal about a field has its own message', () => {
  const error = new ConflictError('no', { code: 'conflict', field: 'expiresAt' })
  const refusals = { conflict: 'Reload the page.', 'conflict.expiresAt': 'Choose a later date.' }
  expect(messageOf(worded(error, refusals))).toBe('Choose a later date.')
  expect(messageOf(worded(new ConflictError('no', { code: 'conflict', field: 'status' }), refusals))).toBe('Reload the page.')
})
