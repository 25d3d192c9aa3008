import { expect, it } from 'vitest'
import { decodeBytes } from './decode-bytes.ts'

it('decodes the quotation marks of Windows-1252', () => {
  const bytes = Uint8Array.of(0x80, 0x20, 0x93, 0x92, 0x94, 0x9c)
  for (const encoding of ['windows-1252', 'latin1', 'iso-8859-1']) expect(decodeBytes(bytes, encoding)).toBe('€ “’”œ')
})

it('throws for unknown encodings, and for unfinished characters if they are fatal', () => {
  expect(() => decodeBytes(Uint8Array.of(0x41), 'utf-9')).toThrow(RangeError)
  expect(() => decodeBytes(Uint8Array.of(0x41, 0xc3), 'utf-8', { fatal: true })).toThrow(TypeError)
  expect(decodeBytes(Uint8Array.of(0x41, 0xc3), 'utf-8')).toBe('A\ufffd')
})
