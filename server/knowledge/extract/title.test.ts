import { expect, it } from 'vitest'
import { parseHtml } from './html-dom.ts'
import { htmlTitle } from './html-title.ts'
import { isTitle } from './title.ts'

it.each([
  'untitled',
  'Document1',
  'rental_final_v2',
  'report.docx',
  'Microsoft Word - report.doc',
  '(anonymous)',
  'PowerPoint Presentation',
  'Figure 3',
  'C:\\files\\rental',
  '12',
  'Contents',
  'Sheet1',
  'Inhaltsverzeichnis',
  'HR',
  'V1',
])('"%s" is no title', (title) => {
  expect(isTitle(title)).toBe(false)
})

it.each(['Trailer rental', 'Debian 维护者指南', '目标', 'RFC 9309', 'Title IX in practice', 'Tables and figures'])(
  '"%s" is a title',
  (title) => {
    expect(isTitle(title)).toBe(true)
  },
)

it.each([
  ['<title>Keys | Rental</title><h1>Keys</h1>', 'Keys'],
  ['<title>Keys · Rental</title><h1>Rental</h1><h1>Keys</h1>', 'Keys'],
  ['<title>Keys and ramps | Rental</title><h1>Rental</h1>', 'Keys and ramps | Rental'],
  ['<meta property="og:title" content="Keys"><title>Keys | Rental | Yard</title><h1>Yard</h1>', 'Keys'],
  ['<title>keys_v2.html</title><h1>Keys</h1>', 'Keys'],
  ['<title>Keys</title><p>Text', 'Keys'],
  ['<title>HR</title><h1>Working time</h1>', 'Working time'],
  ['<title>HR</title><p>Text', 'HR'],
  ['<title>HR | Rental</title><h1>HR</h1>', 'HR'],
  ['<h1>V1</h1><p>Text', 'V1'],
  ['<title>12</title><h1>1.</h1><p>Text', null],
  ['<p>Text', null],
])('the title of %s is %s', (html, expected) => {
  expect(htmlTitle(parseHtml(html))).toBe(expected)
})

it('is without the name of the site, also if Readability has it with the name', () => {
  const page = parseHtml('<title>Keys | Rental</title><h1>Keys</h1>')
  expect(htmlTitle(page, 'Keys | Rental')).toBe('Keys')
  expect(htmlTitle(parseHtml('<title>Keys | Rental</title>'), 'Keys | Rental')).toBe('Keys | Rental')
})
