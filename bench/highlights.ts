import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@groundwork/e2e/client'
import { createToken, engineName, program } from '@groundwork/e2e/program'
import { passageUnits } from '@groundwork/server/knowledge/search/passage-units'
import { evalFolder, inParallel, percentile, printTable, readTexts, withEnds } from './run.ts'

/** A span of a document, in UTF-16 code units. */
type Span = readonly [start: number, end: number]

interface Question {
  text: string
  documentId: string
  answers: readonly Span[]
}

/** A line of spans.jsonl or references.jsonl; offsets are code points. */
interface Judgement {
  query_id: string
  doc_id: string
  answers?: Span[]
  references?: { start: number; end: number }[]
}

interface Sentence {
  documentId: string
  span: Span
  text: string
}

/** BM25 of the evaluation data (k1 .9, b .4, Porter). */
type Bm25 = new (documents: { id: number; text: string }[]) => { search: (query: string, limit: number) => [id: number, score: number][] }

const languages: Record<string, string> = { 'xquad-de': 'de', 'xquad-es': 'es' }
const columns = ['set', 'questions', 'passages with the answer', 'BM25', 'highlights', 'difference', 'assembling, ms, p50 / p95']
const only = process.argv.slice(2)
const sets = only.length > 0 ? only : ['squad-dev-open', 'chroma-chunking-open', 'xquad-en', 'xquad-de', 'xquad-es']

await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, { LOG_LEVEL: 'warn' })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const { BM25 } = (await import(pathToFileURL(join(evalFolder(), 'bin/lib.mjs')).href)) as { BM25: Bm25 }
  const rows: string[][] = []
  for (const set of sets) rows.push(await measure(client, BM25, set))
  printTable(`First highlights that contain the answer, given that the passage does (${engineName()})`, columns, rows)
})

/** Searches every question, and judges the first passage that contains an answer of it. */
async function measure(client: Client, BM25: Bm25, set: string): Promise<string[]> {
  const folder = join(evalFolder(), 'sets', set)
  const documents = await documentsOf(folder)
  const questions = await questionsOf(folder, documents)
  const base = await client.createBase(set)
  const sources = await ingest(client, base.id, documents)
  const sentences = [...documents].flatMap(([documentId, text]) => sentencesOf(documentId, text, languages[set] ?? 'en'))
  const bm25 = new BM25(sentences.map(({ text }, id) => ({ id, text })))
  const assembling: number[] = []
  let [judged, byHighlights, byBm25] = [0, 0, 0]
  await inParallel(questions, 4, async ({ text: query, documentId, answers }) => {
    const { data, timings } = await client.api.bases.search(base.id, { query, topK: 10 })
    assembling.push(timings.assembleMs)
    for (const { sourceId, text, highlights } of data) {
      const start = sources.get(sourceId) === documentId ? (documents.get(documentId) ?? '').indexOf(text) : -1
      const passage: Span = [start, start + text.length]
      if (start < 0 || !answers.some((answer) => contains(passage, answer))) continue
      const isRight = (span: Span | undefined): boolean => span !== undefined && answers.some((answer) => hasAnswer(span, answer))
      const [best] = highlights
      const inPassage = (at: number): boolean => sentences[at]?.documentId === documentId && contains(passage, sentences[at].span)
      const found = bm25.search(query, sentences.length).find(([at]) => inPassage(at))?.[0] ?? sentences.findIndex((_, at) => inPassage(at))
      judged += 1
      if (isRight(best && [start + best.start, start + best.end])) byHighlights += 1
      if (isRight(sentences[found]?.span)) byBm25 += 1
      return
    }
  })
  const cells = [byBm25 / judged, byHighlights / judged, (byHighlights - byBm25) / judged].map((value) => value.toFixed(3))
  process.stderr.write(`${set}: ${judged} passages, BM25 and highlights ${cells.join(', ')}\n`)
  return [set, String(questions.length), String(judged), ...cells, `${percentile(assembling, 0.5)} / ${percentile(assembling, 0.95)}`]
}

/** Returns whether a sentence contains an answer, or lies by half in a longer one, as references of the chunking evaluation are. */
function hasAnswer([start, end]: Span, [from, to]: Span): boolean {
  return Math.min(end, to) - Math.max(start, from) >= Math.min(to - from, (end - start) / 2)
}

function contains([start, end]: Span, [from, to]: Span): boolean {
  return start <= from && to <= end
}

function sentencesOf(documentId: string, text: string, language: string): Sentence[] {
  return passageUnits(text, language).map(({ start, end }) => ({ documentId, span: [start, end], text: text.slice(start, end) }))
}

/** Returns the texts of the documents, by id. */
async function documentsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const file = existsSync(join(folder, 'documents.jsonl')) ? 'documents.jsonl' : 'corpus.jsonl'
  return new Map((await readTexts(join(folder, file))).map(({ _id, text }) => [_id, text]))
}

/** Returns the questions with the spans of their answers, or of the references of the chunking evaluation. */
async function questionsOf(folder: string, documents: ReadonlyMap<string, string>): Promise<Question[]> {
  const texts = new Map((await readTexts(join(folder, 'queries.jsonl'))).map(({ _id, text }) => [_id, text]))
  const file = existsSync(join(folder, 'spans.jsonl')) ? 'spans.jsonl' : 'references.jsonl'
  const lines = (await readFile(join(folder, file), 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const { query_id, doc_id, answers, references = [] } = JSON.parse(line) as Judgement
    const codePoints = answers ?? references.map(({ start, end }): Span => [start, end])
    const inUnits = unitOffsets(documents.get(doc_id) ?? '')
    return {
      text: texts.get(query_id) ?? '',
      documentId: doc_id,
      answers: codePoints.map(([start, end]): Span => [inUnits(start), inUnits(end)]),
    }
  })
}

/** Returns a function from an offset in code points to one in UTF-16 code units. */
function unitOffsets(text: string): (codePoints: number) => number {
  if (!/[\ud800-\udfff]/.test(text)) return (codePoints) => codePoints
  const offsets = [0]
  for (const character of text) offsets.push((offsets.at(-1) ?? 0) + character.length)
  return (codePoints) => offsets[codePoints] ?? text.length
}

/** Adds each document as a text file. Returns the document id of each source. */
async function ingest(client: Client, baseId: string, documents: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const sources = new Map<string, string>()
  for (const [id, text] of documents) {
    const source = await client.addFile(baseId, `${id}.txt`, 'text/plain', Buffer.from(text))
    sources.set(source.id, id)
  }
  for (const [sourceId, id] of sources) {
    const { status, error } = await client.settled(baseId, sourceId, 3_600_000)
    if (status !== 'completed') throw new Error(`${id}: ${error}`)
  }
  return sources
}
