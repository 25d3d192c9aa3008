import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@groundwork/e2e/client'
import { createToken, engineName, program } from '@groundwork/e2e/program'
import { evalTool, evalFolder, inParallel, printTable, readTexts, withEnds, type Text } from './run.ts'

/** Required ratio to the BM25 row of the same run, by set. */
const bars: Record<string, number> = {
  'squad-dev-open': 0,
  'scifact-train': 0,
  'xquad-en': 0,
  banking77: 0,
  cranfield: 0.02,
  'anthropic-docs': 0.02,
}

const columns = ['set', 'documents', 'queries', 'BM25', 'hybrid', 'vector alone', 'hybrid / BM25', 'bar', 'holds']
const only = process.argv.slice(2)
const sets = only.length > 0 ? only : Object.keys(bars)
await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, { LOG_LEVEL: 'warn', ...modelSettings() })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const rows: string[][] = []
  for (const set of sets) rows.push(await measure(client, set))
  printTable(`Retrieval quality over HTTP with default settings, nDCG@10 (${engineName()})`, columns, rows)
})

/** The settings of the environment that select models, such as EMBEDDINGS_DIR. */
function modelSettings(): Record<string, string> {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(entries.filter(([name]) => /^(EMBEDDINGS|RERANK)_/.test(name)))
}

async function measure(client: Client, set: string): Promise<string[]> {
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
  const bar = bm25 + (bars[set] ?? 0)
  const cells = [bm25, hybrid, vector].map((value) => value.toFixed(4))
  return [
    set,
    String(corpus.length),
    String(queries.length),
    ...cells,
    (hybrid / bm25).toFixed(3),
    bar.toFixed(4),
    hybrid >= bar ? 'yes' : 'NO',
  ]
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
