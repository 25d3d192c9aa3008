import { expect, it } from 'vitest'
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
])('"%s" is no title', (title) => {
  expect(isTitle(title)).toBe(false)
})

it.each(['Trailer rental', 'Debian 维护者指南', '目标', 'RFC 9309', 'Title IX in practice', 'Tables and figures'])(
  '"%s" is a title',
  (title) => {
    expect(isTitle(title)).toBe(true)
  },
)
