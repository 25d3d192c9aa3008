import { describe, expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { testApp } from '../../testing/app.ts'
import { analyze } from '../index/analyze.ts'
import { searchChunks, type ChunkQuery, type Hit } from './search-chunks.ts'
import { calibrated } from '../index/scoring.ts'
import { searchIndexes } from '../index/search-indexes.ts'
import { readSearchScope, type SourceSelection } from '../index/search-scope.ts'
import { deleteGeneration, deleteSourceIndex } from '../index/remove.ts'
import { countChunks, writeChunks } from '../index/write.ts'
import { hostileStrings } from '../../testing/hostile-values.ts'
import { direction, indexedBases, random, randomTexts, type TestQuery } from '../../testing/indexed-bases.ts'

const app = await testApp()
const { database } = app
const newBase = indexedBases(app)
const next = random(7)
const randomText = randomTexts(next)

/** Returns the number of rows of a generation by kind, and of postings of any term. */
async function rowsOf(generation: number): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<Record<string, number>>(
    `select (select count(*) from chunk where generation = $1) as chunks, (select count(*) from chunk_embedding where generation = $1) as vectors,
       (select coalesce(sum(cardinality(entries)), 0)::bigint from posting where generation = $1 and term = '') as lexical,
       (select count(*) from posting where generation = $1) as postings`,
    [generation],
  )
  return rows[0] ?? {}
}

/** BM25 as the book has it, over plain arrays; the search counts at least 150 chunks. */
function bm25(texts: readonly string[], query: string): number[] {
  const documents = texts.map((text) => analyze(text, 'en'))
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length
  return documents.map((document) =>
    analyze(query, 'en').reduce((sum, term) => {
      const frequency = document.filter((each) => each === term).length
      const having = documents.filter((each) => each.includes(term)).length
      const weight = Math.log(1 + (Math.max(150, documents.length) - having + 0.5) / (having + 0.5))
      return sum + (weight * frequency) / (frequency + 1.2 * (1 - 0.75 + (0.75 * document.length) / mean))
    }, 0),
  )
}

/** BM25 at which the lexical score is one half, in a base of so many chunks. */
const halfLexicalOf = (chunks: number): number => 20 * Math.min(1, Math.log(2 + Math.max(150, chunks)) / Math.log(1000))

/** Text and BM25 of all that have any, as the book and as the search have it. */
async function bothWays(texts: readonly string[], search: (query: TestQuery) => Promise<Hit[]>, queryText: string) {
  const hits = await search({ queryText, topK: 100 })
  const byText = (pairs: [string, number][]) => pairs.toSorted(([one], [other]) => (one < other ? -1 : 1))
  const scores = bm25(texts, queryText)
  return {
    book: byText(texts.map((text, index): [string, number] => [text, scores[index] ?? 0]).filter(([, score]) => score > 0)),
    search: byText(
      hits.map(({ text, scores: { lexical } }) => [text, (halfLexicalOf(texts.length) * (lexical ?? 0)) / (1 - (lexical ?? 0))]),
    ),
  }
}

/** The search adds numbers of single precision. */
const nearly = (pairs: readonly [string, number][]) => pairs.map(([text, score]) => [text, expect.closeTo(score, 5)])

describe('the lexical score', () => {
  it('is BM25 across sources, also after some are deleted', async () => {
    const { add, search, within } = await newBase()
    const texts = [...new Set(Array.from({ length: 80 }, randomText))]
    await add(texts.slice(0, 40).map((text) => ({ text })))
    const middle = await add(texts.slice(40, 60).map((text) => ({ text })))
    for (const text of texts.slice(60)) await add([{ text }])
    const queries = ['term0 term7 term30', 'term55', 'term1 term1 term2', randomText()]
    for (const query of queries) {
      const all = await bothWays(texts, search, query)
      expect(all.search).toEqual(nearly(all.book))
    }
    await within((trx) => trx.deleteFrom('source').where('id', '=', middle.sourceId).execute())
    const left = [...texts.slice(0, 40), ...texts.slice(60)]
    for (const query of queries) {
      const less = await bothWays(left, search, query)
      expect(less.search).toEqual(nearly(less.book))
    }
  })

  it('counts a term of a title or heading two more times', async () => {
    const { add, search } = await newBase()
    await add([{ text: 'fees refunds fees', headingPath: ['Refunds'] }], { title: 'Refunds' })
    await add([{ text: 'refunds fees fees' }])
    const hits = await search({ queryText: 'refund' })
    expect(hits.map(({ citation }) => citation.headingPath)).toEqual([['Refunds'], []])
  })

  it('analyzes the query in the language of each document', async () => {
    const { add, search } = await newBase()
    await add([{ text: 'Die Häuser am Fluss' }], { language: 'de' })
    await add([{ text: 'The houses by the river' }], { language: 'en' })
    expect((await search({ queryText: 'ein Haus' })).map(({ text }) => text)).toEqual(['Die Häuser am Fluss'])
    expect((await search({ queryText: 'a house' })).map(({ text }) => text)).toEqual(['The houses by the river'])
  })
})

