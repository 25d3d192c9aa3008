import { describe, expect, it } from 'vitest'
import { parseMarkdown, requireMarkdown } from './markdown.ts'
import { textOf } from './rich-text.ts'

const plain = (markdown: string): string => textOf(parseMarkdown(markdown))

describe('parseMarkdown', () => {
  it('returns the structure as data', () => {
    const markdown =
      '# Plan\n\nOne *or* **two** `x`\nnext\n\n3. c\n4. d\n   - e\n\n> q\n\n---\n\n```js\nlet a\n```\n\n|a|b|\n|-|-|\n|~~c~~|d|'
    expect(parseMarkdown(markdown)).toEqual([
      { type: 'heading', level: 1, runs: [{ text: 'Plan' }] },
      {
        type: 'paragraph',
        runs: [
          { text: 'One ' },
          { text: 'or', emphasis: true },
          { text: ' ' },
          { text: 'two', strong: true },
          { text: ' ' },
          { text: 'x', code: true },
          { text: '\n' },
          { text: 'next' },
        ],
      },
      {
        type: 'list',
        start: 3,
        items: [
          [{ type: 'paragraph', runs: [{ text: 'c' }] }],
          [
            { type: 'paragraph', runs: [{ text: 'd' }] },
            { type: 'list', start: null, items: [[{ type: 'paragraph', runs: [{ text: 'e' }] }]] },
          ],
        ],
      },
      { type: 'quote', blocks: [{ type: 'paragraph', runs: [{ text: 'q' }] }] },
      { type: 'rule' },
      { type: 'code', text: 'let a' },
      { type: 'table', header: [[{ text: 'a' }], [{ text: 'b' }]], rows: [[[{ text: 'c', struck: true }], [{ text: 'd' }]]] },
    ])
  })

  it('links to http, https and mailto only', () => {
    const hrefs = (markdown: string) =>
      parseMarkdown(markdown).flatMap((block) => ('runs' in block ? block.runs.flatMap(({ href }) => href ?? []) : []))
    expect(hrefs('[a](https://example.com/x) <mailto:a@example.com> http://example.org')).toEqual([
      'https://example.com/x',
      'mailto:a@example.com',
      'http://example.org',
    ])
    const refused = [
      '[a](javascript:alert(1))',
      '[a](data:text/html,x)',
      '[a](//example.com)',
      '[a](/p/x)',
      '[a](file:///etc/passwd)',
      'example.com',
    ]
    for (const markdown of [...refused, `[a](https://example.com/${'x'.repeat(2000)})`])
      expect([markdown, hrefs(markdown)]).toEqual([markdown, []])
  })

  it('shows HTML, images and definitions of links as text', () => {
    const html = '<script>alert(1)</script>\n\n<b onclick="x">b</b> &lt;i&gt;'
    expect(plain(html)).toBe('<script>alert(1)</script>\n<b onclick="x">b</b> <i>')
    expect(plain('![logo](https://example.com/x.png)')).toBe('!logo')
    expect(plain('[//]: # (hidden)')).toBe('[//]: # (hidden)')
  })

  it('leaves out characters that change the direction of text', () => {
    expect(plain('a \u202e001\u202c \u2066b\u2069')).toBe('a 001 b')
  })

  it('turns the rows of a wide table into paragraphs', () => {
    const row = (cell: string) => `|${`${cell}|`.repeat(9)}`
    expect(plain(`${row('a')}\n${row('-')}\n${row('b')}`)).toBe(`${'a | '.repeat(8)}a\n${'b | '.repeat(8)}b`)
  })
})

describe('requireMarkdown', () => {
  it.each(['> '.repeat(11), '- '.repeat(11), '1. '.repeat(11)])('refuses %s', (prefix) => {
    expect(() => requireMarkdown(`${prefix}a`, 'f')).toThrow(expect.objectContaining({ code: 'validation_error', field: 'f' }))
    expect(() => requireMarkdown(`${prefix.slice(0, prefix.length / 11).repeat(10)}a`, 'f')).not.toThrow()
  })

  it('refuses nesting that the parser would cut', () => {
    const stairs = Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')
    expect(() => requireMarkdown(stairs, 'f')).toThrow('10 levels')
    expect(() => requireMarkdown('>'.repeat(20_000), 'f')).toThrow('10 levels')
  })

  it('accepts deep inline markup and keeps its text', () => {
    const deep = `${'['.repeat(5000)}a${']'.repeat(5000)}`
    requireMarkdown(deep, 'f')
    expect(plain(deep)).toBe(deep)
  })
})
