import { ConflictError, ValidationError } from '@groundwork/sdk'
import { expect, test } from 'vitest'
import { fieldErrors } from './field-errors.ts'

const issue = (field: string, predicate: string) => ({ field, code: 'invalid', message: `${field} ${predicate}` })

test('each field has a message of the dashboard that says what to enter', () => {
  const issues = [
    issue('name', 'must not be empty'),
    issue('message', 'must have at most 5000 characters'),
    issue('ragSettings.chunkSize', 'must be at least 50'),
    issue('scopes', 'must have at least 1 item'),
    issue('items.2.quantity', 'must be of another form'),
    issue('unheardOf', 'is wrong in a new way'),
  ]
  expect(fieldErrors(new ValidationError('name must not be empty', { code: 'validation_error', field: 'name', issues }))).toEqual({
    name: 'This field is required.',
    message: 'Use no more than 5,000 characters.',
    'ragSettings.chunkSize': 'Enter 50 or more.',
    scopes: 'Choose at least one option.',
    'items.2.quantity': 'Enter a quantity, such as 1 or 2.5.',
    unheardOf: 'This value is not valid. Correct it and try again.',
  })
})

test('a conflict about a field says that the value is in use', () => {
  const error = new ConflictError('slug is used by another organization', { code: 'conflict', field: 'slug' })
  expect(fieldErrors(error)).toEqual({ slug: 'Another organization already uses this name in its URLs. Enter a different one.' })
})
