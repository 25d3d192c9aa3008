import { expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { acceptanceOf, reportOf, acceptanceRate } from '../testing/fuzz/acceptance.ts'
import type { Document } from '../testing/fuzz/document.ts'
import { unitEmbedder } from '../testing/fixtures.ts'

const service = await testApp({ embedder: unitEmbedder, previewedPage: '<title>A</title><p>Opening hours are nine to five.</p>' })
const document = (await service.app.inject('/v1/openapi.json')).json() as Document

it('accepts 95 % of 132 bodies that the OpenAPI document allows', async () => {
  const results = await acceptanceOf(service, document, { bodies: 132, seed: 20_260_525 })
  if (process.env['FUZZ_TABLE'] !== undefined) console.log(reportOf(results), acceptanceRate(results))
  for (const [name, { accepted }] of results) expect([name, accepted > 0]).toEqual([name, true])
  expect(acceptanceRate(results), reportOf(results)).toBeGreaterThanOrEqual(0.95)
}, 300_000)
