import { expect, it } from 'vitest'
import { testApp } from './app.ts'
import { unitEmbedder } from './fixtures.ts'
import { acceptanceOf, acceptanceRate, reportOf } from './fuzz/acceptance.ts'
import type { Document } from './fuzz/document.ts'

/** Tests that the program accepts 95 % of the bodies that the OpenAPI document allows, and some of every operation. */
export async function acceptsAllowedBodies({ bodies, timeoutMs }: { bodies: number; timeoutMs: number }): Promise<void> {
  const service = await testApp({ embedder: unitEmbedder, previewedPage: '<title>A</title><p>Opening hours are nine to five.</p>' })
  const document = (await service.app.inject('/v1/openapi.json')).json() as Document

  it(
    `accepts 95 % of ${bodies} bodies that the OpenAPI document allows`,
    async () => {
      const results = await acceptanceOf(service, document, { bodies, seed: 20_260_525 })
      if (process.env['FUZZ_TABLE'] !== undefined) console.log(reportOf(results), acceptanceRate(results))
      for (const [name, { accepted }] of results) expect([name, accepted > 0]).toEqual([name, true])
      expect(acceptanceRate(results), reportOf(results)).toBeGreaterThanOrEqual(0.95)
    },
    timeoutMs,
  )
}
