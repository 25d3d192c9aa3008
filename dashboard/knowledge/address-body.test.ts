import { expect, test } from 'vitest'
import { addressBody, completeUrl, emptyAddress, sourceName } from './address-body.ts'

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

test('a page that was added without a name is called by its title', () => {
  const page = { name: 'example.com/manual', url: 'https://www.example.com/manual/', title: 'The manual' }
  expect(sourceName(page)).toBe('The manual')
  expect(sourceName({ ...page, title: null })).toBe('example.com/manual')
  expect(sourceName({ ...page, name: 'Handbook' })).toBe('Handbook')
  expect(sourceName({ name: page.name, title: page.title })).toBe('example.com/manual')
})
