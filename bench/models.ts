import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Client } from '@groundwork/e2e/client'
import { createToken, engineName, program, root, shell } from '@groundwork/e2e/program'
import { publishedModels, type PublishedModel } from './published-models.ts'
import { measureSet, type SetQuality } from './quality-set.ts'
import { printTable, withEnds } from './run.ts'

/** nDCG@10 that one of the English models must reach. */
const bars: Record<string, number> = { 'squad-dev-open': 0.915, 'scifact-train': 0.745 }

interface Check {
  readonly model: string
  readonly unrelatedCosine: number
  readonly competence: Readonly<Record<string, number>>
  readonly textsPerSecond: { readonly queries: number; readonly passages: number }
}

const names = process.argv.slice(2)
const wanted = publishedModels.filter(({ name }) => names.includes(name))
const models = wanted.length > 0 ? wanted : publishedModels.filter(({ language }) => language === 'en')
const named = names.filter((name) => !publishedModels.some((model) => model.name === name))
const sets = named.length > 0 ? named : Object.keys(bars)

const folders: { readonly model: PublishedModel; readonly folder: string }[] = []
for (const model of models) folders.push({ model, folder: await model.fetch() })

const checks: string[][] = []
for (const { model, folder } of folders) checks.push(checkRow(model, await check(folder)))
printTable('Properties of the models', ['model', 'file', 'queries/s', 'passages/s', 'unrelated cosine', 'competence'], checks)

const rows: string[][] = []
for (const set of sets) {
  const bundled = await measured(set)
  rows.push(row(set, 'bundled', bundled, bundled))
  for (const { model, folder } of folders) rows.push(row(set, model.name, await measured(set, folder), bundled))
}
const columns = ['set', 'model', 'BM25', 'hybrid', 'vectors only', 'hybrid / bundled', 'bar', 'holds']
printTable(`Retrieval quality over HTTP with default settings, nDCG@10 (${engineName()})`, columns, rows)

/** Returns the figures of `groundwork model check`. */
async function check(folder: string): Promise<Check> {
  const args = ['cli/dist/main.js', 'model', 'check', folder, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env: shell() })
  return JSON.parse(stdout) as Check
}

function checkRow({ name, language }: PublishedModel, { model, unrelatedCosine, competence, textsPerSecond }: Check): string[] {
  const { queries, passages } = textsPerSecond
  return [name, model, String(queries), String(passages), unrelatedCosine.toFixed(2), `${language} ${competence[language] ?? 'unknown'}`]
}

/** Measures a set with the model in a folder, or with the bundled one, in a program of its own. */
async function measured(set: string, folder?: string): Promise<SetQuality> {
  let quality: SetQuality | undefined
  await withEnds(async (atEnd) => {
    const groundwork = await program(atEnd, { LOG_LEVEL: 'warn', ...(folder !== undefined && { EMBEDDINGS_DIR: folder }) })
    await groundwork.start()
    quality = await measureSet(new Client(groundwork.url, (await createToken(groundwork)).token), set)
  })
  if (quality === undefined) throw new Error(`${set} was not measured`)
  return quality
}

function row(set: string, name: string, { bm25, hybrid, vector }: SetQuality, bundled: SetQuality): string[] {
  const bar = bars[set]
  const holds = bar === undefined || name === 'bundled' ? '' : hybrid >= bar ? 'yes' : 'no'
  return [
    set,
    name,
    ...[bm25, hybrid, vector].map((value) => value.toFixed(4)),
    (hybrid / bundled.hybrid).toFixed(3),
    bar?.toFixed(3) ?? '',
    holds,
  ]
}
