import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block, ExtractedDocument } from '../extract/document.ts'
import type { Chunk, ChunkingSettings } from './chunk.ts'
import { chunkDocument } from './chunk-document.ts'
import { countTokens } from './tokens.ts'

type Draft = Pick<Block, 'kind' | 'level' | 'page' | 'startSecond'> & { readonly text: string }

function documentOf(drafts: readonly Draft[], language: string | null = 'en'): ExtractedDocument {
  let text = ''
  const blocks = drafts.map(({ text: own, ...block }) => {
    const start = text.length === 0 ? 0 : text.length + 2
    text = text.length === 0 ? own : `${text}\n\n${own}`
    return { ...block, start, end: start + own.length }
  })
  return { mediaType: 'text/plain', title: null, language, pages: null, text, blocks, warnings: [] }
}

const strategies = ['semantic', 'sentence', 'fixed', 'markdown'] as const
const paragraph = (text: string): Draft => ({ kind: 'paragraph', text })
const heading = (level: number, text: string): Draft => ({ kind: 'heading', level, text })

/** Invariants of every strategy and document. */
function expectSound(document: ExtractedDocument, chunks: readonly Chunk[], { size }: ChunkingSettings): void {
  const covered = new Uint8Array(document.text.length)
  chunks.forEach((chunk, ordinal) => {
    const own = document.text.slice(chunk.start, chunk.end)
    expect(chunk.ordinal).toBe(ordinal)
    expect(own.trim()).toBe(own)
    expect(own).not.toBe('')
    expect(chunk.tokens).toBe(countTokens(chunk.text))
    expect(chunk.tokens).toBeLessThanOrEqual(size)
    if (chunk.text !== own) {
      const header = chunk.text.slice(0, chunk.text.length - own.length - 1)
      expect(chunk.text).toBe(`${header}\n${own}`)
      expect(document.text.slice(0, chunk.start)).toContain(header)
      expect(document.blocks.some(({ kind, start, end }) => kind === 'table' && start < chunk.start && chunk.start < end)).toBe(true)
    }
    expect(tearsCharacter(document.text, chunk.start) || tearsCharacter(document.text, chunk.end)).toBe(false)
    covered.fill(1, chunk.start, chunk.end)
  })
  const missed = [...document.text.matchAll(/\S/g)].find(({ index }) => covered[index] === 0)
  expect(missed?.index).toBeUndefined()
}

function tearsCharacter(text: string, edge: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, edge - 1), edge + 1))
}

const word = fc.constantFrom(
  'water',
  'Dr.',
  'z.B.',
  'pump',
  '3.',
  'valve?',
  'Über',
  'it.',
  '日本語。',
  'سلام',
  '👨‍👩‍👧',
  'e\u0301',
  '<|endoftext|>',
  'x'.repeat(90),
  '漢'.repeat(70),
  '\u200b',
)
const gap = fc.constantFrom(' ', ' ', ' ', '\n', '  ', '', '\t', '\u00a0')
const prose = fc.array(fc.tuple(word, gap), { maxLength: 120 }).map((pairs) => pairs.flat().join(''))
const row = fc
  .array(fc.constantFrom('a', 'long cell of words', '', '42', 'y'.repeat(60)), { minLength: 1, maxLength: 6 })
  .map((cells) => `| ${cells.join(' | ')} |`)
const draft: fc.Arbitrary<Draft> = fc.oneof(
  prose.map((text) => ({ kind: 'paragraph' as const, text })),
  prose.map((text) => ({ kind: 'list' as const, text: text.replaceAll('\n', '\n- ') })),
  prose.map((text) => ({ kind: 'code' as const, text })),
  fc.tuple(fc.integer({ min: 1, max: 6 }), prose).map(([level, text]) => ({ kind: 'heading' as const, level, text: text.slice(0, 300) })),
  fc
    .array(row, { maxLength: 40 })
    .map((rows) => ({ kind: 'table' as const, text: [rows[0] ?? '', '| --- | --- |', ...rows.slice(1)].join('\n') })),
)
const settings: fc.Arbitrary<ChunkingSettings> = fc
  .tuple(fc.constantFrom(...strategies), fc.integer({ min: 64, max: 300 }), fc.double({ min: 0, max: 0.49, noNaN: true }))
  .map(([strategy, size, share]) => ({ strategy, size, overlap: Math.floor(size * share) }))

