import { bm25Parameters } from '../index/bm25.ts'
import { EngineUnavailable, type OpenSearch } from './opensearch.ts'
import { placeKey } from './read-candidates.ts'
import type { SearchEngineSettings } from './search-url.ts'
import { packChunk } from './terms-format.ts'

/** Changes with the mapping: the documents of another format stay in indices of their own. */
const format = 1

/** Returns the name of the index of chunks whose vectors have this number of dimensions. */
export const indexOf = ({ prefix }: Pick<SearchEngineSettings, 'prefix'>, dimensions: number): string => `${prefix}-${format}-${dimensions}`

/** Returns the pattern of the names of all indices. */
export const allIndices = ({ prefix }: Pick<SearchEngineSettings, 'prefix'>): string => `${prefix}-${format}-*`

/** The shard of all chunks of a knowledge base. */
export const routingOf = (organizationId: string, baseId: string): string => `${organizationId}.${baseId}`

const mappings = (dimensions: number): object => ({
  dynamic: 'strict',
  _routing: { required: true },
  // PostgreSQL has the texts and the vectors.
  _source: { enabled: false },
  properties: {
    organization: { type: 'keyword' },
    base: { type: 'keyword' },
    generation: { type: 'long' },
    model: { type: 'keyword' },
    words: { type: 'rank_features' },
    chunk: { type: 'binary', store: true },
    ...(dimensions > 0 && {
      vector: {
        type: 'knn_vector',
        dimension: dimensions,
        method: { name: 'hnsw', engine: 'lucene', space_type: 'innerproduct', parameters: { m: 16, ef_construction: 128 } },
      },
    }),
  },
})

/** Creates the index of vectors with this number of dimensions, unless it exists. */
export async function createIndex(client: OpenSearch, settings: SearchEngineSettings, dimensions: number): Promise<void> {
  const path = `/${indexOf(settings, dimensions)}`
  const { status } = await client.request({ method: 'HEAD', path, timeoutMs: 10_000, accepted: [404] })
  if (status !== 404) return
  const index = { knn: true, number_of_shards: settings.shards, number_of_replicas: settings.replicas, refresh_interval: '30s' }
  // 400: another process has created it meanwhile.
  const body = { settings: { index }, mappings: mappings(dimensions) }
  const created = await client.request({ method: 'PUT', path, body, timeoutMs: 60_000, accepted: [400] })
  if (created.status === 400 && !JSON.stringify(created.body).includes('resource_already_exists'))
    throw new EngineUnavailable(`The search engine refuses the index: ${JSON.stringify(created.body).slice(0, 500)}`)
}

/** A chunk for the search engine. */
export interface EngineChunk {
  readonly organizationId: string
  readonly baseId: string
  readonly generation: number
  readonly ordinal: number
  readonly model: string
  readonly language: string
  /** Number of terms. */
  readonly length: number
  readonly frequencies: ReadonlyMap<string, number>
  readonly vector: Float32Array
}

/** Mean length of chunks in terms, about that of most knowledge bases. Candidates are chosen with it; scores have the true one. */
const usualLength = 200

/** Returns the name of a term of a language as a feature. Names of features have no dots. */
export const featureOf = (language: string, term: string): string => `${language} ${term}`.replaceAll('.', '_')

/** Returns the lines of a bulk request that stores the chunk. Its id is its place, so that storing it twice changes nothing. */
export function bulkLines(settings: SearchEngineSettings, chunk: EngineChunk): string {
  const { organizationId, baseId, generation, ordinal, model, language, length, frequencies, vector } = chunk
  const action = {
    index: {
      _index: indexOf(settings, vector.length),
      _id: placeKey({ generation, ordinal }),
      routing: routingOf(organizationId, baseId),
    },
  }
  const { k1, b } = bm25Parameters(language)
  const norm = k1 * (1 - b + (b * length) / usualLength)
  // A saturation with the pivot 1 of this value is the frequency's part of BM25: f / (f + norm).
  const words = Object.fromEntries(Array.from(frequencies, ([term, frequency]) => [featureOf(language, term), frequency / norm]))
  const document = {
    organization: organizationId,
    base: baseId,
    generation,
    model,
    words,
    chunk: packChunk({ language, model, length, frequencies }),
    ...(vector.length > 0 && { vector: Array.from(vector) }),
  }
  return `${JSON.stringify(action)}\n${JSON.stringify(document)}\n`
}
