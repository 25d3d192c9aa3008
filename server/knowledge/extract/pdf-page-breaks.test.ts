import { expect, it } from 'vitest'
import { joinAcrossPages } from './pdf-page-breaks.ts'

it('each part of a list, a paragraph and a table stays on its page', () => {
  const table = (row: string): string => `| Key | Rack |\n| --- | --- |\n${row}`
  expect(
    joinAcrossPages([
      { kind: 'list', text: '- one', page: 1 },
      { kind: 'list', text: '- two', page: 1 },
      { kind: 'list', text: '- three', page: 2 },
      { kind: 'paragraph', text: 'The driver signs for the keys and', page: 2 },
      { kind: 'paragraph', text: 'the ramp.', page: 3 },
      { kind: 'paragraph', text: 'Then she leaves.', page: 3 },
      { kind: 'table', text: table('| A | 1 |'), page: 3 },
      { kind: 'table', text: table('| B | 2 |'), page: 4 },
      { kind: 'table', text: '| Day | Hour |\n| --- | --- |\n| B | 2 |', page: 5 },
    ]),
  ).toEqual([
    { kind: 'list', text: '- one\n- two\n- three', page: 1, pages: [{ start: 12, page: 2 }] },
    { kind: 'paragraph', text: 'The driver signs for the keys and the ramp.', page: 2, pages: [{ start: 34, page: 3 }] },
    { kind: 'paragraph', text: 'Then she leaves.', page: 3 },
    { kind: 'table', text: table('| A | 1 |\n| B | 2 |'), page: 3, pages: [{ start: 39, page: 4 }] },
    { kind: 'table', text: '| Day | Hour |\n| --- | --- |\n| B | 2 |', page: 5 },
  ])
})

it('a word that is divided by the page break is whole', () => {
  const parts = [
    { kind: 'paragraph', text: 'The trailer and its own-', page: 1 },
    { kind: 'paragraph', text: 'ers stay.', page: 2 },
  ] as const
  expect(joinAcrossPages(parts)).toEqual([
    { kind: 'paragraph', text: 'The trailer and its owners stay.', page: 1, pages: [{ start: 23, page: 2 }] },
  ])
})
