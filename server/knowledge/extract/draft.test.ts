import { expect, it } from 'vitest'
import { assemble } from './draft.ts'

it('page marks follow the text when it is cleaned', () => {
  const text = '-  one\u200B  two  \n\n\n-\tthree\u00AD\n-  four'
  const document = assemble('application/pdf', {
    parts: [
      { kind: 'heading', text: '  Hire ', level: 1, page: 1 },
      {
        kind: 'list',
        text,
        page: 1,
        pages: [
          { start: text.indexOf('-\t'), page: 2 },
          { start: text.lastIndexOf('-'), page: 4 },
        ],
      },
    ],
  })
  const pages = document.blocks[1]?.pages ?? []
  expect(pages.map(({ page }) => page)).toEqual([2, 4])
  expect(pages.map(({ start }) => document.text.slice(start).trim())).toEqual(['- three\n- four', '- four'])
})

it('a title is kept where it differs from the text of its heading', () => {
  const { blocks } = assemble('application/pdf', {
    parts: [
      { kind: 'heading', text: 'CHAPTER ONE HIRE', title: 'Hire' },
      { kind: 'heading', text: 'Return', title: ' Return ' },
    ],
  })
  expect(blocks.map(({ title }) => title)).toEqual(['Hire', undefined])
})
