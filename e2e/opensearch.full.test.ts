import { expect, onTestFinished, test } from 'vitest'
import { hasOpenSearch, openSearchCluster } from './opensearch-cluster.ts'

interface Found {
  readonly hits: { readonly hits: readonly { readonly _id: string }[] }
}

test.skipIf(!hasOpenSearch)(
  'three nodes of the runner find documents by vectors and by words with a filter, also after one was killed',
  async () => {
    const cluster = await openSearchCluster(onTestFinished)
    await cluster.call('PUT', '/passages', {
      settings: { 'index.knn': true, number_of_shards: 3, number_of_replicas: 1 },
      mappings: {
        properties: {
          base: { type: 'keyword' },
          words: { type: 'rank_features' },
          vector: { type: 'knn_vector', dimension: 2, method: { name: 'hnsw', engine: 'lucene', space_type: 'innerproduct' } },
        },
      },
    })
    const documents = Array.from({ length: 300 }, (_, at) => {
      const angle = (at / 300) * Math.PI
      return { base: `base-${at % 3}`, words: { [`word-${at % 10}`]: 1 + at }, vector: [Math.cos(angle), Math.sin(angle)] }
    })
    const lines = documents.flatMap((document, at) => [{ index: { _id: String(at), routing: document.base } }, document])
    const bulk = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
    expect(await cluster.call('POST', '/passages/_bulk?refresh=true', bulk)).toMatchObject({ errors: false })
    const filter = { term: { base: 'base-1' } }
    const find = async (query: object): Promise<string[]> => {
      const { hits } = await cluster.call<Found>('POST', '/passages/_search?routing=base-1', { size: 2, query })
      return hits.hits.map(({ _id }) => _id)
    }
    const findBoth = async (): Promise<string[][]> => [
      await find({ knn: { vector: { vector: [1, 0], k: 10, filter } } }),
      await find({ bool: { filter, must: { rank_feature: { field: 'words.word-1', saturation: { pivot: 100 } } } } }),
    ]
    const expected = [
      ['1', '4'],
      ['271', '241'],
    ]
    expect(await findBoth()).toEqual(expected)
    await cluster.call('GET', '/_cluster/health?wait_for_status=green&timeout=60s')
    await cluster.kill(0)
    await expect.poll(findBoth).toEqual(expected)
  },
)
