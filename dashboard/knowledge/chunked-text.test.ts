import { expect, test } from 'vitest'
import { passagesOf } from './chunked-text.ts'
import type { SourceChunk } from './records.ts'

const text = 'One two. Three four. Five six. Seven.'
const chunk = (ordinal: number, start: number, end: number): SourceChunk => ({ ordinal, start, end }) as SourceChunk

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
