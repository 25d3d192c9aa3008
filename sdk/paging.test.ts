import { expect, test } from 'vitest'
import { clientAnswered, json } from './testing.ts'

const ids = async (list: AsyncIterable<{ id: string }>): Promise<string[]> => {
  const seen: string[] = []
  for await (const { id } of list) seen.push(id)
  return seen
}

const link = '<http://groundwork.test/v1/contacts?tag=x&cursor=c%2B2>; rel="next"'

test('a list of contacts follows the next-page headers and keeps the filters', async () => {
  const { client, requests } = clientAnswered([
    json([{ id: 'a' }, { id: 'b' }], 200, { 'x-next-cursor': 'c+2', link }),
    json([], 200, { 'x-next-cursor': 'c3' }),
    json([{ id: 'c' }]),
  ])
  expect(await ids(client.contacts.list({ tag: ['x', 'y'] }))).toEqual(['a', 'b', 'c'])
  expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?tag=x&tag=y', '?tag=x&tag=y&cursor=c%2B2', '?tag=x&tag=y&cursor=c3'])
})

test('the Link header is sufficient', async () => {
  const { client, requests } = clientAnswered([json([{ id: 'a' }], 200, { link }), json([{ id: 'b' }])])
  expect(await ids(client.contacts.list())).toEqual(['a', 'b'])
  expect(new URL(requests[1]?.url ?? '').searchParams.get('cursor')).toBe('c+2')
})

test('other lists follow nextCursor', async () => {
  const { client, requests } = clientAnswered([
    json({ data: [{ id: 'a' }], nextCursor: 'n2' }),
    json({ data: [{ id: 'b' }], nextCursor: null }),
  ])
  expect(await ids(client.bases.sources.list('kb_1', { status: 'completed' }))).toEqual(['a', 'b'])
  expect(requests.map(({ url }) => url.slice('http://groundwork.test'.length))).toEqual([
    '/v1/bases/kb_1/sources?status=completed',
    '/v1/bases/kb_1/sources?status=completed&cursor=n2',
  ])
})

test('pages are only fetched when they are read', async () => {
  const { client, requests } = clientAnswered([json({ data: [{ id: 'a' }, { id: 'b' }], nextCursor: 'n2' })])
  const list = client.proposals.list()
  expect(requests).toHaveLength(0)
  for await (const { id } of list) if (id === 'b') break
  expect(requests).toHaveLength(1)
})

test('page() returns one page with cursor and count; pages() iterates over all', async () => {
  const first = (): Response => json([{ id: 'a' }], 200, { 'x-next-cursor': 'c2', 'x-total-count': '2' })
  const { client } = clientAnswered([first(), json([{ id: 'b' }]), first(), json([{ id: 'b' }])])
  expect(await client.contacts.list({ count: true }).page()).toEqual({ data: [{ id: 'a' }], nextCursor: 'c2', totalCount: 2 })
  expect(await client.contacts.list({ cursor: 'c2' }).page()).toEqual({ data: [{ id: 'b' }], nextCursor: null })
  const lengths: number[] = []
  for await (const { data } of client.contacts.list().pages()) lengths.push(data.length)
  expect(lengths).toEqual([1, 1])
})
