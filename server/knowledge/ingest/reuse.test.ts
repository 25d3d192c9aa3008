import { describe, expect, it } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { startSite } from '../../testing/site.ts'
import { addPage, newBase, settled } from '../../testing/sources.ts'

const site = await startSite()
const embedder = letterEmbedder()
const outbound = createOutbound({ allowHosts: [site.host], userAgent: 'test' })
const { organization, database } = await testApp({ embedder, worker: { outbound } })
const owner = await organization()

let page = ''
site.pages.set('/p', (response) => response.writeHead(200, { 'content-type': 'text/markdown' }).end(page))

const markdown = (sections: number, changed = -1): string =>
  Array.from(
    { length: sections },
    (_, n) =>
      `# Part ${n}\n\nThis is what part ${n} says${n === changed ? ', lately put otherwise' : ''}. ${'It goes on like that. '.repeat(8)}`,
  ).join('\n\n')

const base = (): Promise<string> => newBase(owner, { chunkingStrategy: 'markdown', chunkSize: 64 })

/** A source of the page as it is now, processed; `texts` were embedded for it. */
async function processed(of: string) {
  embedder.passages.length = 0
  const source = await settled(owner, await addPage(owner, of, `http://${site.host}/p`))
  return { ...source, texts: [...embedder.passages] }
}

const vectorsOf = async (sourceId: string): Promise<string[]> => {
  const { rows } = await database.pool.query<{ embedding: string }>(
    `select e.embedding::text as embedding from chunk_embedding e join chunk c using (organization_id, generation, ordinal)
     where c.source_id = $1 order by e.ordinal`,
    [sourceId.slice(4)],
  )
  return rows.map(({ embedding }) => embedding)
}

describe('text that the knowledge base already has', () => {
  it('is not embedded again and has the same vectors', async () => {
    const own = await base()
    page = markdown(40)
    const first = await processed(own)
    expect(first).toMatchObject({ status: 'completed', progress: { reused: 0 } })
    expect(first.chunksCount).toBeGreaterThanOrEqual(40)
    const again = await processed(own)
    expect(again).toMatchObject({ status: 'completed', chunksCount: first.chunksCount, texts: [] })
    expect(again.progress).toMatchObject({ done: first.chunksCount, reused: first.chunksCount })
    expect(await vectorsOf(again.id)).toEqual(await vectorsOf(first.id))
  })

  it('embeds only changed text', async () => {
    const own = await base()
    page = markdown(40)
    await processed(own)
    page = markdown(40, 17)
    const changed = await processed(own)
    expect(changed.texts).toEqual([expect.stringContaining('part 17 says, lately put otherwise')])
    expect(changed.progress).toMatchObject({ done: changed.chunksCount, reused: changed.chunksCount - 1 })
  })

  it('is embedded again under other headings, and once if it occurs twice', async () => {
    const words = 'The same words once more. '.repeat(9).trim()
    page = `# One\n\n${words}\n\n# Two\n\n${words}\n\n# Two\n\n${words}`
    const source = await processed(await base())
    expect(source.texts.map((text) => text.includes('Two'))).toEqual([false, true])
    expect(source).toMatchObject({ chunksCount: 3, progress: { reused: 1 } })
  })

  it('of another knowledge base or model is not reused', async () => {
    page = markdown(3)
    const [one, other] = [await base(), await base()]
    const { chunksCount } = await processed(one)
    expect((await processed(other)).texts).toHaveLength(chunksCount)
    Object.assign(embedder, { model: 'another@test/float32' })
    const underAnother = await processed(one)
    Object.assign(embedder, { model: 'letters@test/float32' })
    expect(underAnother.texts).toHaveLength(chunksCount)
  })
})
