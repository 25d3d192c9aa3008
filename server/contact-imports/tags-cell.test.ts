import { expect, it } from 'vitest'
import { cellOfTags, tagsOfCell } from './tags-cell.ts'

it.each([
  [['vip', 'new'], 'vip; new'],
  [['a, b'], 'a, b:::'],
  [['a;b', 'c|d'], 'a;b:::c|d:::'],
  [['a:::b', 'c'], '["a:::b","c"]'],
  [['*star'], '["*star"]'],
  [['["a"]'], '["a"]:::'],
  [['[draft]'], '[draft]'],
])('%j is the cell %s, and is read from it', (tags, cell) => {
  expect(cellOfTags(tags)).toBe(cell)
  expect(tagsOfCell(cell)).toEqual(tags)
})

it.each([
  ['* myContacts ::: code', ['myContacts', 'code']],
  ['a;b, c|d;', ['a', 'b', 'c', 'd']],
  ['["a", 1]', ['["a"', '1]']],
  ['["a" "b"]', ['["a" "b"]']],
])('%s is read as %j', (cell, tags) => expect(tagsOfCell(cell)).toEqual(tags))
