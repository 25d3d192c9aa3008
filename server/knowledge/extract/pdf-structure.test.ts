import { describe, expect, it } from 'vitest'
import { isTitled, resembles, sectionBookmarks } from './pdf-bookmarks.ts'
import { headingKey } from './pdf-headings.ts'
import type { LayoutBlock, LayoutLine, PageLayout } from './pdf-layout-types.ts'
import type { Bookmark } from './pdf-outline.ts'
import { structured } from './pdf-structure.ts'

type Style = Partial<Pick<LayoutLine, 'fontSize' | 'bold' | 'monospace'>>

const sentence = 'The driver signs for the keys and the ramp before the trailer leaves the yard of the rental office.'
const large = { fontSize: 16, bold: true }

/** A paragraph of lines from a distance to the upper edge; 10 points by default. */
function paragraph(page: number, top: number, texts: readonly string[], style: Style = {}): LayoutBlock {
  const { fontSize = 10, bold = false, monospace = false } = style
  const lines = texts.map((text, at): LayoutLine => ({
    text,
    left: 60,
    top: top + at * fontSize * 1.2,
    right: 60 + text.length * fontSize * 0.5,
    bottom: top + at * fontSize * 1.2 + fontSize,
    fontSize,
    bold,
    monospace,
    italic: false,
    fontName: 'Test',
  }))
  return { kind: 'paragraph', page, lines, text: texts.join(' ') }
}

const body = (page: number, top: number): LayoutBlock => paragraph(page, top, [sentence, sentence, sentence])
const joined = (...blocks: LayoutBlock[]): LayoutBlock => ({
  kind: 'paragraph',
  page: blocks[0]?.page ?? 1,
  lines: blocks.flatMap(({ lines }) => lines),
  text: blocks.map(({ text }) => text).join(' '),
})

function pagesOf(...pages: (readonly LayoutBlock[])[]): PageLayout[] {
  return pages.map((blocks, at) => ({ page: at + 1, width: 595, height: 842, blocks }))
}

const bookmark = (title: string, level: number, page: number | null, top: number | null = null): Bookmark => ({
  title,
  level,
  page,
  y: top === null ? null : 842 - top,
})

function headingsOf(pages: readonly PageLayout[], bookmarks: readonly Bookmark[] = [], title: string | null = null): string[] {
  const { parts } = structured(pages, { title, bookmarks }, pages.length)
  return parts.filter(({ kind }) => kind === 'heading').map(({ level, title: own, text, page }) => `${level} ${own ?? text} (${page})`)
}

