import { describe, expect, it } from 'vitest'
import { analysisLanguage } from '../index/analyze.ts'
import { passageUnits } from './passage-units.ts'

function units(text: string, language = 'en'): string[][] {
  return passageUnits(text, analysisLanguage(language)).map(({ kind, start, end, header }) => [
    kind,
    text.slice(start, end),
    ...(header === null ? [] : [text.slice(header.start, header.end)]),
  ])
}

describe('the units of a passage', () => {
  it.each([
    ['tr', 'Ofis 3. Ekim günü açılır. Kargo 5. kata gider.', ['Ofis 3. Ekim günü açılır.', 'Kargo 5. kata gider.']],
    ['de', 'Das Büro öffnet am 3. Oktober. Es liegt z.B. am Markt.', ['Das Büro öffnet am 3. Oktober.', 'Es liegt z.B. am Markt.']],
    ['en', 'The office has room 3. October is quiet.', ['The office has room 3.', 'October is quiet.']],
  ])('are sentences by the rules of the language %s', (language, text, sentences) => {
    expect(units(text, language)).toEqual(sentences.map((sentence) => ['sentence', sentence]))
  })

  it('are the rows of a table, each with its header row', () => {
    expect(units('Prices\n\n| Class | Price |\n| --- | --- |\n| City | 18 |\n| Cargo | 60 |')).toEqual([
      ['heading', 'Prices'],
      ['row', '| City | 18 |', '| Class | Price |'],
      ['row', '| Cargo | 60 |', '| Class | Price |'],
    ])
    expect(units('| Class | Price |\n|---|:-:|')).toEqual([['row', '| Class | Price |']])
    expect(units('|---|:-:|\n| City | 18 |')).toEqual([['row', '| City | 18 |']])
  })

  it('are the lines of code without their indentation', () => {
    expect(units('function f() {\n  return 1;\n}')).toEqual([
      ['line', 'function f() {'],
      ['line', 'return 1;'],
      ['line', '}'],
    ])
  })
})
