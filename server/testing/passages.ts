import { expect } from 'vitest'
import { writeChunks } from '../knowledge/index/write.ts'
import { newId } from '../lib/ids.ts'
import type { Caller } from './app.ts'
import { unitVector } from './fixtures.ts'

interface About {
  name?: string
  title?: string
  metadata?: object
  /** The pages that the passages belong to, in order. */
  pages?: readonly string[]
}

/** Creates a searchable source with exactly these passages. Returns its id. */
export async function addPassages(
  { call, ctx, organizationId }: Caller,
  base: string,
  texts: readonly string[],
  { name = 'S', title, metadata = {}, pages }: About = {},
): Promise<string> {
  const { status, body } = await call('POST', `/v1/bases/${base}/sources`, { name, type: 'url', url: 'https://example.com/', metadata })
  expect(status).toBe(201)
  const [baseId, sourceId] = [base.slice(-36), (body.id as string).slice(-36)]
  await ctx.db.transaction(organizationId, async (trx) => {
    const { generation } = await trx.selectFrom('source').select('generation').where('id', '=', sourceId).executeTakeFirstOrThrow()
    const target = { organizationId, baseId, sourceId, generation }
    for (const [ordinal, text] of texts.entries()) {
      const span = { start: ordinal * 1000, end: ordinal * 1000 + text.length, tokens: text.split(' ').length }
      const chunk = { ordinal, text, ...span, headingPath: [], page: null, pageEnd: null, startSecond: null }
      const document = { title: title ?? null, language: 'en', pageId: pages?.[ordinal]?.slice(-36) ?? null }
      await writeChunks(trx, target, [{ id: newId(), chunk, vector: unitVector }], document)
    }
    await trx
      .updateTable('source')
      .set({ live_generation: generation, status: 'completed', embedding_model: ctx.embedder.model, title: title ?? null })
      .where('id', '=', sourceId)
      .execute()
  })
  return body.id
}
