import { expect, it } from 'vitest'
import type { ChatModel } from '../knowledge/answers/chat-model.ts'
import { noAnswer } from '../knowledge/answers/prompt.ts'
import { testApp } from './app.ts'
import { unitEmbedder } from './fixtures.ts'
import { acceptanceOf, acceptanceRate, reportOf } from './fuzz/acceptance.ts'
import type { Document } from './fuzz/document.ts'

const silentModel: ChatModel = {
  model: 'silent@test',
  async *reply() {
    yield noAnswer
  },
}

/**
 * Tests that the program accepts a share of the bodies that the OpenAPI document allows, and some of every operation. Relations
 * between amounts, for instance, are not in the document.
 */
export async function acceptsAllowedBodies({
  bodies,
  share,
  timeoutMs,
}: {
  bodies: number
  share: number
  timeoutMs: number
}): Promise<void> {
  const service = await testApp({
    embedder: unitEmbedder,
    chatModel: silentModel,
    previewedPage: '<title>A</title><p>Opening hours are nine to five.</p>',
  })
  const document = (await service.app.inject('/v1/openapi.json')).json() as Document

  it(
    `accepts ${100 * share} % of ${bodies} bodies that the OpenAPI document allows`,
    async () => {
      const results = await acceptanceOf(service, document, { bodies, seed: 20_260_525 })
      if (process.env['FUZZ_TABLE'] !== undefined) console.log(reportOf(results), acceptanceRate(results))
      for (const [name, { accepted }] of results) expect([name, accepted > 0]).toEqual([name, true])
      expect(acceptanceRate(results), reportOf(results)).toBeGreaterThanOrEqual(share)
    },
    timeoutMs,
  )
}
