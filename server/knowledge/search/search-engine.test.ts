import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'
import { addPassages } from '../../testing/passages.ts'
import { newBase } from '../../testing/sources.ts'
import { CandidateIndex } from '../engine/candidate-index.ts'
import { EngineUnavailable } from '../engine/opensearch.ts'
import type { SearchEngine } from '../engine/search-engine.ts'
import { ScratchBuffers } from '../index/scratch-buffers.ts'
import { readCollection } from '../index/search-scope.ts'

/** Returns an engine that does not answer. @param chunks of each knowledge base, as many as it has by default */
const unavailable = (chunks?: number): SearchEngine => ({
  scratch: new ScratchBuffers(),
  async open(ctx, base, part) {
    const collection = await readCollection(ctx, base, { model: part.model.name, isFirst: true, otherParts: [] })
    return { base, part, collection: { ...collection, chunks: chunks ?? collection.chunks }, frequencies: new Map() }
  },
  loadFrequencies: () => Promise.reject(new EngineUnavailable('gone')),
  withoutChunks: ({ collection, frequencies }) => new CandidateIndex(collection, frequencies),
  find: () => Promise.reject(new EngineUnavailable('gone')),
})

describe('a search without an answer of the search engine', () => {
  it.each([
    { name: 'answers from memory', chunks: undefined, status: 200 },
    { name: 'is refused if the knowledge base does not fit into memory', chunks: 100_000_000, status: 503 },
  ])('$name', async ({ chunks, status }) => {
    const { organization, app } = await testApp({ embedder: unitEmbedder, searchEngine: unavailable(chunks) })
    const owner = await organization()
    const base = await newBase(owner)
    await addPassages(owner, base, ['A plum costs 3 euros.', 'Pears are green.'])
    const response = await app.inject({
      method: 'POST',
      url: `/v1/bases/${base}/search`,
      headers: { authorization: `Bearer ${owner.token}` },
      payload: { query: 'plum' },
    })
    expect(response.statusCode).toBe(status)
    if (status === 200) expect(response.json()).toMatchObject({ data: [{ text: 'A plum costs 3 euros.' }, {}], degraded: [] })
    else expect(response.headers['retry-after']).toBe('5')
  })
})
