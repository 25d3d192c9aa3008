import { expect, test } from 'vitest'
import { nextAddress } from './addresses.ts'

test.each([
  ['/app/acme/contacts?tag=a#b', '/app/acme/contacts?tag=a#b'],
  [undefined, '/app/'],
  ['https://elsewhere.example/app/', '/app/'],
  ['//elsewhere.example/app/', '/app/'],
  ['/app//elsewhere.example', '/app/'],
  ['/app/\\elsewhere.example', '/app/'],
  ['javascript:alert(1)', '/app/'],
  ['/v1/me', '/app/'],
])('the next URL for %s is %s', (next, address) => expect(nextAddress(next)).toBe(address))
