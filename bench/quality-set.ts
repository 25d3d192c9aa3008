import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@groundwork/e2e/client'
import { evalFolder, evalTool, inParallel, readTexts, type Text } from './run.ts'

/** nDCG@10 of one set. */
export interface SetQuality {
  readonly documents: number
  readonly queries: number
  /** Of whole documents, the yardstick. */
  readonly bm25: number
  /** With the default settings. */
  readonly hybrid: number
  readonly vector: number
}

/** Adds the documents of a set to a new knowledge base, asks its queries over HTTP, and scores the replies. */
export async function measureSet(client: Client, set: string): Promise<SetQuality> {
  const folder = join(evalFolder(), 'sets', set)
  const corpus = (await readTexts(join(folder, 'corpus.jsonl'))).filter(({ title, text }) => `${title ?? ''}${text}`.trim() !== '')
  const queries = await readTexts(join(folder, 'queries.jsonl'))
  const bm25 = Number((await evalTool('bm25.mjs', folder)).split('\n')[1]?.split('\t')[3])
  const base = await client.createBase(set)
  const documents = await ingest(client, base.id, corpus)
  const run = async (options: object): Promise<number> => {
    const ranking: string[] = []
    await inParallel(queries, 4, async (query) => {
      const hits = await client.search(base.id, query.text, { topK: 10, perSourceLimit: 1, ...options })
      ranking.push(...hits.map((hit, rank) => `${query._id}\t${documents.get(hit.sourceId)}\t${rank + 1}`))
    })
    return ndcg10(folder, ranking)
  }
  const hybrid = await run({})
  const vector = await run({ hybridSearch: false })
  return { documents: corpus.length, queries: queries.length, bm25, hybrid, vector }
}

/** Scores a ranking with the tool of the evaluation data. */
async function ndcg10(setFolder: string, ranking: string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-bench-'))
  await writeFile(join(folder, 'run.tsv'), ranking.join('\n'))
  const scores = await evalTool('score.mjs', setFolder, join(folder, 'run.tsv'))
  await rm(folder, { recursive: true })
  return Number(/ndcg10\t([\d.]+)/.exec(scores)?.[1])
}

/** Adds each document as a Markdown file. Returns the document id of each source. */
async function ingest(client: Client, baseId: string, corpus: Text[]): Promise<Map<string, string>> {
  const documents = new Map<string, string>()
  const started = performance.now()
  await inParallel(corpus, 6, async (document) => {
    const markdown = document.title ? `# ${document.title}\n\n${document.text}` : document.text
    const source = await client.addFile(baseId, `${documents.size}.md`, 'text/markdown', Buffer.from(markdown))
    documents.set(source.id, document._id)
  })
  for (const [sourceId, id] of documents) {
    const source = await client.settled(baseId, sourceId, 3_600_000)
    if (source.status !== 'completed') process.stderr.write(`${id}: ${source.errorCode} ${source.error}\n`)
  }
  process.stderr.write(`${corpus.length} documents in ${((performance.now() - started) / 1000).toFixed(0)} s\n`)
  return documents
}
