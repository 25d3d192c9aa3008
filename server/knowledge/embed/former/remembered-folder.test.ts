import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { modelFolder, tinyModelFiles, writeFiles } from '../../../testing/model-folders.ts'
import { readEmbeddingModel } from '../folder/embedding-model.ts'
import { findFolder, rememberFolder } from './remembered-folder.ts'

test('a folder is found by the name of its model, until its files change', async () => {
  const records = await mkdtemp(join(tmpdir(), 'records-'))
  onTestFinished(() => rm(records, { recursive: true }))
  const folder = await modelFolder(tinyModelFiles('bert'))
  const settings = { dimensions: 4, queryPrefix: 'query: ' }
  const { name } = await readEmbeddingModel(folder, settings)
  expect(await findFolder(records, name)).toBeNull()
  await rememberFolder(records, name, { folder, settings })
  expect(await findFolder(records, name)).toMatchObject({ folder, settings })
  expect(await findFolder(records, 'another@model/fp32')).toBeNull()
  await writeFiles(folder, { 'sentence_bert_config.json': { max_seq_length: 12 } })
  expect(await findFolder(records, name)).toBeNull()
  await rm(join(folder, 'tokenizer.json'))
  await expect(findFolder(records, name)).rejects.toThrow('tokenizer.json is missing')
})
