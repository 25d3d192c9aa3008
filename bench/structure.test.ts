import { describe, expect, it } from 'vitest'
import type { ExtractedDocument } from '@groundwork/server/knowledge/extract/document'
import { startOf, chunksWithTables, foundBookmarks, onTheirPages, ratio, shortChunks, underTheirBookmarks } from './structure.ts'
import { headingKey, orderScore, wordsOf } from './structure-words.ts'

const bookmarks = [
  { title: '1 Hire', level: 1, page: 2, y: 700 },
  { title: '1.1 Deposit', level: 2, page: 2, y: 400 },
  { title: '1.2 Keys', level: 2, page: 3, y: 700 },
  { title: '2 Return', level: 1, page: 5, y: 700 },
]
const chunk = (headingPath: string[], page: number, text = '', pageEnd = page) => ({ headingPath, page, pageEnd, text })

describe('heading paths', () => {
  it('hold if they are a path of the bookmarks on the pages of the chunk', () => {
    expect(
      underTheirBookmarks(
        [chunk([], 1), chunk(['Hire', 'Deposit'], 2), chunk(['Hire', 'Deposit'], 3), chunk(['1 Hire', '1.2 Keys'], 4)],
        bookmarks,
      ),
    ).toEqual({ held: 4, of: 4 })
    expect(underTheirBookmarks([chunk(['Hire', 'Keys'], 2), chunk(['Deposit'], 2), chunk(['Hire', 'Keys'], 5 + 1)], bookmarks)).toEqual({
      held: 0,
      of: 3,
    })
  })

  it('of a chunk of several sections are the headings that these share', () => {
    expect(ratio(underTheirBookmarks([chunk(['Hire'], 2, '1.1 Deposit … 1.2 Keys …', 3)], bookmarks))).toBe(1)
    expect(ratio(underTheirBookmarks([chunk([], 3, 'a body text', 4)], bookmarks))).toBe(0)
  })

  it('are compared without numbers, case and signs', () => {
    expect(['2.1. Scope', 'Chapter 2 SCOPE', 'Scope', 'A.3 Scope', 'IV. Scope'].map(headingKey)).toEqual(
      Array.from({ length: 5 }, () => 'scope'),
    )
    expect(headingKey('2024')).toBe('2024')
    expect(headingKey('Civil law')).toBe('civillaw')
  })

  it('of bookmarks are found among the headings, each once', () => {
    const text = 'Hire\n\nDeposit\n\nKeys'
    const heading = (start: number, end: number, level: number) => ({ kind: 'heading' as const, start, end, level })
    const document = documentOf(text, [heading(0, 4, 1), heading(6, 13, 2), heading(15, 19, 1)])
    expect(foundBookmarks(document, bookmarks)).toEqual({ held: 2, of: 4 })
  })
})

describe('cited pages', () => {
  const pages = ['first', 'second', 'third'].map((name) => Array.from({ length: 12 }, (_, at) => `${name}${at} word${at}`).join(' '))
  const text = pages.join(' ')
  const cited = (from: string, to: string, page: number, pageEnd: number) => ({
    start: text.indexOf(from),
    end: text.indexOf(to) + to.length,
    page,
    pageEnd,
  })

  it('hold if all words are on them, and the edges on the first and last one', () => {
    expect(ratio(onTheirPages(text, [cited('first0', 'first11', 1, 1), cited('first6', 'second5', 1, 2)], pages))).toBe(1)
    expect(ratio(onTheirPages(text, [cited('first6', 'second5', 1, 1)], pages))).toBe(0)
    expect(ratio(onTheirPages(text, [cited('first0', 'first11', 1, 2)], pages))).toBe(0)
    expect(ratio(onTheirPages(text, [cited('second0', 'second11', 1, 2)], pages))).toBe(0)
  })

  it('hold for a chunk that has a few words on its last page', () => {
    expect(ratio(onTheirPages(text, [cited('first0', 'second0 word0', 1, 2)], pages))).toBe(1)
    expect(ratio(onTheirPages(text, [cited('first11', 'second11', 1, 2)], pages))).toBe(1)
  })

  it('are not examined without text', () => {
    expect(onTheirPages(text, [cited('first0', 'first11', 1, 1)], ['a scan']).of).toBe(0)
  })

  it('tolerate hyphens at line ends', () => {
    expect(wordsOf('a well-\nknown rule')).toEqual(['a', 'wellknown', 'rule'])
  })
})

describe('starts', () => {
  const text = 'One two. Three four\nfive-six 日本語 seven'
  it.each([
    ['One', 'line'],
    ['Three', 'sentence'],
    ['four', 'inside a line'],
    ['five', 'line'],
    ['ive', 'inside a word'],
    ['本', 'inside a line'],
  ])('%s begins %s', (start, expected) => {
    expect(startOf(text, { start: text.indexOf(start) })).toBe(expected)
  })
})

it('counts short chunks and chunks with tables', () => {
  const document = documentOf('x'.repeat(100), [{ kind: 'table', start: 30, end: 60 }])
  const chunks = [
    { start: 0, end: 30 },
    { start: 30, end: 45 },
    { start: 45, end: 100 },
  ]
  expect(shortChunks(chunks)).toEqual({ held: 2, of: 3 })
  expect(chunksWithTables(document, chunks)).toEqual({ held: 2, of: 3 })
})

it('scores the order of words, not their number', () => {
  expect(orderScore('a b c d', 'a b c d e f')).toBe(1)
  expect(orderScore('a b c d', 'c d a b')).toBe(0.5)
  expect(orderScore('the cat the dog', 'the dog the cat')).toBe(0.5)
  expect(orderScore('left one left two right one', 'left right one left one two')).toBeCloseTo(4 / 6)
})

function documentOf(text: string, blocks: ExtractedDocument['blocks']): ExtractedDocument {
  return { mediaType: 'application/pdf', title: null, language: null, pages: 1, text, blocks, warnings: [] }
}
