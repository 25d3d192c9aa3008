import { expect, it } from 'vitest'
import { ownerQuery } from '../../db/owner-query.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { languageWarnings } from '../rows/language-warnings.ts'
import { addText, newBase, settled } from '../../testing/sources.ts'

let ofThai = 0
const knowsEnglish = { ...letterEmbedder(), competence: (language: string | null) => (language === 'th' ? ofThai : 1) }
const { app, organization, database } = await testApp({
  embedder: knowsEnglish,
  worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) },
})

const thai = 'การรับประกันจักรยานมีอายุสองปีนับจากวันที่ซื้อ'

it('a knowledge base warns of the languages that the embedding model does not know, once each', async () => {
  const caller = await organization()
  const baseId = await newBase(caller)
  const warnings = async (): Promise<string[]> => (await caller.call('GET', `/v1/bases/${baseId}`)).body.warnings
  expect(await warnings()).toEqual([])
  await settled(caller, await addText(app, caller, baseId, 'The warranty of the bicycle is valid for two years after the purchase.'))
  expect(await warnings()).toEqual([])
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

it('a source warns only of the model that its vectors have, also where a former version stored the warning', async () => {
  const caller = await organization()
  const baseId = await newBase(caller)
  const { id } = await settled(caller, await addText(app, caller, baseId, thai))
  const warnings = async (): Promise<string[]> => (await caller.call('GET', `/v1/bases/${baseId}/sources/${id}`)).body.warnings
  const embed = (model: string): Promise<unknown> =>
    ownerQuery(database.pool)(`update source set embedding_model = $1, warnings = $2 where id = $3`, [
      model,
      ['1 of 2 sheets are hidden and left out.', ...languageWarnings({ ...knowsEnglish, model: 'former@test/int8' }, 'th')],
      id.slice(4),
    ])
  await embed(knowsEnglish.model)
  const [hidden, language] = await warnings()
  expect(await warnings()).toEqual([hidden, language])
  expect(language).toContain(`${knowsEnglish.model} does not know Thai`)
  await embed('another@test/int8')
  expect(await warnings()).toEqual([hidden])
  await embed(knowsEnglish.model)
  ofThai = 1
  expect(await warnings()).toEqual([hidden])
  ofThai = 0
})