describe('the scale of scores', () => {
  const competences: Readonly<Record<string, number>> = { en: 1, nl: 0.35, vi: 0 }
  const hybrid = { slope: 8, midpoint: 0.3 }
  const byVector = { slope: 5.6, midpoint: 0.545 }
  const byTerms = { slope: 6.5, midpoint: 0.245 }

  async function baseIn(languages: readonly string[]) {
    const { ctx, add, baseId } = await newBase()
    for (const language of languages) {
      await add([{ text: `fiets ${language}`, vector: direction(1) }], { language })
      await add([{ text: `huur ${language}`, vector: direction(1.2) }], { language })
    }
    const competence = (language: string | null): number => competences[language ?? 'en'] ?? 0
    const context = { ...ctx, indexes: searchIndexes({ maxBytes: 1e8 }) }
    const embedded = [{ embedder: { ...ctx.embedder, competence }, vector: direction(0), competence: 1, failed: false }]
    return async ({ sourceIds, ...query }: Partial<ChunkQuery> & SourceSelection): Promise<Hit[]> => {
      const scope = await readSearchScope(ctx, [baseId], { sourceIds, reindexId: undefined })
      const defaults = { baseIds: [baseId], scope, embedded, queryText: 'fiets', topK: 10, hybridSearch: true }
      return (await searchChunks(context, { ...defaults, ...query })).hits
    }
  }

  it('is that of vectors in a language that the model knows little', async () => {
    const search = await baseIn(['nl'])
    const hits = await search({ hybridSearch: false })
    expect(hits.map(({ text }) => text)).toEqual(['fiets nl', 'huur nl'])
    for (const { score, scores } of hits) {
      expect(scores.vector).toBeGreaterThan(0.3)
      expect(score).toBeCloseTo(calibrated(scores.vector ?? 0, byVector), 6)
    }
  })

  it('is that of terms in languages that the model does not know', async () => {
    const search = await baseIn(['vi'])
    for (const hybridSearch of [true, false]) {
      const [{ score, scores } = { score: 0, scores: null }] = await search({ hybridSearch })
      expect(scores).toMatchObject({ vector: null, lexical: expect.any(Number) })
      expect(score).toBeCloseTo(calibrated(scores?.lexical ?? 0, byTerms), 6)
    }
  })

  it('is that of terms for a question in a language that the model does not know, among others', async () => {
    const search = await baseIn(['en', 'vi'])
    const hits = await search({ queryText: 'Thuê fiets là bao nhiêu?' })
    expect(hits.map(({ text, scores }) => [text, scores.vector])).toEqual([
      ['fiets en', null],
      ['fiets vi', null],
    ])
    expect(hits[0]?.score).toBeCloseTo(calibrated(hits[0]?.scores.lexical ?? 0, byTerms), 6)
    const inEnglish = await search({ queryText: 'What is the price of a fiets?' })
    expect(inEnglish.map(({ text, scores }) => [text, scores.vector !== null])).toEqual([
      ['fiets en', true],
      ['fiets vi', false],
      ['huur en', true],
    ])
  })

  it('is the same for all hits of a knowledge base in several languages', async () => {
    const search = await baseIn(['en', 'vi', 'nl'])
    for (const hybridSearch of [true, false]) {
      const hits = await search({ hybridSearch })
      expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a))
      const unknown = hits.find(({ text }) => text === 'fiets vi')
      expect(unknown?.scores.vector).toBeNull()
      expect(unknown?.score).toBeCloseTo(calibrated(unknown?.scores.lexical ?? 0, hybridSearch ? hybrid : byVector), 6)
      expect(await search({ hybridSearch, topK: 1 })).toEqual(hits.slice(0, 1))
      expect(await search({ hybridSearch, sourceIds: [unknown?.sourceId ?? ''] })).toEqual([unknown])
    }
  })
})

