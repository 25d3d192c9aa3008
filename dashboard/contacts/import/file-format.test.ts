import { expect, it } from 'vitest'
import { formatOf, formatOptions, sentFormat } from './file-format.ts'
import { importMessages } from './messages.ts'

const { en } = importMessages

it('sends the encoding and the delimiter, but none that an import does not take', () => {
  expect(sentFormat({ encoding: 'macintosh', delimiter: '\t' }, en)).toEqual({ encoding: 'macintosh', delimiter: '\t' })
  expect(sentFormat({ encoding: 'utf-8', delimiter: ':' }, en)).toEqual({ encoding: 'utf-8' })
  expect(sentFormat(formatOf({ encoding: null, delimiter: null }), en)).toEqual({})
})

it('offers a delimiter that the file itself names', () => {
  expect(formatOptions(en.delimiters, ':')[0]).toEqual({ value: ':', label: ':' })
  expect(formatOptions(en.delimiters, ';')).toHaveLength(4)
})
