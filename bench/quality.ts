import { Client } from '@groundwork/e2e/client'
import { createToken, engineName, program } from '@groundwork/e2e/program'
import { measureSet, type SetQuality } from './quality-set.ts'
import { printTable, withEnds } from './run.ts'

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
  for (const set of sets) rows.push(row(set, await measureSet(client, set)))
  printTable(`Retrieval quality over HTTP with default settings, nDCG@10 (${engineName()})`, columns, rows)
})

/** The settings of the environment that select models, such as EMBEDDINGS_DIR. */
function modelSettings(): Record<string, string> {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(entries.filter(([name]) => /^(EMBEDDINGS|RERANK)_/.test(name)))
}

function row(set: string, { documents, queries, bm25, hybrid, vector }: SetQuality): string[] {
  const bar = bm25 + (bars[set] ?? 0)
  const cells = [bm25, hybrid, vector].map((value) => value.toFixed(4))
  const ratio = (hybrid / bm25).toFixed(3)
  return [set, String(documents), String(queries), ...cells, ratio, bar.toFixed(4), hybrid >= bar ? 'yes' : 'NO']
}