describe('headings by bookmarks', () => {
  it('have the titles, levels and places of the bookmarks', () => {
    const pages = pagesOf(
      [
        paragraph(1, 60, ['1. Hire'], large),
        body(1, 90),
        paragraph(1, 160, ['1.1 Keys and'], large),
        paragraph(1, 180, ['ramps'], large),
        body(1, 210),
      ],
      [body(2, 60), paragraph(2, 200, ['A large line without a bookmark'], large), body(2, 240)],
    )
    expect(headingsOf(pages, [bookmark('Hire', 1, 1, 58), bookmark('Keys and ramps', 2, 1, 158)])).toEqual([
      '1 Hire (1)',
      '2 Keys and ramps (1)',
    ])
  })

  it('divide a paragraph that they are a line of', () => {
    const pages = pagesOf([joined(body(1, 60), paragraph(1, 96, ['Deposit']), body(1, 110)), body(1, 200)])
    const { parts } = structured(pages, { title: null, bookmarks: [bookmark('Deposit', 1, 1, 96), bookmark('Nowhere', 1, null)] }, 1)
    expect(parts.map(({ kind, text }) => `${kind}: ${text.slice(0, 10)}`)).toEqual([
      'paragraph: The driver',
      'heading: Deposit',
      'paragraph: The driver',
      'paragraph: The driver',
    ])
  })

  it('prefer the line at the destination to the same words elsewhere', () => {
    const pages = pagesOf([paragraph(1, 60, ['Keys'], large), body(1, 90), paragraph(1, 300, ['Keys'], large), body(1, 330)])
    const { parts } = structured(pages, { title: null, bookmarks: [bookmark('Keys', 1, 1, 298), bookmark('Keys', 1, 1, 58)] }, 1)
    expect(parts.map(({ kind }) => kind)).toEqual(['heading', 'paragraph', 'heading', 'paragraph'])
  })

  it('include the line with their number above them', () => {
    const pages = pagesOf(
      [paragraph(1, 60, ['CHAPTER'], large), paragraph(1, 80, ['TWO'], large), paragraph(1, 100, ['RETURN OF KEYS'], large), body(1, 140)],
      [body(2, 60)],
    )
    const { parts } = structured(pages, { title: null, bookmarks: [bookmark('Return of keys', 1, 1, 90), bookmark('Rest', 1, 2)] }, 2)
    expect(parts[0]).toMatchObject({ kind: 'heading', text: 'CHAPTER TWO RETURN OF KEYS', title: 'Return of keys' })
  })

  it('are added at the destination where the page shows them as a picture', () => {
    const pages = pagesOf([body(1, 60), body(1, 300)], [body(2, 60)])
    const bookmarks = [bookmark('Part one', 1, null), bookmark('Hire', 2, 1, 200), bookmark('Return', 2, 2)]
    const { parts } = structured(pages, { title: null, bookmarks }, 2)
    expect(parts.map(({ kind, text, page }) => `${kind} ${page} ${text.slice(0, 8)}`)).toEqual([
      'paragraph 1 The driv',
      'heading 1 Part one',
      'heading 1 Hire',
      'paragraph 1 The driv',
      'heading 2 Return',
      'paragraph 2 The driv',
    ])
  })

  it('are not those that programs write', () => {
    const given = ['Page 1', 'Seite 2', '_Toc123', 'scan.pdf', '3', 'Hire', 'Civil law', 'Return']
    expect(sectionBookmarks(given.map((title, at) => bookmark(title, 1, at + 1))).map(({ title }) => title)).toEqual([
      'Hire',
      'Civil law',
      'Return',
    ])
    expect(sectionBookmarks([bookmark('Hire', 1, 1)])).toEqual([])
  })

  it('of chapters only have the sections below them that fonts show', () => {
    const chapter = (page: number, name: string): LayoutBlock[] => [
      paragraph(page, 60, [name], { fontSize: 20 }),
      body(page, 90),
      paragraph(page, 200, [`${name} in winter`], large),
      body(page, 230),
    ]
    const pages = pagesOf(chapter(1, 'Hire'), ...Array.from({ length: 30 }, (_, at) => [body(at + 2, 60)]), chapter(32, 'Return'))
    expect(headingsOf(pages, [bookmark('Hire', 1, 1, 58), bookmark('Return', 1, 32, 58)])).toEqual([
      '1 Hire (1)',
      '2 Hire in winter (1)',
      '1 Return (32)',
      '2 Return in winter (32)',
    ])
  })

  it.each([
    ['2.1 Scope', 'Scope', true],
    ['Scope', '2.1 Scope', true],
    ['Chapter 2 Scope', '2. Scope', true],
    ['第2章 概览', '概览', true],
    ['Scope of it', 'Scope', false],
    ['', '', false],
  ])('"%s" is titled "%s": %s', (text, title, expected) => {
    expect(isTitled(headingKey(text), headingKey(title))).toBe(expected)
  })

  it('may be written in a shorter or slightly different way', () => {
    const alike = (text: string, title: string): boolean => resembles(headingKey(text), headingKey(title))
    expect(alike('Using the --force options', 'Using the force option…')).toBe(true)
    expect(alike('Frequently asked questions about hire', 'Frequently asked questions')).toBe(true)
    expect(alike(sentence, 'The driver')).toBe(false)
  })
})

