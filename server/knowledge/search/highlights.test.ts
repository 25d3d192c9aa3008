import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { addPassages } from '../../testing/passages.ts'
import { newBase } from '../../testing/sources.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'
import { weightedTerms } from '../index/query-terms.ts'
import { assembleReply } from './assemble-reply.ts'
import { passageComparer } from './highlights.ts'
import { orderBySentences } from './order-by-sentences.ts'

/** Returns the highlighted texts of a passage. */
function highlighted(
  query: string,
  text: string,
  { language = 'en', title = null as string | null, headingPath = [] as string[] } = {},
): string[] {
  const compare = passageComparer({ text: query, ...weightedTerms(query, '', [language]) })
  return compare({ text, language, citation: { title, headingPath } }).highlights.map(({ start, end }) => text.slice(start, end))
}

describe('the highlights of a passage', () => {
  it.each([
    [
      'When was the workshop founded?',
      'The workshop repairs bicycles. It was founded by two brothers. Its founding in 1987 followed the closing of the mill.',
      'Its founding in 1987 followed the closing of the mill.',
    ],
    [
      'Who leads the workshop?',
      'The workshop is led by a board. Today Maria Lind leads the workshop. It has nine employees.',
      'Today Maria Lind leads the workshop.',
    ],
    [
      'How much is the deposit?',
      'A deposit is needed. The deposit is 350 euros. We do not accept cash for it.',
      'The deposit is 350 euros.',
    ],
    [
      'Why is the bridge closed?',
      'The bridge is closed. Boats go daily. The bridge remains closed because a pillar has cracks.',
      'The bridge remains closed because a pillar has cracks.',
    ],
    [
      'Where does the ferry land?',
      'The ferry is slow. The ferry lands at Porto Vecchio. The ferry carries bicycles.',
      'The ferry lands at Porto Vecchio.',
    ],
    [
      'What is the fee for late returns?',
      'What is the fee for late returns? We charge 20 euros for each late return.',
      'We charge 20 euros for each late return.',
    ],
  ])('%s', (query, text, best) => {
    expect(highlighted(query, text)[0]).toBe(best)
  })

  it.each([
    [
      'de',
      'Wann wurde die Brücke gebaut?',
      'Die Brücke ist alt. Gebaut wurde die Brücke im Jahr 1911. Die Brücke trägt auch Züge.',
      'Gebaut wurde die Brücke im Jahr 1911.',
    ],
    [
      'es',
      '¿Cuánto cuesta el depósito?',
      'El depósito es obligatorio. El depósito cuesta 350 euros. No se acepta efectivo.',
      'El depósito cuesta 350 euros.',
    ],
    ['und', '什么时候开门？', '商店很大。商店九点开门。停车免费。', '商店九点开门。'],
  ])('in the language %s', (language, query, text, best) => {
    expect(highlighted(query, text, { language })[0]).toBe(best)
  })

  it('is the row of a table whose header has the other words of the question', () => {
    const text =
      'Rental prices\n\n| Class | Price | Deposit |\n| --- | --- | --- |\n| City bike | £18 | £150 |\n| E-bike | £35 | £350 |\n\nThe deposit is blocked on the card.'
    expect(highlighted('How much is the deposit for an e-bike?', text, { headingPath: ['Rental prices'] })[0]).toBe(
      '| E-bike | £35 | £350 |',
    )
  })

  it('is an item of a list, and a line of code', () => {
    const list = 'Bring along:\n\n- a helmet with a visor\n- gloves for winter rides\n- a lock'
    expect(highlighted('Which gloves do I need for winter?', list)[0]).toBe('- gloves for winter rides')
    const code = 'const retries = 3\nconst timeout = 5_000;\nfunction connect() {\n  open(timeout);\n}'
    expect(highlighted('retries', code)[0]).toBe('const retries = 3')
  })

  it('is never a heading above the passage if there is other text', () => {
    expect(highlighted('opening hours', 'Opening hours\n\nDaily from nine.', { headingPath: ['Opening hours'] })).toEqual([
      'Daily from nine.',
    ])
    expect(highlighted('opening hours', 'Opening hours', { headingPath: ['Opening hours'] })).toEqual(['Opening hours'])
  })

  it('are one to three distinct spans, also without words of the question', () => {
    const text = Array.from({ length: 20 }, (_, at) => `Sentence number ${at} is about bicycles.`).join(' ')
    for (const query of ['bicycles', 'unrelated', '?', '自行车']) {
      const found = highlighted(query, text)
      expect(found.length).toBeGreaterThanOrEqual(1)
      expect(found.length).toBeLessThanOrEqual(3)
      expect(new Set(found).size).toBe(found.length)
    }
    expect(highlighted('bicycles', ' \n ')).toEqual([])
    expect(highlighted('bicycles', '---')).toEqual(['---'])
  })

  it.each([
    ['a long word', 'a'.repeat(20_000)],
    ['many bars', '|'.repeat(20_000)],
    ['many lines', '- x\n'.repeat(5_000)],
    ['surrogates', '😀 '.repeat(5_000)],
    ['spaces', `${' \n'.repeat(10_000)}x`],
  ])('are spans of the text for %s', (_, text) => {
    const { highlights } = passageComparer({ text: 'When is x?', ...weightedTerms('When is x?', '', ['en']) })({
      text,
      language: 'en',
      citation: { title: null, headingPath: [] },
    })
    for (const { start, end } of highlights) {
      expect(start).toBeGreaterThanOrEqual(0)
      expect(end).toBeGreaterThan(start)
      expect(end).toBeLessThanOrEqual(text.length)
    }
  })
})

