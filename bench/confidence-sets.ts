import { chunkDocument } from '@groundwork/server/knowledge/chunk/chunk-document'
import { embeddingText } from '@groundwork/server/knowledge/chunk/embedding-text'
import { openBundledEmbedder } from '@groundwork/server/knowledge/embed/bundled'
import { parseDocument } from '@groundwork/server/knowledge/extract/parse'
import { analysisLanguage } from '@groundwork/server/knowledge/index/analyze'
import { BaseIndex } from '@groundwork/server/knowledge/index/base-index'
import { weightedTerms } from '@groundwork/server/knowledge/index/query-terms'
import { rank, type Ranking } from '@groundwork/server/knowledge/index/rank'
import { countTerms, type ChunkTerms } from '@groundwork/server/knowledge/index/write'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evalFolder, readTexts } from './run.ts'

export interface IndexedChunk {
  readonly documentId: string
  readonly language: string
  readonly text: string
  readonly citation: { readonly title: string | null; readonly headingPath: readonly string[] }
  readonly terms: ChunkTerms
  readonly vector: Float32Array
}

export interface Question {
  readonly id: string
  readonly text: string
  readonly vector: Float32Array
  /** Ids of the documents that answer it. */
  readonly documents: readonly string[]
}

export interface EvaluationSet {
  readonly name: string
  readonly chunks: readonly IndexedChunk[]
  readonly questions: readonly Question[]
}

const dimensions = 384

/**
 * Reads an evaluation set, chunked and embedded with default settings. Vectors are kept for the next run.
 * @param isEmbedded false for zero vectors, which lexical searches do not need
 */
export async function readSet(name: string, isEmbedded: boolean): Promise<EvaluationSet> {
  const folder = join(evalFolder(), 'sets', name)
  const judgements = (await readFile(join(folder, 'qrels.tsv'), 'utf8')).split('\n').map((line) => line.split('\t'))
  const documents = new Map<string, string[]>()
  for (const [question = '', document = '', grade] of judgements)
    if (Number(grade) > 0) documents.set(question, [...(documents.get(question) ?? []), document])
  const language = analysisLanguage(/^xquad-(..)$/.exec(name)?.[1] ?? 'en')
  const chunks: Omit<IndexedChunk, 'vector'>[] = []
  const texts: string[] = []
  for (const { _id, title = '', text } of await readTexts(join(folder, 'corpus.jsonl'))) {
    if (`${title}${text}`.trim() === '') continue
    const parsed = await parseDocument({ bytes: Buffer.from(title === '' ? text : `# ${title}\n\n${text}`), fileName: 'a.md' })
    for (const chunk of await chunkDocument(parsed, { strategy: 'semantic', size: 512, overlap: 64 })) {
      const citation = { title: parsed.title ?? null, headingPath: chunk.headingPath }
      chunks.push({ documentId: _id, language, text: chunk.text, citation, terms: countTerms(chunk, parsed.title ?? null, language) })
      texts.push(embeddingText(chunk, parsed.title ?? undefined))
    }
  }
  const questions = await readTexts(join(folder, 'queries.jsonl'))
  const vectorOf = isEmbedded ? await embedded(name, [...texts, ...questions.map(({ text }) => text)]) : () => new Float32Array(dimensions)
  return {
    name,
    chunks: chunks.map((chunk, at) => ({ ...chunk, vector: vectorOf(at) })),
    questions: questions.map(({ _id, text }, at) => ({
      id: _id,
      text,
      vector: vectorOf(chunks.length + at),
      documents: documents.get(_id) ?? [],
    })),
  }
}

async function embedded(name: string, texts: readonly string[]): Promise<(at: number) => Float32Array> {
  const file = join(tmpdir(), `groundwork-bench-confidence-${name}.bin`)
  const vectors = new Float32Array(texts.length * dimensions)
  const kept = existsSync(file) ? await readFile(file) : undefined
  if (kept?.length === vectors.byteLength) Buffer.from(vectors.buffer).set(kept)
  else {
    const embedder = await openBundledEmbedder({ processes: 2 })
    for (let from = 0; from < texts.length; from += 500) {
      for (const [at, vector] of (await embedder.embed(texts.slice(from, from + 500), 'passage')).entries())
        vectors.set(vector, (from + at) * dimensions)
      process.stderr.write(`${name}: ${Math.min(from + 500, texts.length)} of ${texts.length} embedded\n`)
    }
    await embedder.close()
    await writeFile(file, Buffer.from(vectors.buffer))
  }
  return (at) => vectors.subarray(at * dimensions, (at + 1) * dimensions)
}

/** An index in memory, and its chunks. */
export interface Indexed {
  readonly index: BaseIndex
  readonly chunkOf: (found: { readonly generation: number; readonly ordinal: number }) => IndexedChunk | undefined
}

/** Indexes chunks like a knowledge base with one source for each document. */
export function indexOf(chunks: readonly IndexedChunk[]): Indexed {
  const index = new BaseIndex()
  const sources = [...groupBy(chunks, ({ documentId }) => documentId)]
  const ranges = sources.map(([, of], generation) => {
    const ordinals = Int32Array.from(of.keys())
    const lengths = Int32Array.from(of, ({ terms }) => terms.length)
    const range = index.number({ generation, hasVectors: true, languages: [of[0]?.language ?? 'en'], ordinals, lengths })
    for (const [ordinal, { vector }] of of.entries()) index.setVector(range, ordinal, vector)
    return range
  })
  index.apply({ fingerprint: 'all', added: ranges, postings: [], removed: [] })
  const stored = sources.map(([, of], generation) => {
    const entries = of.flatMap(({ terms }, ordinal) => Array.from(terms.frequencies, ([term, frequency]) => ({ term, ordinal, frequency })))
    const byTerm = [...groupBy(entries, ({ term }) => term)]
    const flat = byTerm.flatMap(([, some]) => some)
    return {
      generation,
      language: of[0]?.language ?? 'en',
      terms: byTerm.map(([term]) => term),
      counts: byTerm.map(([, { length }]) => length),
      ordinals: Int32Array.from(flat, ({ ordinal }) => ordinal),
      frequencies: Int32Array.from(flat, ({ frequency }) => frequency),
    }
  })
  index.invert(ranges, stored)
  return { index, chunkOf: ({ generation, ordinal }) => sources[generation]?.[1][ordinal] }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** Ranks the chunks of an index for a question. */
export function search({ index }: Indexed, { text, vector }: Question, kind: 'hybrid' | 'vector' | 'lexical'): Ranking {
  const { terms, weights } = weightedTerms(text, '', index.languages)
  return rank([{ index, selected: null }], {
    terms,
    termWeights: weights,
    queryVector: kind === 'lexical' ? null : vector,
    lexical: kind !== 'vector',
    topK: 10,
    perSourceLimit: null,
    unrelatedCosine: 0,
    competence: 1,
    explain: false,
  })
}
