import { expect, it } from 'vitest'
import { prefersPlainText } from './accept.ts'

it.each([
  ['', false],
  ['*/*', false],
  ['text/*', false],
  ['text/plain', true],
  ['Text/Plain; charset=utf-8', true],
  ['text/plain, */*', true],
  ['text/plain;q=0.5, */*;q=0.1', true],
  ['application/json, text/plain, */*', false],
  ['application/json;q=0.5, text/plain', true],
  ['text/plain;q=0', false],
  ['text/plain;q=x', false],
])('%j prefers plain text: %s', (header, wanted) => expect(prefersPlainText(header)).toBe(wanted))
