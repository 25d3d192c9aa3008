import { expect, test } from 'vitest'
import { csvRow, withoutPrefix } from './csv.ts'

test.each<[value: unknown, cell: string]>([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "yes"', '"say ""yes"""'],
  ['a;b', '"a;b"'],
  ['a\tb', '"a\tb"'],
  ['two\nlines', '"two\nlines"'],
  [' kept ', '" kept "'],
  [null, ''],
  [undefined, ''],
  [0, '0'],
  [-1.5, '-1.5'],
  [true, 'true'],
  [['a', 'b'], '"[""a"",""b""]"'],
  [{ done: 1 }, '"{""done"":1}"'],
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("http://a")', `"'=HYPERLINK(""http://a"")"`],
  ['+cmd|calc', "'+cmd|calc"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['  =1', `'  =1`],
  ['＝1', "'＝1"],
  ['+442071838750', '+442071838750'],
  ['-12.50', '-12.50'],
  ['a=b', 'a=b'],
  ["'=1", "''=1"],
  ["''-a", "'''-a"],
  ["'quoted'", "'quoted'"],
])('%j becomes %s', (value, cell) => expect(csvRow([value])).toBe(`${cell}\r\n`))

test.each(['=1+1', "'=1+1", "''@a", "'quoted'", '+442071838750', '-2+3', '  =1', '＝1', 'plain', "'"])('%j is read again', (text) =>
  expect(withoutPrefix(csvRow([text]).replace(/\r\n$/, '').replaceAll(/^"|"$/g, ''))).toBe(text),
)

test('cells are separated by commas or semicolons', () => {
  expect(csvRow(['a', null, 1])).toBe('a,,1\r\n')
  expect(csvRow(['a,b', null, 1], ';')).toBe('"a,b";;1\r\n')
})
