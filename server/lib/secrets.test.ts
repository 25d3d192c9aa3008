import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { open, seal, type SealOptions } from './secrets.ts'

const for1 = { secretKey: { current: 'a key', previous: null }, purpose: 'test', aad: 'row 1' }

const opens = (sealed: Buffer, as: SealOptions = for1): boolean => {
  try {
    open(sealed, as)
    return true
  } catch {
    return false
  }
}

describe('seal', () => {
  it('round-trips every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(open(seal(text, for1), for1)).toBe(text)
      }),
    )
  })

  it('hides the text with a new nonce each time', () => {
    const [one, two] = [seal('a secret text', for1), seal('a secret text', for1)]
    expect(one.includes('secret')).toBe(false)
    expect(one.equals(two)).toBe(false)
  })

  it('decrypts only with the same key, purpose and additional data', () => {
    const sealed = seal('text', for1)
    expect(opens(sealed)).toBe(true)
    for (const other of [{ secretKey: { current: 'another', previous: null } }, { purpose: 'other' }, { aad: 'row 2' }]) {
      expect(opens(sealed, { ...for1, ...other })).toBe(false)
    }
  })

  it('does not decrypt modified or truncated data', () => {
    const sealed = seal('text', for1)
    expect(opens(sealed)).toBe(true)
    for (let place = 0; place < sealed.length; place += 1) {
      const changed = Buffer.from(sealed)
      changed[place] = (changed[place] ?? 0) ^ 1
      expect(opens(changed)).toBe(false)
      expect(opens(sealed.subarray(0, place))).toBe(false)
    }
  })
})
