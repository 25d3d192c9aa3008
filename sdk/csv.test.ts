import { expect, test } from 'vitest'
import { csvRow } from './csv.ts'

test.each<[value: unknown, cell: string]>([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "yes"', '"say ""yes"""'],
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
  ['\t=1', `'\t=1`],
  ['\r=1', `"'\r=1"`],
  ['  =1', `'  =1`],
  ['＝1', "'＝1"],
  ['+442071838750', '+442071838750'],
  ['-12.50', '-12.50'],
  ['a=b', 'a=b'],
])('%j becomes %s', (value, cell) => expect(csvRow([value])).toBe(`${cell}\r\n`))

test('cells are separated by commas', () => expect(csvRow(['a', null, 1])).toBe('a,,1\r\n'))
