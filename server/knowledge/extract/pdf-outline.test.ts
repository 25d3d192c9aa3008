import { expect, it } from 'vitest'
import { makePdf } from '../../testing/make-pdf.ts'
import { withOutline } from '../../testing/outlined-pdf.ts'
import { readOutline } from './pdf-outline.ts'

const pages = makePdf([['Hire'], ['Return'], ['Damage']])

it('reads titles, levels and destinations of bookmarks, and the title of the metadata', async () => {
  const bookmarks = [
    { title: 'Hire', level: 1, page: 1, y: 780 },
    { title: 'Rückgabe  und\nPfand', level: 1, page: 2 },
    { title: 'Schäden', level: 2, page: 3, y: 700.5 },
    { title: 'Appendix', level: 1 },
  ]
  expect(await readOutline(withOutline(pages, { title: ' Trailers – Rental ', bookmarks }))).toEqual({
    title: 'Trailers – Rental',
    bookmarks: [
      { title: 'Hire', level: 1, page: 1, y: 780 },
      { title: 'Rückgabe und Pfand', level: 1, page: 2, y: null },
      { title: 'Schäden', level: 2, page: 3, y: 700.5 },
      { title: 'Appendix', level: 1, page: null, y: null },
    ],
  })
})

it('is empty without bookmarks, and for bytes that are no PDF', async () => {
  expect(await readOutline(pages)).toEqual({ title: null, bookmarks: [] })
  expect(await readOutline(new TextEncoder().encode('%PDF-1.7 damaged'))).toEqual({ title: null, bookmarks: [] })
})

it('ends at bookmarks that lead in a circle', async () => {
  const outlined = withOutline(pages, {
    bookmarks: [
      { title: 'One', level: 1, page: 1 },
      { title: 'Two', level: 1, page: 2 },
    ],
  })
  const text = outlined.toString('latin1')
  const first = /\/First (\d+) 0 R/.exec(text)?.[1]
  const circle = text.replace(/\/Next \d+ 0 R/, `/Next ${first} 0 R`)
  expect(circle).not.toBe(text)
  expect((await readOutline(Buffer.from(circle, 'latin1'))).bookmarks.map(({ title }) => title)).toEqual(['One'])
})