describe('a search', async () => {
  const { organization } = await testApp({ embedder: unitEmbedder })
  const owner = await organization()
  const base = await newBase(owner)
  await addPassages(owner, base, ['Apples are red. A plum costs 3 euros. Pears are green.', 'Nothing else.'])

  it.each([{}, { hybridSearch: false }, { partial: true }, { neighbours: 1, explain: true }])('highlights with %o', async (options) => {
    const { body } = await owner.call('POST', `/v1/bases/${base}/search`, { query: 'How much is a plum', ...options })
    const [hit] = body.data.filter(({ text }: { text: string }) => text.includes('plum'))
    expect(hit.highlights[0]).toEqual({ start: 16, end: 37 })
    expect(body.degraded).toEqual([])
  })

  it('leaves them out if there is no time left after the search', () => {
    const citation = { page: null, pageEnd: null, startSecond: null, headingPath: [], start: 0, end: 7, title: null }
    const ids = { chunkId: randomUUID(), sourceId: randomUUID(), baseId: randomUUID() }
    const scores = { vector: null, lexical: 0.5, agreement: null }
    const scored = { score: 0.5, relevance: 0.3, calibration: { slope: 8, midpoint: 0.3 }, scores }
    const hit = { ...ids, ...scored, sourceName: 'S', url: null, text: 'A plum.', citation, language: 'en', duplicates: 0 }
    const retrieved = {
      embedded: [{ vector: null }],
      hybridSearch: true,
      topK: 1,
      similarityThreshold: 0,
      rerank: false,
      extras: { rerank: false, neighbours: undefined, explain: undefined },
      hits: [hit],
      isLagging: false,
      confidence: 1,
      question: { text: 'plum', ...weightedTerms('plum', '', ['en']) },
      embeddedAt: 0,
      searchedAt: 0,
    }
    const replyWith = (leftMs: number) => {
      const budget = { leftMs: () => leftMs }
      const ordered = orderBySentences(retrieved, budget)
      return assembleReply({ query: 'plum', input: { query: 'plum' }, startedAt: 0, budget, retrieved, ordered, reranked: null })
    }
    expect(replyWith(0)).toMatchObject({
      degraded: ['vector', 'highlights'],
      data: [{ highlights: [], score: 0.5, scores: { sentence: null } }],
    })
    expect(replyWith(5)).toMatchObject({
      degraded: ['vector'],
      data: [{ highlights: [{ start: 0, end: 7 }], scores: { sentence: 0 } }],
    })
  })
})