describe('searchChunks', () => {
  it('returns text, source and citation', async () => {
    const { add, search, baseId } = await newBase()
    const { sourceId } = await add([{ text: 'zero' }, { text: 'The answer is 42', headingPath: ['Answers', 'All', ''] }])
    const bm25OfAnswer = 0.3649635 * Math.log(1 + 149.5 / 1.5)
    const lexical = bm25OfAnswer / (bm25OfAnswer + halfLexicalOf(2))
    // Both have the query's own vector, and so agree with each other by their matches.
    const match = (1 + 2.5 * lexical) / 3.5
    const agreement = (match + 1 / 3.5) / 2
    expect(await search({ queryText: '42', queryVector: direction(0) })).toEqual([
      {
        chunkId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        sourceId,
        baseId,
        sourceName: 'A source',
        url: 'https://example.com/',
        text: 'The answer is 42',
        language: 'en',
        relevance: expect.closeTo((match + 0.4 * agreement) / 1.4, 5),
        calibration: { slope: 8, midpoint: 0.3 },
        score: expect.closeTo(calibrated((match + 0.4 * agreement) / 1.4, { slope: 8, midpoint: 0.3 }), 5),
        scores: { vector: expect.closeTo(1, 5), lexical: expect.closeTo(lexical, 5), agreement: expect.closeTo(agreement, 5) },
        citation: { page: 3, pageEnd: null, startSecond: null, headingPath: ['Answers', 'All', ''], start: 10, end: 26, title: null },
      },
      expect.objectContaining({
        text: 'zero',
        scores: { vector: expect.closeTo(1, 5), lexical: 0, agreement: expect.closeTo(agreement, 5) },
      }),
    ])
  })

  it('only finds live generations of enabled sources', async () => {
    const { ctx, write, newSource, serve, search, within, baseId } = await newBase()
    const { sourceId, generation } = await newSource()
    const texts = async () => (await search({ queryText: 'apple', queryVector: direction(0) })).map(({ text }) => text)
    await write(sourceId, generation, [{ text: 'an old apple' }])
    expect(await texts()).toEqual([])
    await serve(sourceId, generation)
    expect(await texts()).toEqual(['an old apple'])
    await write(sourceId, generation + 1_000_000, [{ text: 'a new apple' }, { text: 'and apple pie' }])
    const [before] = await search({ queryText: 'apple' })
    expect(await texts()).toEqual(['an old apple'])
    await within(async (trx) => {
      await trx
        .updateTable('source')
        .set({ live_generation: generation + 1_000_000 })
        .where('id', '=', sourceId)
        .execute()
      await deleteGeneration(ctx, trx, { baseId, generation })
    })
    expect((await texts()).toSorted()).toEqual(['a new apple', 'and apple pie'])
    expect(before?.score).toBeGreaterThan(0)
    await database.pool.query('update source set enabled = false where id = $1', [sourceId])
    expect(await texts()).toEqual([])
  })

  it('only appends results for a larger topK', async () => {
    const { add, search } = await newBase()
    for (let source = 0; source < 10; source++)
      await add(Array.from({ length: 8 }, () => ({ text: randomText(), vector: direction(next() * 3) })))
    for (const options of [{}, { hybridSearch: false }, { queryVector: null }, { perSourceLimit: 3 }]) {
      const ask = async (topK: number) =>
        (await search({ queryText: 'term1 term8 term20', queryVector: direction(0.1), topK, ...options })).map(({ chunkId }) => chunkId)
      const longest = await ask(100)
      expect(longest.length).toBeGreaterThan(25)
      for (const topK of [1, 5, 25]) expect(await ask(topK)).toEqual(longest.slice(0, topK))
    }
  })

  it('scores from 0 to 1, best first', async () => {
    const { add, search } = await newBase()
    await add(Array.from({ length: 40 }, () => ({ text: randomText(), vector: direction(next() * 6) })))
    for (const options of [{}, { hybridSearch: false }, { queryVector: null }]) {
      const query = { queryText: 'term1 term8 term20', queryVector: direction(0), topK: 100, ...options }
      const all = await search(query)
      const scores = all.map(({ score }) => score)
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    }
  })

  it('orders equal scores by age, then by position', async () => {
    const { add, search } = await newBase()
    const [first, second] = [await add([{ text: 'twin' }, { text: 'twin' }]), await add([{ text: 'twin' }])]
    const expected = [
      [first.sourceId, 0],
      [first.sourceId, 10],
      [second.sourceId, 0],
    ]
    for (const query of [{ queryVector: direction(0) }, { queryText: 'twin' }]) {
      expect((await search(query)).map((hit) => [hit.sourceId, hit.citation.start])).toEqual(expected)
    }
  })

  it('applies perSourceLimit and sourceIds', async () => {
    const { add, search } = await newBase()
    const [many, few] = [
      await add([{ text: 'kiwi' }, { text: 'kiwi kiwi' }, { text: 'kiwi pie' }]),
      await add([{ text: 'a kiwi and more words' }]),
    ]
    const sources = async (options: TestQuery & SourceSelection) =>
      (await search({ queryText: 'kiwi', ...options })).map(({ sourceId }) => sourceId)
    expect((await sources({ perSourceLimit: 1 })).toSorted()).toEqual([many.sourceId, few.sourceId].toSorted())
    expect(await sources({ sourceIds: [few.sourceId] })).toEqual([few.sourceId])
    expect(await sources({ sourceIds: [] })).toEqual([])
    // Statistics stay those of the base: a filter changes no score.
    const [alone] = await search({ queryText: 'kiwi', sourceIds: [few.sourceId] })
    expect((await search({ queryText: 'kiwi' })).find(({ sourceId }) => sourceId === few.sourceId)?.score).toBe(alone?.score)
  })

  it('searches several knowledge bases as one', async () => {
    const one = await newBase()
    const other = await newBase(one.organizationId)
    await one.add([{ text: 'plum one' }])
    await other.add([{ text: 'plum two' }])
    expect((await one.search({ queryText: 'plum' })).map(({ text }) => text)).toEqual(['plum one'])
    const hits = await one.search({ queryText: 'plum', baseIds: [one.baseId, other.baseId] })
    expect(hits.map(({ text }) => text)).toEqual(['plum one', 'plum two'])
    expect(await one.search({ queryText: 'plum', baseIds: [] })).toEqual([])
  })

  it('uses vectors if the query has no terms, and finds nothing without either', async () => {
    const { add, search } = await newBase()
    await add([
      { text: 'far', vector: direction(1) },
      { text: 'near', vector: direction(0.1) },
    ])
    for (const queryText of ['', '🙂', 'what is the']) {
      expect((await search({ queryText, queryVector: direction(0) })).map(({ text }) => text)).toEqual(['near', 'far'])
      expect(await search({ queryText })).toEqual([])
    }
  })

  it('scores a cosine relative to that of unrelated texts', async () => {
    const { add, search } = await newBase()
    await add([{ text: 'x', vector: direction(Math.acos(0.9)) }])
    const [hit] = await search({ queryVector: direction(0), hybridSearch: false, unrelatedCosine: 0.8 })
    expect(hit?.scores.vector).toBeCloseTo(0.5, 3)
  })

  it('finds nothing for another organization', async () => {
    const [mine, theirs] = [await newBase(), await newBase()]
    const source = await theirs.add([{ text: 'secret' }])
    const query = { queryText: 'secret', queryVector: direction(0), baseIds: [mine.baseId, theirs.baseId] }
    expect(await mine.search(query)).toEqual([])
    await mine.within(async (trx) => {
      await deleteSourceIndex(mine.ctx, trx, { baseId: theirs.baseId, sourceId: source.sourceId })
      await deleteGeneration(mine.ctx, trx, { baseId: theirs.baseId, generation: source.generation })
    })
    expect(await theirs.search(query)).toHaveLength(1)
    const target = { organizationId: theirs.organizationId, baseId: theirs.baseId, ...source }
    const row = {
      id: newId(),
      vector: direction(0),
      chunk: { ordinal: 5, text: 'x', start: 0, end: 1, headingPath: [], page: null, pageEnd: null, startSecond: null, tokens: 1 },
    }
    const forged = mine.within((trx) => writeChunks(trx, target, [row], { title: null, language: null }))
    await expect(forged).rejects.toMatchObject({ code: '42501' })
  })

  it('stores and finds any string', async () => {
    const { add, search } = await newBase()
    const strings = hostileStrings.concat(['a\u0000b', '\ud800x', '{"a",NULL}'])
    await add(
      strings.map((text) => ({ text, headingPath: [text] })),
      { title: strings.at(-3) ?? null },
    )
    for (const queryText of strings.filter((_, index) => index % 17 === 0)) {
      expect((await search({ queryText, queryVector: direction(0), topK: 100 })).length).toBe(100)
    }
  })
})

