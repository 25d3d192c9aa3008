import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { addPassages } from '../../testing/passages.ts'
import { newPage, unitEmbedder } from '../../testing/fixtures.ts'

const { organization } = await testApp({ embedder: unitEmbedder })
const caller = await organization()
const { call } = caller

interface Passage {
  chunkId: string
  text: string
  citation: { start: number; title: string | null }
  neighbours?: { before: Passage[]; after: Passage[] }
}

describe('the neighbours of a passage', async () => {
  const base: string = (await call('POST', '/v1/bases', { name: 'B' })).body.id
  const texts = ['zero', 'one', 'two', 'three plum', 'four', 'five']
  const source = await addPassages(caller, base, texts, { title: 'Numbers' })
  await addPassages(caller, base, ['another document'])
  const search = async (options: object): Promise<Passage[]> => {
    const { status, body } = await call('POST', `/v1/bases/${base}/search`, { query: 'plum', ...options })
    expect(status).toBe(200)
    return body.data
  }
  const textsOf = (passages: readonly Passage[] = []): string[] => passages.map(({ text }) => text)

  it('are in document order, the same number on each side, and are not hits', async () => {
    for (const [neighbours, before, after] of [
      [1, ['two'], ['four']],
      [2, ['one', 'two'], ['four', 'five']],
      [3, ['zero', 'one', 'two'], ['four', 'five']],
    ] as const) {
      const found = await search({ topK: 1, neighbours })
      expect(textsOf(found)).toEqual(['three plum'])
      expect([textsOf(found[0]?.neighbours?.before), textsOf(found[0]?.neighbours?.after)]).toEqual([before, after])
    }
  })

  it('have the same id and citation as in the list of chunks', async () => {
    const [hit] = await search({ topK: 1, neighbours: 1 })
    const chunks: { id: string; text: string; start: number }[] = (await call('GET', `/v1/bases/${base}/sources/${source}/chunks`)).body
      .data
    const [before] = hit?.neighbours?.before ?? []
    expect(before).toEqual({
      chunkId: chunks.find(({ text }) => text === 'two')?.id,
      text: 'two',
      citation: { page: null, pageEnd: null, startSecond: null, headingPath: [], start: 2000, end: 2003, title: 'Numbers' },
    })
  })

  it('are only included on request, and change nothing else', async () => {
    const without = await search({})
    expect(without.every((hit) => !('neighbours' in hit))).toBe(true)
    expect(await search({ neighbours: 0 })).toEqual(without)
    const beside = await search({ neighbours: 3 })
    expect(beside.map(({ neighbours: _neighbours, ...hit }) => hit)).toEqual(without)
  })

  it('do not include another page of a site', async () => {
    const site: string = (await call('POST', '/v1/bases', { name: 'B' })).body.id
    const ids = { baseId: site.slice(3), sourceId: (await addPassages(caller, site, ['none'])).slice(4), contentKey: 'none' }
    const [home, about] = [await newPage(caller.ctx, ids), await newPage(caller.ctx, ids)]
    const pages = [home, home, about, about, about]
    await addPassages(caller, site, ['home one', 'home two', 'about one plum', 'about two', 'about three'], { pages })
    const { body } = await call('POST', `/v1/bases/${site}/search`, { query: 'plum', topK: 1, neighbours: 3 })
    expect(body.data[0].text).toBe('about one plum')
    expect([textsOf(body.data[0].neighbours.before), textsOf(body.data[0].neighbours.after)]).toEqual([[], ['about two', 'about three']])
  })

  it.each([-1, 4, 1.5, '1', null])('cannot be %j', async (neighbours) => {
    expect(await call('POST', `/v1/bases/${base}/search`, { query: 'x', neighbours })).toMatchObject({
      status: 422,
      body: { error: { field: 'neighbours' } },
    })
  })
})
