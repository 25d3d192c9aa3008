import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import type { Embedder } from '../embed/embedder.ts'

let page = ''
const server = createServer((_request, response) => void response.writeHead(200, { 'content-type': 'text/markdown' }).end(page)).listen(
  0,
  '127.0.0.1',
)
await new Promise((listening) => server.once('listening', listening))
afterAll(() => new Promise((closed) => server.close(closed)))
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

/** Every text that was embedded as a passage. */
const embeddedTexts: string[] = []
const embedder: Embedder = {
  model: 'letters@test/float32',
  dimensions: 26,
  async embed(texts, purpose) {
    if (purpose === 'passage') embeddedTexts.push(...texts)
    return texts.map(letters)
  },
  close: async () => undefined,
}

/** How often each letter is in the text, of unit length. */
function letters(text: string): Float32Array {
  const counts = new Float32Array(26).fill(0.01)
  for (const letter of text.toLowerCase().replace(/[^a-z]/g, '')) {
    const at = letter.charCodeAt(0) - 97
    counts[at] = (counts[at] ?? 0) + 1
  }
  const length = Math.hypot(...counts)
  return counts.map((count) => count / length)
}

const outbound = createOutbound({ allowHosts: [host], userAgent: 'test' })
const { organization, database } = await testApp({ embedder, worker: { outbound } })
const owner = await organization()

const markdown = (sections: number, changed = -1): string =>
  Array.from(
    { length: sections },
    (_, n) =>
      `# Part ${n}\n\nThis is what part ${n} says${n === changed ? ', lately put otherwise' : ''}. ${'It goes on like that. '.repeat(8)}`,
  ).join('\n\n')

const newBase = async (): Promise<string> =>
  (await owner.call('POST', '/v1/bases', { name: 'B', ragSettings: { chunkingStrategy: 'markdown', chunkSize: 64 } })).body.id

/** A source of the page as it is now, processed. */
async function processed(base: string) {
  const { body } = await owner.call('POST', `/v1/bases/${base}/sources`, { name: 'P', type: 'url', url: `http://${host}/p` })
  for (;;) {
    const source = (await owner.call('GET', `/v1/bases/${base}/sources/${body.id}`)).body
    if (source.status !== 'processing') return source
    await new Promise((next) => setTimeout(next, 20))
  }
}

const vectorsOf = async (sourceId: string): Promise<string[]> => {
  const { rows } = await database.pool.query<{ embedding: string }>(
    `select e.embedding::text as embedding from chunk_embedding e join chunk c using (organization_id, generation, ordinal)
     where c.source_id = $1 order by e.ordinal`,
    [sourceId.slice(4)],
  )
  return rows.map(({ embedding }) => embedding)
}

describe('text that the base has already', () => {
  it('is not embedded again, and has the same vectors', async () => {
    const base = await newBase()
    page = markdown(40)
    const first = await processed(base)
    expect(first).toMatchObject({ status: 'completed', progress: { reused: 0 } })
    expect(first.chunksCount).toBeGreaterThanOrEqual(40)
    embeddedTexts.length = 0
    const again = await processed(base)
    expect(again).toMatchObject({
      status: 'completed',
      chunksCount: first.chunksCount,
      progress: { done: first.chunksCount, reused: first.chunksCount },
    })
    expect(embeddedTexts).toEqual([])
    expect(await vectorsOf(again.id)).toEqual(await vectorsOf(first.id))
  })

  it('leaves only what changed to the embedder', async () => {
    const base = await newBase()
    page = markdown(40)
    await processed(base)
    embeddedTexts.length = 0
    page = markdown(40, 17)
    const changed = await processed(base)
    expect(embeddedTexts).toEqual([expect.stringContaining('part 17 says, lately put otherwise')])
    expect(changed.progress).toMatchObject({ done: changed.chunksCount, reused: changed.chunksCount - 1 })
  })

  it('is embedded when its headings differ, and once when it is there twice', async () => {
    const base = await newBase()
    const words = 'The same words once more. '.repeat(9).trim()
    page = `# One\n\n${words}\n\n# Two\n\n${words}\n\n# Two\n\n${words}`
    embeddedTexts.length = 0
    const source = await processed(base)
    expect(embeddedTexts.map((text) => text.includes('Two'))).toEqual([false, true])
    expect(source).toMatchObject({ chunksCount: 3, progress: { reused: 1 } })
  })

  it('of another base or model is no use', async () => {
    page = markdown(3)
    const [one, other] = [await newBase(), await newBase()]
    const { chunksCount } = await processed(one)
    embeddedTexts.length = 0
    await processed(other)
    expect(embeddedTexts).toHaveLength(chunksCount)
    embeddedTexts.length = 0
    Object.assign(embedder, { model: 'another@test/float32' })
    await processed(one)
    Object.assign(embedder, { model: 'letters@test/float32' })
    expect(embeddedTexts).toHaveLength(chunksCount)
  })
})