describe('the index in memory', () => {
  it('equals a new index after additions and deletions', async () => {
    const { add, search, within } = await newBase()
    const cramped = searchIndexes({ maxBytes: 0 })
    const sources: string[] = []
    const change = async (step: number): Promise<void> => {
      const source = sources[step % Math.max(sources.length, 1)]
      if (source === undefined || step % 3 === 0) {
        const texts = Array.from({ length: 12 }, () => ({ text: randomText(), vector: direction(next() * 3) }))
        sources.push((await add(texts)).sourceId)
      } else if (step % 3 === 1) {
        await database.pool.query('update source set enabled = not enabled where id = $1', [source])
      } else {
        await within((trx) => trx.deleteFrom('source').where('id', '=', source).execute())
        sources.splice(sources.indexOf(source), 1)
      }
    }
    for (let step = 0; step < 24; step++) {
      await change(step)
      const query = { queryText: `term${step % 9} term0 ${randomText()}`, queryVector: direction(0.3), topK: 100 }
      const [kept, again, afresh] = await Promise.all([
        search(query),
        search(query, cramped),
        search(query, searchIndexes({ maxBytes: 0 })),
      ])
      const told = (hits: Hit[]) => hits.map(({ chunkId, score }) => `${chunkId} ${score.toFixed(9)}`)
      expect(told(kept)).toEqual(told(afresh))
      expect(told(again)).toEqual(told(afresh))
    }
  })
})

