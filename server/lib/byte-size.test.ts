import { expect, it } from 'vitest'
import { formatByteSize, parseByteSize } from './byte-size.ts'

it.each([
  ['10GB', 10e9],
  ['1.5 TB', 1.5e12],
  ['250mb', 250e6],
  ['3kB', 3000],
  ['12 b', 12],
  ['0', 0],
  ['123456', 123_456],
])('reads %s', (text, bytes) => expect(parseByteSize(text)).toBe(bytes))

it.each(['', 'GB', '-1', '10 GiB', '1e3', '9999999999999TB', '1.2345GB'])('refuses %j', (text) =>
  expect(() => parseByteSize(text)).toThrow('such as 10GB'),
)

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1500, '1.5 kB'],
  [10e9, '10 GB'],
  [1_249_999, '1.2 MB'],
  [2.5e15, '2500 TB'],
])('writes %d', (bytes, text) => expect(formatByteSize(bytes)).toBe(text))
