import { expect, it } from 'vitest'
import type { Block } from '../extract/document.ts'
import { outlineOf } from './outline.ts'

it('has the pages that begin inside of a paragraph or a list', () => {
  const text = 'Opening hours\n\nThe desk opens at nine and closes at six.\n\n- keys\n- ramps\n- straps\n\nThe end.'
  const block = (kind: Block['kind'], part: string, page: number, pages: Record<string, number> = {}): Block => ({
    kind,
    start: text.indexOf(part),
    end: text.indexOf(part) + part.length,
    page,
    ...(kind === 'heading' && { level: 1 }),
    pages: Object.entries(pages).map(([at, following]) => ({ start: text.indexOf(at), page: following })),
  })
  const blocks = [
    block('heading', 'Opening hours', 1),
    block('paragraph', 'The desk opens at nine and closes at six.', 1, { 'and closes': 2 }),
    block('list', '- keys\n- ramps\n- straps', 2, { '- ramps': 3, '- straps': 4 }),
    block('paragraph', 'The end.', 4),
  ]
  const outline = outlineOf({ mediaType: 'application/pdf', title: null, language: 'en', pages: 4, text, blocks, warnings: [] })
  expect(outline.map(({ kind, page, start }) => [kind, page, text.slice(start, start + 6)])).toEqual([
    ['page', 1, 'Openin'],
    ['heading', 1, 'Openin'],
    ['page', 2, 'and cl'],
    ['page', 3, '- ramp'],
    ['page', 4, '- stra'],
  ])
})
