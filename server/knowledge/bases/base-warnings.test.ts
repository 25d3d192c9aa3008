import { expect, it } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { addText, newBase, settled } from '../../testing/sources.ts'

const knowsEnglish = { ...letterEmbedder(), competence: (language: string | null) => (language === 'th' ? 0 : 1) }
const { app, organization } = await testApp({
  embedder: knowsEnglish,
  worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) },
})

it('a knowledge base warns of the languages that the embedding model does not know, once each', async () => {
  const caller = await organization()
  const baseId = await newBase(caller)
  const warnings = async (): Promise<string[]> => (await caller.call('GET', `/v1/bases/${baseId}`)).body.warnings
  expect(await warnings()).toEqual([])
  await settled(caller, await addText(app, caller, baseId, 'The warranty of the bicycle is valid for two years after the purchase.'))
  expect(await warnings()).toEqual([])
  const thai = 'การรับประกันจักรยานมีอายุสองปีนับจากวันที่ซื้อ'
  const source = await settled(caller, await addText(app, caller, baseId, thai))
  await settled(caller, await addText(app, caller, baseId, `${thai} กรุณาเก็บใบเสร็จ`))
  expect(await warnings()).toEqual([expect.stringContaining('does not know Thai')])
  expect(await warnings()).toEqual(source.warnings)
  const { data } = (await caller.call('GET', '/v1/bases')).body
  expect(data).toMatchObject([{ warnings: source.warnings }])

  await caller.call('DELETE', `/v1/bases/${baseId}/sources/${source.id}`)
  const [left] = (await caller.call('GET', `/v1/bases/${baseId}/sources?limit=1`)).body.data
  await caller.call('DELETE', `/v1/bases/${baseId}/sources/${left.id}`)
  expect(await warnings()).toEqual([])
})
