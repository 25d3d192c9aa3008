import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashSecret, isWellFormedSecret, newSecret } from './secret.ts'

describe('newSecret', () => {
  it('returns 32 random base62 characters and a 6-character checksum', () => {
    const secrets = Array.from({ length: 500 }, newSecret)
    for (const secret of secrets) expect(secret).toMatch(/^gw_[0-9A-Za-z]{38}$/)
    expect(new Set(secrets).size).toBe(500)
    const used = new Set(secrets.flatMap((secret) => secret.slice(3, 35).split('')))
    expect(used.size).toBe(62)
  })
})

describe('isWellFormedSecret', () => {
  it('accepts every secret, and none with one character changed', () => {
    const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 40 }), fc.integer({ min: 0, max: 61 }), (place, character) => {
        const secret = newSecret()
        expect(isWellFormedSecret(secret)).toBe(true)
        const changed = secret.slice(0, place) + (characters[character] ?? '') + secret.slice(place + 1)
        expect(isWellFormedSecret(changed)).toBe(changed === secret)
      }),
    )
  })

  it('rejects any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => !isWellFormedSecret(text)))
    for (const text of ['', 'gw_', ` ${newSecret()}`, `${newSecret()}\n`, newSecret().slice(3), newSecret().toUpperCase()]) {
      expect(isWellFormedSecret(text)).toBe(false)
    }
  })

  it('accepts tokens of earlier versions', () => {
    expect(isWellFormedSecret('gw_0123456789ABCDEFGHIJKLMNOPQRSTUV1ggZdL')).toBe(true)
  })
})

describe('hashSecret', () => {
  it('is the SHA-256 of the whole secret', () => {
    expect(hashSecret('gw_x').toString('hex')).toBe(createHash('sha256').update('gw_x').digest('hex'))
  })
})