describe('headings by font', () => {
  it('are short lines in larger or bold type, with levels by size and number', () => {
    const pages = pagesOf([
      paragraph(1, 40, ['Trailer rental'], { fontSize: 24 }),
      paragraph(1, 80, ['1 Hire'], large),
      body(1, 110),
      paragraph(1, 160, ['1.1 Keys'], { bold: true }),
      body(1, 180),
      paragraph(1, 240, ['2 Return of the trailer and of all', 'its parts'], large),
      body(1, 290),
    ])
    expect(headingsOf(pages)).toEqual([
      '1 Trailer rental (1)',
      '2 1 Hire (1)',
      '3 1.1 Keys (1)',
      '2 2 Return of the trailer and of all its parts (1)',
    ])
  })

  it('are the first line of a block, if the rest is set in another font', () => {
    const pages = pagesOf([joined(paragraph(1, 60, ['Deposit'], { bold: true }), body(1, 75)), body(1, 140)])
    expect(headingsOf(pages)).toEqual(['1 Deposit (1)'])
  })

  it.each([
    ['a paragraph of three bold lines', [sentence, sentence, sentence], { bold: true }],
    ['a bold sentence', ['Keys must be returned on the same day, before six.'], { bold: true }],
    ['a caption', ['Figure 3: Trailer with ramp'], large],
    ['an address', ['https://rental.example/keys'], large],
    ['a line of code', ['make install'], { ...large, monospace: true }],
    ['a formula', ['x = 3 + 4 * 17 - 12'], large],
    ['a line that breaks off', ['The trailer, the ramp and'], { bold: true }],
  ])('are not %s', (_, lines, style) => {
    const pages = pagesOf([body(1, 60), paragraph(1, 120, lines, style), paragraph(1, 170, [`and ${sentence}`, sentence])])
    const next: LayoutBlock[] = pages[0]?.blocks[1] && pages[0].blocks[2] ? [joined(pages[0].blocks[1], pages[0].blocks[2])] : []
    expect(headingsOf(pagesOf([body(1, 60), ...next, body(1, 300)]))).toEqual([])
  })

  it('do not repeat at the same height of many pages', () => {
    const pages = pagesOf(...[1, 2, 3, 4].map((page) => [paragraph(page, 40, ['Trailer rental'], large), body(page, 80)]))
    expect(headingsOf(pages)).toEqual([])
  })

  it('may repeat at the same height of pages far from each other', () => {
    const pages = pagesOf(
      ...Array.from({ length: 12 }, (_, at) =>
        at % 5 === 0 ? [paragraph(at + 1, 80, ['Purpose'], large), body(at + 1, 120)] : [body(at + 1, 80)],
      ),
    )
    expect(headingsOf(pages)).toEqual(['1 Purpose (1)', '1 Purpose (6)', '1 Purpose (11)'])
  })

  it('are not an entry of a table of contents with the page of a later heading', () => {
    const pages = pagesOf([paragraph(1, 60, ['1 Hire 2'], { bold: true }), body(1, 90)], [paragraph(2, 60, ['1 Hire'], large), body(2, 90)])
    expect(headingsOf(pages)).toEqual(['1 1 Hire (2)'])
  })

  it('are not the entries of a table of contents', () => {
    const entries = Array.from({ length: 12 }, (_, at) =>
      paragraph(1, 80 + at * 20, [`${at + 1} Part of the manual ${at + 3}`], { bold: true }),
    )
    const pages = pagesOf([paragraph(1, 40, ['Contents'], large), ...entries], [body(2, 60), body(2, 120), body(2, 200), body(2, 260)])
    expect(headingsOf(pages)).toEqual(['1 Contents (1)'])
  })
})

describe('titles', () => {
  const titleOf = (pages: readonly PageLayout[], title: string | null): string | null =>
    structured(pages, { title, bookmarks: [] }, pages.length).title
  const pages = pagesOf([
    paragraph(1, 40, ['Contents'], { fontSize: 30 }),
    paragraph(1, 90, ['Trailer rental', 'in winter'], { fontSize: 24 }),
    body(1, 160),
    body(1, 220),
  ])

  it('are those of the metadata if they are plausible and of this document', () => {
    expect(titleOf(pages, 'Rental of trailers in winter')).toBe('Rental of trailers in winter')
    expect(titleOf(pages, 'Microsoft Word - rental.doc')).toBe('Trailer rental in winter')
    expect(titleOf(pages, 'Quarterly figures of another company')).toBe('Trailer rental in winter')
  })

  it('are not a large word below them, or a line of a sentence', () => {
    const mark = pagesOf([
      paragraph(1, 60, ['Trailer rental in winter'], { fontSize: 40 }),
      body(1, 160),
      paragraph(1, 700, ['Redpaper'], { fontSize: 70 }),
    ])
    expect(titleOf(mark, null)).toBe('Trailer rental in winter')
    const scan = pagesOf([
      body(1, 60),
      paragraph(1, 120, ['On gravels the reports are contradictory, though of the'], { fontSize: 12 }),
      body(1, 160),
    ])
    expect(titleOf(scan, null)).toBeNull()
  })

  it('are otherwise the largest lines of the first page', () => {
    expect(titleOf(pages, null)).toBe('Trailer rental in winter')
    expect(titleOf(pagesOf([body(1, 60)]), null)).toBeNull()
  })
})
