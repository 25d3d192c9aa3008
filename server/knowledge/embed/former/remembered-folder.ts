import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { nullIfMissing } from '../../../lib/missing-file.ts'
import { readEmbeddingModel, type EmbeddingModelSettings } from '../folder/embedding-model.ts'
import { modelFile } from '../profile/model-file.ts'

const Remembered = z.object({
  model: z.string(),
  folder: z.string(),
  settings: z.object({
    dimensions: z.int().positive().optional(),
    queryPrefix: z.string().optional(),
    passagePrefix: z.string().optional(),
  }),
})

export interface RememberedFolder {
  readonly folder: string
  readonly settings: EmbeddingModelSettings
}

const fileOf = (records: string, model: string): string => modelFile(records, model, 'folder.json')

/** Stores the folder and the settings of a model, so that it can be opened after the operator has chosen another one. */
export async function rememberFolder(records: string, model: string, { folder, settings }: RememberedFolder): Promise<void> {
  const file = fileOf(records, model)
  await mkdir(dirname(file), { recursive: true })
  // Several programs can share the folder.
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, JSON.stringify({ model, folder, settings }))
  await rename(unfinished, file)
}

/**
 * Returns the folder of a model, or null if it was never used or the folder has other files now.
 * @throws ModelFolderError if the folder has no usable model any more
 */
export async function findFolder(records: string, model: string): Promise<RememberedFolder | null> {
  const text = await readFile(fileOf(records, model), 'utf8').catch(nullIfMissing)
  if (text === null) return null
  const remembered = Remembered.parse(JSON.parse(text))
  const { name } = await readEmbeddingModel(remembered.folder, remembered.settings)
  return name === model ? remembered : null
}
