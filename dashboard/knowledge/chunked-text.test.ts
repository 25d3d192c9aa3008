import { expect, test } from 'vitest'
import { passageAt, passagesOf } from './chunked-text.ts'
import type { SourceChunk } from './records.ts'

const text = 'One two. Three four. Five six. Seven.'
const chunk = (ordinal: number, start: number, end: number): SourceChunk =>
  ({ ordinal, start, end, text: text.slice(start, end) }) as SourceChunk

test('splits a text into chunks, repeated text and text outside of chunks', () => {
  const all = passagesOf(text, [chunk(0, 0, 20), chunk(1, 9, 30)], true)
  expect(all.map(({ chunk: of, repeated, text: own }) => [of?.ordinal ?? null, repeated, own])).toEqual([
    [0, '', 'One two. Three four.'],
    [1, 'Three four.', ' Five six.'],
    [null, '', 'Seven.'],
  ])
})

test('omits text after the chunks loaded so far', () => {
  expect(passagesOf(text, [chunk(0, 9, 20)], false).map(({ text: own }) => own)).toEqual(['One two.', 'Three four.'])
})

test('marks a chunk inside the previous one as repeated', () => {
  expect(passagesOf(text, [chunk(0, 0, 30), chunk(1, 9, 20)], false).map(({ repeated, text: own }) => [repeated, own])).toEqual([
    ['', 'One two. Three four. Five six.'],
    ['Three four.', ''],
  ])
})

test('repeats the header of a table that continues', () => {
  const table = '| k | v |\n| - | - |\n| a | 1 |\n| b | 2 |'
  const header = table.slice(0, 20)
  const [, second] = passagesOf(
    table,
    [
      { ...chunk(0, 0, 29), text: table.slice(0, 29) },
      { ...chunk(1, 30, 39), text: `${header}${table.slice(30)}` },
    ],
    true,
  )
  expect(second).toMatchObject({ header, text: '| b | 2 |' })
})

test('finds the passage with the text at an offset', () => {
  const some = passagesOf(text, [chunk(0, 0, 20), chunk(1, 9, 30)], false)
  expect([0, 12, 21, 31].map((offset) => passageAt(some, offset, false))).toEqual([0, 0, 1, -1])
  expect(passageAt(passagesOf(text, [chunk(0, 0, 20)], true), text.length, true)).toBe(1)
})
