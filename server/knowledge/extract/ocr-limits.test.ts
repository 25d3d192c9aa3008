import { expect, it } from 'vitest'
import { leftOutWarnings, pageList } from './ocr-limits.ts'

it('warnings name the pages that are left out, and the reason', () => {
  const leftOut = [
    { page: 3, reason: 'no text' },
    { page: 101, reason: 'pages' },
    { page: 103, reason: 'pages' },
    { page: 102, reason: 'pages' },
    { page: 7, reason: 'uncertain' },
  ] as const
  expect(leftOutWarnings(leftOut)).toEqual([
    'Page 3 is left out: no text was found in the picture.',
    'Pages 101 to 103 are left out: OCR reads at most 100 pages of a document.',
    'Page 7 is left out: the recognized text is too uncertain.',
  ])
  expect(leftOutWarnings([{ page: 1, reason: 'pages' }], { pages: 0, megapixels: 1 })).toEqual(['Page 1 is left out: OCR is turned off.'])
})

it('page numbers are listed as ranges', () => {
  expect(pageList([9, 2, 3, 4, 7])).toBe('2 to 4, 7, 9')
  expect(pageList(Array.from({ length: 20 }, (_, at) => at * 2 + 1))).toBe('1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23 and 8 more')
})
