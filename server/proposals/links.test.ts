import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { createProposalLinks } from './links.ts'

const baseUrl = 'https://groundwork.example'
const links = createProposalLinks({ baseUrl, secretKey: { current: 'a secret key', previous: null } })
const recipient = { organizationId: newId(), recipientId: newId(), version: 0 }
const secretOf = (url: string): string => url.slice(`${baseUrl}/p/`.length)
const secret = secretOf(links.urlOf(recipient))

describe('a link', () => {
  it('names its recipient and version, and carries 128 bits that only this installation can make', () => {
    expect(secret).toMatch(/^[\w-]{67}$/)
    for (const version of [0, 1, 65_535]) {
      const linked = { ...recipient, version }
      expect(links.read(secretOf(links.urlOf(linked)))).toEqual(linked)
    }
    expect(createProposalLinks({ baseUrl, secretKey: { current: 'another key', previous: null } }).read(secret)).toBeUndefined()
  })

  it('is unknown with any other bit, spelling or length', () => {
    const bytes = Buffer.from(secret, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect([bit, links.read(changed.toString('base64url'))]).toEqual([bit, undefined])
    }
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const spellings = last
      .split('')
      .map((letter) => secret.slice(0, -1) + letter)
      .filter((spelling) => spelling !== secret)
    for (const other of [...spellings, '', 'x', `${secret}=`, `${secret} `, ` ${secret}`, `${secret}A`, secret.slice(1), 'é'.repeat(67)]) {
      expect([other, links.read(other)]).toEqual([other, undefined])
    }
  })
})
