import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchesGlob } from './glob.ts'

it.each([
  ['/docs/**', '/docs/a/b', true],
  ['/docs/**', '/docs/', true],
  ['/docs/*', '/docs/a', true],
  ['/docs/*', '/docs/a/b', false],
  ['**/print', '/a/b/print', true],
  ['/*/b', '/a/b', true],
  ['/a', '/ab', false],
  ['*', '', true],
  ['/a?b', '/a?b', true],
  ['/a?b', '/axb', false],
  ['/{docs,guide}/**', '/guide/a', true],
  ['/{docs,guide}/**', '/blog/a', false],
  ['*.{pdf,zip}', 'a.zip', true],
  ['*.{pdf,zip}', 'a.{pdf,zip}', false],
  ['/index{,.html}', '/index', true],
  ['/index{,.html}', '/index.html', true],
  ['/{a/**,b*}/c', '/a/x/y/c', true],
  ['/{a/**,b*}/c', '/bx/c', true],
  ['/{a/**,b*}/c', '/bx/y/c', false],
  ['{a,b}{c,d}', 'bc', true],
  ['{a,b}{c,d}', 'ab', false],
])('%s matches %s: %s', (pattern, text, matches) => expect(matchesGlob(pattern, text)).toBe(matches))

it('matches like the equivalent regular expression', () => {
  const piece = fc.constantFrom('a', 'b', '/', '*', '**', '{a,b/}', '{*,}')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 8 }), (pieces, letters) => {
      const pattern = pieces.join('')
      const source = pattern
        .replace(/\*+/g, (stars) => (stars.length > 1 ? '.S' : '[^/]S'))
        .replaceAll('S', '*')
        .replace(/\{(.*?)\}/g, (_, list: string) => `(?:${list.replaceAll(',', '|')})`)
      expect(matchesGlob(pattern, letters.join(''))).toBe(new RegExp(`^${source}$`).test(letters.join('')))
    }),
  )
})
