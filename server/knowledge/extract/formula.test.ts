import { expect, it } from 'vitest'
import { linearFormula } from './formula.ts'
import { parseXml } from './xml.ts'

const r = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
const tag = (name: string, content: string) => `<m:${name}>${content}</m:${name}>`
const properties = (name: string, values: Readonly<Record<string, string>>) =>
  tag(
    `${name}Pr`,
    Object.entries(values)
      .map(([key, value]) => `<m:${key} m:val="${value}"/>`)
      .join(''),
  )
const e = (content: string) => tag('e', content)
const sup = (base: string, exponent: string) => tag('sSup', e(base) + tag('sup', exponent))
const sub = (base: string, index: string) => tag('sSub', e(base) + tag('sub', index))
const fraction = (numerator: string, denominator: string, more = '') => tag('f', more + tag('num', numerator) + tag('den', denominator))
const root = (radicand: string, degree = '') => tag('rad', tag('deg', degree) + e(radicand))
const brackets = (content: string, values: Readonly<Record<string, string>> = {}) => tag('d', properties('d', values) + content)
const sum = (chr: string, from: string, to: string, of: string) =>
  tag('nary', properties('nary', { chr }) + tag('sub', from) + tag('sup', to) + e(of))
const matrix = (...rows: string[][]) => tag('m', rows.map((cells) => tag('mr', cells.map((cell) => e(r(cell))).join(''))).join(''))

it.each([
  ['A = π r²', r('A=π') + sup(r('r'), r('2'))],
  ['E = m c²', r('E=m') + sup(r('c'), r('2'))],
  ['x = (-b ± √(b² - 4ac))/(2a)', r('x=') + fraction(r('-b±') + root(sup(r('b'), r('2')) + r('-4ac')), r('2a'))],
  ['1/2 m v²', fraction(r('1'), r('2')) + r('m') + sup(r('v'), r('2'))],
  ['∑_(i=1)^n x_i', sum('∑', r('i=1'), r('n'), sub(r('x'), r('i')))],
  ['∫_0^1 x² dx', sum('∫', r('0'), r('1'), sup(r('x'), r('2')) + r('dx'))],
  ['e^(i π) + 1 = 0', sup(r('e'), r('i π')) + r('+1=0')],
  ['x^(n+1)', sup(r('x'), r('n + 1'))],
  ['(a + b)²', sup(r('a+b'), r('2'))],
  ['(a + b)²', sup(brackets(e(r('a+b'))), r('2'))],
  ['a₁₂ + b_i^x', sub(r('a'), r('12')) + r('+') + tag('sSubSup', e(r('b')) + tag('sub', r('i')) + tag('sup', r('x')))],
  ['f′(x)', sup(r('f'), r('′')) + brackets(e(r('x')))],
  ['∛(x + 1)', root(r('x+1'), r('3'))],
  ['ⁿ√x', root(r('x'), r('n'))],
  ['[a, b; c, d]', brackets(e(matrix(['a', 'b'], ['c', 'd'])), { begChr: '[', endChr: ']' })],
  ['[1, 0; 0, 1]', matrix(['1', '0'], ['0', '1'])],
  ['(n over k)', brackets(e(fraction(r('n'), r('k'), properties('f', { type: 'noBar' }))))],
  ['lim_(n→∞) a_n', tag('func', tag('fName', tag('limLow', e(r('lim')) + tag('lim', r('n→∞')))) + e(sub(r('a'), r('n'))))],
  ['sin x', tag('func', tag('fName', r('sin')) + e(r('x')))],
  [
    '|x| = {x; -x',
    brackets(e(r('x')), { begChr: '|', endChr: '|' }) +
      r('=') +
      brackets(e(tag('eqArr', e(r('&amp;x')) + e(r('&amp;-x')))), { begChr: '{', endChr: '' }),
  ],
  ['²³⁸₉₂U', tag('sPre', tag('sub', r('92')) + tag('sup', r('238')) + e(r('U')))],
  ['x\u0302', tag('acc', e(r('x')))],
  ['a ≤ b < c', r('a≤b&lt;c')],
])('writes %s', (text, formula) => {
  expect(linearFormula(parseXml(`<m:oMath>${formula}</m:oMath>`))).toBe(text)
})
