import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { newSecret } from './secret.ts'

const rules = readFileSync(new URL('../../docs/secret-scanning.toml', import.meta.url), 'utf8')
const setting = (pattern: RegExp): string => pattern.exec(rules)?.[1] ?? ''
const regex = new RegExp(setting(/^regex = '''(.+)'''$/m), 'g')
const entropy = Number(setting(/^entropy = ([\d.]+)$/m))

const bitsPerCharacter = (text: string): number =>
  [...new Set(text)].map((each) => text.split(each).length - 1).reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0)

describe('the rule for secret scanners', () => {
  it('finds every new token in any text', () => {
    expect(entropy).toBeGreaterThan(0)
    for (let n = 0; n < 200; n += 1) {
      const secret = newSecret()
      for (const place of [`TOKEN=${secret}\n`, `{"authorization":"Bearer ${secret}"}`, secret, `https://x.test/?key=${secret}&a=b`]) {
        expect([...place.matchAll(regex)].map((match) => match[1])).toEqual([secret])
      }
      expect(bitsPerCharacter(secret)).toBeGreaterThan(entropy)
      expect(secret).toContain(setting(/^keywords = \["(.+)"\]$/m))
    }
  })

  it('ignores longer and shorter texts and placeholders', () => {
    for (const text of [`${newSecret()}x`, newSecret().slice(0, -1), `x${newSecret()}`, 'gw_…']) expect(text.match(regex)).toBeNull()
    expect(bitsPerCharacter(`gw_${'0'.repeat(38)}`)).toBeLessThan(entropy)
  })
})