describe('countChunks', () => {
  it('counts chunks, including those without terms, and nothing after the source is deleted', async () => {
    const { add, within } = await newBase()
    const { sourceId, generation } = await add([...Array.from({ length: 20 }, () => ({ text: randomText() })), { text: '🙂' }])
    const count = () => within((trx) => countChunks(trx, generation))
    expect(await count()).toBe(21)
    expect(await rowsOf(generation)).toEqual({ chunks: 21, vectors: 21, lexical: 21, postings: expect.any(Number) as number })
    await within((trx) => trx.deleteFrom('source').where('id', '=', sourceId).execute())
    expect(await count()).toBe(0)
    expect(await rowsOf(generation)).toEqual({ chunks: 0, vectors: 0, lexical: 0, postings: 0 })
  })

  it('does not change when a batch is written twice', async () => {
    const { write, newSource, within } = await newBase()
    const { sourceId, generation } = await newSource()
    await write(sourceId, generation, [{ text: 'once' }])
    await expect(write(sourceId, generation, [{ text: 'once' }])).rejects.toMatchObject({ code: '23505' })
    expect(await within((trx) => countChunks(trx, generation))).toBe(1)
    expect(await rowsOf(generation)).toMatchObject({ chunks: 1, vectors: 1, lexical: 1 })
  })

  it('accepts vectors of any supported dimension', async () => {
    const { write, newSource, serve, search } = await newBase()
    const { sourceId, generation } = await newSource()
    const long = Float32Array.from({ length: 3072 }, (_, index) => (index === 0 ? 1 : 0))
    await write(sourceId, generation, [{ text: 'long', vector: long }])
    await serve(sourceId, generation)
    const [hit] = await search({ queryVector: long, hybridSearch: false })
    expect(hit?.score).toBeCloseTo(1, 5)
  })
})

describe('vectors of another model', () => {
  it('are not compared, even with equal dimensions; their source is found by full-text search', async () => {
    const { add, search } = await newBase()
    const old = await add([{ text: 'torque of the pedal axle', vector: Float32Array.from([1, 0, 0]) }])
    await add([{ text: 'something else entirely' }])
    await database.pool.query(`update source set embedding_model = 'a former model' where id = $1`, [old.sourceId])
    const hits = await search({ queryVector: direction(0), queryText: 'pedal torque' })
    expect(hits).toHaveLength(2)
    for (const { sourceId, scores } of hits) expect(scores.vector === null).toBe(sourceId === old.sourceId)
    const byVectors = await search({ queryVector: direction(0), queryText: 'pedal torque', hybridSearch: false })
    expect(byVectors.map(({ scores }) => [scores.vector === null, scores.lexical === null]).toSorted()).toEqual([
      [false, true],
      [true, false],
    ])
  })
})
