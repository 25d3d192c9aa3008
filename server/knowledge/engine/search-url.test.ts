import { describe, expect, it } from 'vitest'
import { parseSearchUrl } from './search-url.ts'

describe('SEARCH_URL', () => {
  it('names a node, which is reached through TLS', () => {
    expect(parseSearchUrl('opensearch://search.internal')).toEqual({
      nodes: ['https://search.internal:9200'],
      authorization: null,
      prefix: 'groundwork',
      shards: 3,
      replicas: 1,
    })
  })

  it('names several nodes, with credentials and the shape of new indices', () => {
    const url = 'opensearch://reader:p%40ss@one:9201,two,[::1]:9203/prefix-a?tls=false&shards=12&replicas=2'
    expect(parseSearchUrl(url)).toEqual({
      nodes: ['http://one:9201', 'http://two:9200', 'http://[::1]:9203'],
      authorization: `Basic ${Buffer.from('reader:p@ss').toString('base64')}`,
      prefix: 'prefix-a',
      shards: 12,
      replicas: 2,
    })
  })

  it.each([
    ['http://one:9200', /must be opensearch/],
    ['opensearch://one two', /names a node that is no host/],
    ['opensearch://one/Upper', /prefix/],
    ['opensearch://one?tls=maybe', /tls/],
    ['opensearch://one?shards=0', /shards/],
    ['opensearch://one?replica=1', /unknown parameter replica/],
  ])('refuses %s', (url, message) => {
    expect(() => parseSearchUrl(url)).toThrow(message)
  })
})