describe('chunkDocument', () => {
  it('covers any document within the size limit, deterministically', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(draft, { maxLength: 25 }),
        fc.constantFrom(null, 'en', 'de', 'zh'),
        settings,
        async (drafts, language, chosen) => {
          const document = documentOf(drafts, language)
          const chunks = await chunkDocument(document, chosen)
          expectSound(document, chunks, chosen)
          expect(await chunkDocument(document, chosen)).toEqual(chunks)
        },
      ),
      { numRuns: 150 },
    )
  })

  const monsters: Record<string, ExtractedDocument> = {
    'a line of 600,000 characters': documentOf([paragraph('x'.repeat(600_000))]),
    'a line of mixed signs without blanks': documentOf([
      paragraph(Array.from({ length: 100_000 }, (_, i) => String.fromCharCode(33 + ((i * 7919) % 90))).join('')),
    ]),
    'Chinese without punctuation': documentOf([paragraph('今天天气很好我们去公园'.repeat(5_000))], 'zh'),
    'families of emoji': documentOf([paragraph('👨‍👩‍👧'.repeat(5_000))]),
    'graphemes of 300 marks': documentOf([paragraph(`a${'\u0301'.repeat(300)}`.repeat(20))]),
    '10,000 tiny paragraphs': documentOf(Array.from({ length: 10_000 }, (_, i) => paragraph(`No ${i}`))),
    'thousands of headings': documentOf(Array.from({ length: 3_000 }, (_, i) => heading(1 + (i % 6), `Part ${i}`))),
    'a table of 5,000 rows': documentOf([
      {
        kind: 'table',
        text: ['| id | name |', '| --- | --- |', ...Array.from({ length: 5_000 }, (_, i) => `| ${i} | item ${i} |`)].join('\n'),
      },
    ]),
    'blocks of nothing': documentOf([
      paragraph(''),
      heading(1, ' '),
      paragraph('\n'),
      { kind: 'table', text: '' },
      { kind: 'code', text: ' ' },
    ]),
  }
  for (const [name, document] of Object.entries(monsters))
    it.each(strategies)(`%s: ${name}`, async (strategy) => {
      const chosen = { strategy, size: 512, overlap: 64 }
      const chunks = await chunkDocument(document, chosen)
      expectSound(document, chunks, chosen)
      expect(chunks.length > 0).toBe(document.text.trim() !== '')
    })

  it('returns one chunk for a document with only headings', async () => {
    const [chunk, ...others] = await chunkDocument(documentOf([heading(1, 'Manual'), heading(2, 'Setup')]), {
      strategy: 'semantic',
      size: 512,
      overlap: 64,
    })
    expect(others).toEqual([])
    expect(chunk?.text).toBe('Manual\n\nSetup')
    expect(chunk?.headingPath).toEqual(['Manual'])
  })

  it('starts chunks at headings and records the heading path', async () => {
    const long = Array.from({ length: 28 }, (_, i) => `The pump number ${i} moves water from the lower tank.`).join(' ')
    const document = documentOf([
      heading(1, 'Manual'),
      paragraph(long),
      heading(2, '## Pumps ##'),
      paragraph(long),
      heading(1, 'Safety'),
      paragraph(long),
    ])
    for (const strategy of ['semantic', 'markdown'] as const) {
      const chunks = await chunkDocument(document, { strategy, size: 512, overlap: 0 })
      const pumps = chunks.find(({ text }) => text.startsWith('## Pumps ##'))
      expect(pumps?.headingPath).toEqual(['Manual', 'Pumps'])
      expect(chunks.find(({ text }) => text.includes('Safety'))?.text).toMatch(/^Safety\n\nThe pump/)
      expect(chunks.at(-1)?.headingPath).toEqual(['Safety'])
    }
  })

  it('cites the pages on which the text of a chunk stands, in blocks over several pages', async () => {
    const items = Array.from({ length: 60 }, (_, at) => `- Item ${at} is checked before the trailer leaves the yard.`)
    const text = items.join('\n')
    const pages = [20, 40].map((item, at) => ({ start: text.indexOf(`- Item ${item} `), page: at + 5 }))
    const document = documentOf([{ kind: 'list', text, page: 4 }])
    const [block] = document.blocks
    const chunks = await chunkDocument(
      { ...document, blocks: block ? [{ ...block, pages }] : [] },
      { strategy: 'semantic', size: 128, overlap: 0 },
    )
    const pageOf = (item: number): number => 4 + Math.floor(item / 20)
    expect(chunks.length).toBeGreaterThan(5)
    for (const chunk of chunks) {
      const numbers = [...chunk.text.matchAll(/Item (\d+)/g)].map(([, item]) => Number(item))
      expect([chunk.page, chunk.pageEnd]).toEqual([pageOf(numbers[0] ?? -1), pageOf(numbers.at(-1) ?? -1)])
    }
  })

  it('takes the title of a heading from the outline of the document', async () => {
    const document = documentOf([heading(1, 'CHAPTER ONE HIRE'), paragraph('Keys are in the rack.')])
    const blocks = document.blocks.map((block, at) => (at === 0 ? { ...block, title: 'Hire' } : block))
    const chunks = await chunkDocument({ ...document, blocks }, { strategy: 'semantic', size: 128, overlap: 0 })
    expect(chunks[0]).toMatchObject({ headingPath: ['Hire'], text: 'CHAPTER ONE HIRE\n\nKeys are in the rack.' })
  })

  it('merges small sections of the same parent, but not of different parents', async () => {
    const long = Array.from({ length: 40 }, (_, i) => `The pump number ${i} moves water from the lower tank.`).join(' ')
    const document = documentOf([
      heading(1, 'A'),
      paragraph(long),
      heading(2, 'A1'),
      paragraph('One.'),
      heading(2, 'A2'),
      paragraph('Two.'),
      heading(1, 'B'),
      heading(2, 'B1'),
      paragraph('Three.'),
    ])
    const chunks = await chunkDocument(document, { strategy: 'semantic', size: 512, overlap: 64 })
    expect(chunks.slice(-2).map(({ text }) => text)).toEqual(['A1\n\nOne.\n\nA2\n\nTwo.', 'B\n\nB1\n\nThree.'])
    expect(chunks.slice(-2).map(({ headingPath }) => headingPath)).toEqual([['A'], ['B']])
  })

  it('repeats the header of a split table outside the span', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `| ${i} | a part made of steel |`)
    const document = documentOf([{ kind: 'table', text: ['| no | part |', '| --- | --- |', ...rows].join('\n') }])
    for (const strategy of ['semantic', 'sentence', 'markdown'] as const) {
      const chunks = await chunkDocument(document, { strategy, size: 128, overlap: 0 })
      expect(chunks.length).toBeGreaterThan(2)
      for (const chunk of chunks.slice(1))
        expect(chunk.text).toBe(`| no | part |\n| --- | --- |\n${document.text.slice(chunk.start, chunk.end)}`)
      const shown = chunks.flatMap(({ start, end }) => document.text.slice(start, end).split('\n')).filter((line) => line.startsWith('|'))
      expect(shown.slice(2)).toEqual(rows)
    }
  })

  it('keeps tables and code blocks that fit in one chunk', async () => {
    const table = ['| k | v |', '| --- | --- |', ...Array.from({ length: 30 }, (_, i) => `| ${i} | ${i} |`)].join('\n')
    const code = Array.from({ length: 30 }, (_, i) => `  run(step${i})`).join('\n')
    const document = documentOf([
      paragraph('Before. '.repeat(60)),
      { kind: 'table', text: table },
      { kind: 'code', text: code },
      paragraph('After. '.repeat(60)),
    ])
    for (const strategy of ['semantic', 'sentence', 'markdown'] as const) {
      const chunks = await chunkDocument(document, { strategy, size: 512, overlap: 64 })
      expect(chunks.some(({ text }) => text.includes(table))).toBe(true)
      expect(chunks.some(({ text }) => text.includes(code.trim()))).toBe(true)
    }
  })

  it('joins the end of a paragraph to the chunk before it, unless the repeated sentences make it long enough', async () => {
    const pumps = Array.from({ length: 12 }, (_, at) => `The pump number ${at} moves water from the lower tank.`).join(' ')
    const chunksOf = (last: string, overlap: number): Promise<Chunk[]> =>
      chunkDocument(documentOf([paragraph(`${pumps} ${last}`)]), { strategy: 'semantic', size: 512, overlap })
    const long = 'Visitors reach the museum by tram, line two, and buy their tickets at the counter beside the old bakery.'
    expect(await chunksOf(long, 0)).toHaveLength(1)
    const repeating = await chunksOf(long, 64)
    expect(repeating).toHaveLength(2)
    expect(repeating[1]?.text).toMatch(/^The pump number 7 .* old bakery\.$/)
    expect(await chunksOf('The tram goes to the museum.', 64)).toHaveLength(1)
  })

  it.each([256, 512, 1_024])('joins the sentence before a table to it, within the section, in chunks of up to %s tokens', async (size) => {
    const rows = Array.from({ length: Math.round(size / 24) }, (_, at) => `| town number ${at} | at ${at % 12} |`)
    const document = documentOf([
      heading(1, 'Opening hours'),
      paragraph(`${'Most towns close early. '.repeat(Math.round(size / 150))}The table has the hours.`),
      { kind: 'table', text: ['| town | opens |', '| --- | --- |', ...rows].join('\n') },
      heading(1, 'Contact'),
      paragraph('Call the office.'),
    ])
    const chunks = await chunkDocument(document, { strategy: 'semantic', size, overlap: 0 })
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([['Opening hours'], ['Contact']])
  })

  it('overlaps whole sentences, limited in tokens, only inside paragraphs', async () => {
    const text = Array.from({ length: 80 }, (_, i) => `Sentence number ${i} ends here.`).join(' ')
    const document = documentOf([paragraph(text)])
    const chunks = {
      sentence: await chunkDocument(document, { strategy: 'sentence', size: 100, overlap: 20 }),
      fixed: await chunkDocument(document, { strategy: 'fixed', size: 100, overlap: 20 }),
      semantic: await chunkDocument(document, { strategy: 'semantic', size: 512, overlap: 20 }),
    }
    for (const [strategy, list] of Object.entries(chunks))
      list.slice(1).forEach((chunk, i) => {
        const repeated = document.text.slice(chunk.start, list[i]?.end)
        expect(repeated, strategy).not.toBe('')
        expect(countTokens(repeated)).toBeLessThanOrEqual(20)
        if (strategy !== 'fixed') expect(chunk.text).toMatch(/^Sentence number \d+ ends here\..*\.$/)
        if (strategy === 'fixed') expect(countTokens(repeated)).toBeGreaterThan(17)
      })
    const apart = await chunkDocument(documentOf([paragraph(text), heading(1, 'Next'), paragraph(text)]), {
      strategy: 'semantic',
      size: 512,
      overlap: 64,
    })
    expect(apart.filter(({ text: own }) => own.includes('Next')).map(({ text: own }) => own.startsWith('Next'))).toEqual([true])
  })

  it('fills fixed chunks to the size', async () => {
    const document = documentOf([paragraph(Array.from({ length: 900 }, (_, i) => `word${i}`).join(' '))])
    const chunks = await chunkDocument(document, { strategy: 'fixed', size: 128, overlap: 0 })
    for (const { tokens } of chunks.slice(0, -1)) expect(tokens).toBeGreaterThan(123)
  })

  it('records the start second of a chunk, interpolated inside a block', async () => {
    const words = (count: number): string => Array.from({ length: count }, (_, at) => `word${at % 10}`).join(' ')
    const spoken = [
      { kind: 'paragraph', text: words(100), startSecond: 40 },
      { kind: 'paragraph', text: words(20), startSecond: 60 },
    ] as const
    const chunks = await chunkDocument(documentOf(spoken), { strategy: 'fixed', size: 64, overlap: 0 })
    const seconds = chunks.map(({ start, startSecond }) => [startSecond, start])
    const behind = chunks.map(({ start }) => (start < 600 ? Math.max(40, Math.floor(40 + (20 * start) / 599 - 2)) : 60))
    expect(seconds).toEqual(chunks.map(({ start }, at) => [behind[at], start]))
    expect(new Set(behind).size).toBeGreaterThan(2)
    const [silent] = await chunkDocument(documentOf([paragraph('Not spoken.')]), { strategy: 'fixed', size: 64, overlap: 0 })
    expect(silent?.startSecond).toBeNull()
  })

  it('records the first and last page of a chunk', async () => {
    const document = {
      ...documentOf([
        { kind: 'paragraph', text: 'On the first page.', page: 1 },
        { kind: 'paragraph', text: 'On the third.', page: 3 },
      ]),
      pages: 3,
    }
    const [chunk] = await chunkDocument(document, { strategy: 'semantic', size: 512, overlap: 64 })
    expect(chunk).toMatchObject({ page: 1, pageEnd: 3 })
    const [plain] = await chunkDocument(documentOf([paragraph('No pages.')]), { strategy: 'fixed', size: 512, overlap: 64 })
    expect(plain).toMatchObject({ page: null, pageEnd: null })
  })
})

