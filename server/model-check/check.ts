import { openFolderEmbedder } from '../knowledge/embed/folder/folder-embedder.ts'
import {
  readEmbeddingModel,
  type EmbeddingModel,
  type EmbeddingModelSettings,
  type EncoderModel,
} from '../knowledge/embed/folder/embedding-model.ts'
import { readModelGraph } from '../knowledge/embed/folder/model-graph.ts'
import { readerOf } from '../knowledge/embed/folder/folder-reader.ts'
import { measureSeparation, profileOf } from '../knowledge/embed/profile/measure-profile.ts'
import { probeSentences } from '../knowledge/embed/profile/probe-sentences.ts'
import { cosine } from '../knowledge/embed/vectors.ts'
import { openFolderReranker } from '../knowledge/rerank/folder.ts'
import { readRerankingModel } from '../knowledge/rerank/reranking-model.ts'

/** Properties of both kinds of model. */
interface Found {
  readonly model: string
  readonly folder: string
  readonly files: readonly string[]
  /** Model files that the folder has besides the used one. */
  readonly unusedModels: readonly string[]
  readonly family: string
  readonly precision: string
  readonly maxTokens: number
}

export interface EmbeddingCheck extends Found {
  readonly kind: 'embedding'
  /** `graph` if the model file contains the pooling. */
  readonly pooling: string
  readonly dimensions: number
  /** Of the model, before `EMBEDDINGS_DIMENSIONS` cuts its vectors. */
  readonly modelDimensions: number
  readonly queryPrefix: string
  readonly passagePrefix: string
  readonly cosines: readonly { readonly query: string; readonly passage: string; readonly cosine: number }[]
  readonly textsPerSecond: { readonly queries: number; readonly passages: number }
  readonly unrelatedCosine: number
  /** By ISO 639-1 code, 0 to 1, best first. */
  readonly competence: Readonly<Record<string, number>>
}

export interface RerankingCheck extends Found {
  readonly kind: 'reranking'
  readonly relevances: readonly { readonly query: string; readonly passage: string; readonly relevance: number }[]
  readonly pairsPerSecond: number
}

const questions = [
  { query: 'How long does a refund take?', passage: 'Money is returned to your card within five working days.' },
  { query: 'Can I bring my dog?', passage: 'Pets are welcome on the terrace, on a leash.' },
] as const
const passageOfUsualLength =
  'The warranty covers the frame for five years and the battery for two, if the bicycle is serviced once a year. '.repeat(8)
const passages = 20

/**
 * Loads the model in a folder and measures it, without a database. A folder whose model has an output `logits` is a reranker.
 * @throws ModelFolderError that names the missing or unusable file
 */
export async function checkModel(folder: string, settings: EmbeddingModelSettings): Promise<EmbeddingCheck | RerankingCheck> {
  const { outputs } = await readModelGraph(readerOf(folder))
  return outputs.some(({ name }) => name === 'logits') ? checkReranker(folder) : checkEmbedder(folder, settings)
}

async function checkEmbedder(folder: string, settings: EmbeddingModelSettings): Promise<EmbeddingCheck> {
  const model = await readEmbeddingModel(folder, settings)
  const embedder = await openFolderEmbedder({ folder, ...settings })
  try {
    const queries = await embedder.embed(
      questions.map(({ query }) => query),
      'query',
    )
    const answers = await embedder.embed(
      questions.map(({ passage }) => passage),
      'passage',
    )
    const cosines = queries.flatMap((query, at) =>
      answers.map((answer, other) => ({
        query: questions[at]?.query ?? '',
        passage: questions[other]?.passage ?? '',
        cosine: round(cosine(query, answer)),
      })),
    )
    const separations = await measureSeparation(embedder)
    const { unrelatedCosine, competence } = profileOf(separations)
    const asked = Object.values(probeSentences).flatMap((pairs) => pairs.map(([query]) => `${query}?`))
    const textsPerSecond = {
      queries: await perSecond(asked.length, () => embedder.embed(asked, 'query')),
      passages: await perSecond(passages, () => embedder.embed(numbered(passageOfUsualLength), 'passage')),
    }
    return {
      kind: 'embedding',
      ...found(model),
      ...described(model),
      cosines,
      textsPerSecond,
      unrelatedCosine,
      competence: bestFirst(competence),
    }
  } finally {
    await embedder.close()
  }
}

async function checkReranker(folder: string): Promise<RerankingCheck> {
  const model = await readRerankingModel(folder)
  const reranker = await openFolderReranker({ folder, timeoutMs: 600_000 })
  try {
    const never = new AbortController().signal
    const texts = questions.map(({ passage }) => passage)
    const relevances = await Promise.all(
      questions.map(async ({ query }) => {
        const scores = await reranker.rerank(query, texts, never)
        return texts.map((passage, at) => ({ query, passage, relevance: round(scores[at] ?? 0) }))
      }),
    )
    const pairsPerSecond = await perSecond(passages, () => reranker.rerank(questions[0].query, numbered(passageOfUsualLength), never))
    return { kind: 'reranking', ...found(model), relevances: relevances.flat(), pairsPerSecond }
  } finally {
    await reranker.close?.()
  }
}

const found = ({ name, folder, files, graph, config }: EncoderModel & { readonly name: string }): Found => ({
  model: name,
  folder,
  files: files.map(({ path }) => path),
  unusedModels: graph.others,
  family: config.family,
  precision: graph.precision,
  maxTokens: config.maxTokens,
})

const described = ({ pooling, dimensions, hiddenSize, prefixes }: EmbeddingModel) => ({
  pooling: pooling ?? 'graph',
  dimensions,
  modelDimensions: hiddenSize,
  queryPrefix: prefixes.query,
  passagePrefix: prefixes.passage,
})

/** Different texts, since equal queries come from a cache. */
const numbered = (text: string): string[] => Array.from({ length: passages }, (_, at) => `${at}: ${text}`)

async function perSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return Math.round((count * 10_000) / (performance.now() - started)) / 10
}

const bestFirst = (competence: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(competence).toSorted(([, a], [, b]) => b - a))
const round = (value: number): number => Math.round(value * 1000) / 1000
