import { expect, test } from 'vitest'
import { addressBody, completeUrl, emptyAddress } from './address-body.ts'

test.each([
  ['example.com', 'https://example.com'],
  [' example.com/manual ', 'https://example.com/manual'],
  ['http://example.com', 'http://example.com'],
  ['HTTPS://example.com', 'HTTPS://example.com'],
  ['localhost:3000/a', 'https://localhost:3000/a'],
  ['', ''],
])('the URL “%s” becomes “%s”', (typed, url) => expect(completeUrl(typed)).toBe(url))

test('a source without a name is named by its URL without protocol', () =>
  expect(addressBody({ ...emptyAddress, url: 'www.example.com/manual/' })).toMatchObject({
    name: 'example.com/manual',
    url: 'https://www.example.com/manual/',
  }))