describe('line-oriented text', () => {
  const random = (seed: number) => Math.floor(Math.abs(Math.sin(seed * 12.9898) * 43758.5453) * 1_000)
  const vocabulary = 'pump valve tank pressure closed opened reading of at the main lower upper sensor with warning after restart'.split(
    ' ',
  )
  const phrase = (seed: number, words: number): string =>
    Array.from({ length: words }, (_, at) => vocabulary[random(seed * 31 + at) % vocabulary.length]).join(' ')
  const linesOf = (count: number, line: (at: number) => string): string => Array.from({ length: count }, (_, at) => line(at)).join('\n')
  const time = (at: number): string => new Date(1_767_600_000_000 + at * 7_919).toISOString()

  const texts: Readonly<Record<string, string>> = {
    'a log': linesOf(
      400,
      (at) => `${time(at)} INFO ${phrase(at, 4 + (random(at) % 9))}. Took ${random(at)} ms. Next: ${phrase(at + 7, 2)}`,
    ),
    'a log with lines of one length': linesOf(
      400,
      (at) => `[${String(at).padStart(6, '0')}] ${phrase(at, 6).padEnd(60, '.').slice(0, 60)}`,
    ),
    'a list of words': linesOf(3_000, (at) => phrase(at, 1 + (at % 2))),
    'a transcript': linesOf(200, (at) => `${at % 2 === 0 ? 'Anna' : 'Boris'}: ${phrase(at, 3 + (random(at) % 25))}. ${phrase(at + 3, 4)}?`),
    'a poem': linesOf(300, (at) => phrase(at, 3 + (random(at) % 6))),
  }
  for (const [name, text] of Object.entries(texts))
    it.each(['semantic', 'sentence', 'markdown'] as const)(`is cut at line ends: ${name}, %s`, async (strategy) => {
      const chunks = await chunkDocument(documentOf([paragraph(text)]), { strategy, size: 256, overlap: 0 })
      expect(chunks.filter(({ start }) => start > 0 && text[start - 1] !== '\n')).toEqual([])
      expect(chunks.filter(({ end, start }) => end - start < 40)).toEqual([])
    })

  it('is cut evenly between words where a line is longer than a chunk', async () => {
    const text = linesOf(6, (at) => `{"at":"${time(at)}","message":"${phrase(at, 90 + at * 3)}"}`)
    const chunks = await chunkDocument(documentOf([paragraph(text)]), { strategy: 'semantic', size: 64, overlap: 0 })
    expect(chunks.filter(({ start }) => start > 0 && /\S\S/.test(text.slice(start - 1, start + 1)))).toEqual([])
    expect(Math.min(...chunks.map(({ tokens }) => tokens))).toBeGreaterThan(20)
  })

  it('keeps a word whole that fits a chunk', async () => {
    const path = Array.from({ length: 40 }, (_, at) => `part${at}`).join('/')
    const text = `${phrase(1, 30)} ${path} ${phrase(2, 30)}`
    for (const strategy of strategies) {
      const chunks = await chunkDocument(documentOf([paragraph(text)]), { strategy, size: 150, overlap: 0 })
      expect(
        chunks.some((chunk) => chunk.text.includes(path)),
        strategy,
      ).toBe(true)
    }
  })

  it('is told from wrapped prose, which is cut at sentences', async () => {
    const sentences = Array.from({ length: 200 }, (_, at) => `The ${phrase(at, 9 + (random(at) % 7))} ends here.`).join(' ')
    const wrapped = sentences.replace(/(.{50,70}) /g, '$1\n')
    const chunks = await chunkDocument(documentOf([paragraph(wrapped)]), { strategy: 'semantic', size: 256, overlap: 0 })
    expect(chunks.filter(({ text }) => !/^The\s[^]*\shere\.$/.test(text))).toEqual([])
  })

  it('is told from long paragraphs after short lines', async () => {
    const sentences = Array.from({ length: 60 }, (_, at) => `The ${phrase(at, 11)} ends here.`).join(' ')
    const text = `The ${phrase(1, 14)}\nwith ${phrase(2, 3)}\nand ${phrase(3, 12)} ends here. ${sentences}`
    const chunks = await chunkDocument(documentOf([paragraph(text)]), { strategy: 'semantic', size: 256, overlap: 0 })
    expect(chunks.filter((chunk) => !/^The\s[^]*\shere\.$/.test(chunk.text))).toEqual([])
  })
})
