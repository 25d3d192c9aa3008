import { Client } from '@groundwork/e2e/client'
import { createToken, engineName, program } from '@groundwork/e2e/program'
import { chunkDocument } from '@groundwork/server/knowledge/chunk/chunk-document'
import { embeddingText } from '@groundwork/server/knowledge/chunk/embedding-text'
import type { Embedder } from '@groundwork/server/knowledge/embed/embedder'
import { openBundledEmbedder } from '@groundwork/server/knowledge/embed/bundled'
import { createExtractor } from '@groundwork/server/knowledge/extract/extractor'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { evalFolder, percentile, printTable, readTexts, withEnds } from './run.ts'

/** Rounds of the embedder alone and of ingestion alternate, so that other load on the machine affects both. */
const rounds = 2
const filesOfRound = Number(process.argv[2] ?? 20)
const sectionsOfFile = 80
const batchSize = 32

await withEnds(async (atEnd) => {
  const corpora = await Promise.all(
    ['squad-dev-open', 'scifact-train'].map((set) => readTexts(join(evalFolder(), 'sets', set, 'corpus.jsonl'))),
  )
  const sections = corpora.flat().map(({ title, text }) => `## ${title ?? ''}\n\n${text}`)
  const fileAt = (index: number): Buffer => Buffer.from(sections.slice(index * sectionsOfFile, (index + 1) * sectionsOfFile).join('\n\n'))
  const files = Array.from({ length: 1 + rounds * filesOfRound }, (_, index) => fileAt(index))
  const texts = await textsOf(files)

  const embedder = await openBundledEmbedder()
  atEnd(() => embedder.close())
  const groundwork = await program(atEnd, { LOG_LEVEL: 'warn' })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const base = await client.createBase('ingest')
  // This knowledge base does not grow, so its latencies only depend on ingestion.
  const queried = await client.createBase('requests')

  // The first file starts the threads and processes of both.
  await embedAll(embedder, texts[0] ?? [])
  await ingest(client, queried.id, files.slice(0, 1))
  const idle = await latencies(client, queried.id, pause(10_000))

  const bare = { chunks: 0, seconds: 0 }
  const ingestion = { chunks: 0, seconds: 0 }
  const busy = new Map<string, number[]>()
  for (let round = 0; round < rounds; round++) {
    const from = 1 + round * filesOfRound
    const ofRound = texts.slice(from, from + filesOfRound).flat()
    bare.seconds += await timed(() => embedAll(embedder, ofRound))
    bare.chunks += ofRound.length
    const work = timed(async () => void (ingestion.chunks += await ingest(client, base.id, files.slice(from, from + filesOfRound))))
    for (const [what, times] of await latencies(client, queried.id, work)) busy.set(what, [...(busy.get(what) ?? []), ...times])
    ingestion.seconds += await work
  }

  const rate = ({ chunks, seconds }: { chunks: number; seconds: number }): number => chunks / seconds
  const row = (what: string, one: typeof bare): string[] => [
    what,
    String(one.chunks),
    one.seconds.toFixed(1),
    rate(one).toFixed(1),
    (rate(one) / rate(bare)).toFixed(2),
  ]
  printTable(
    `Ingestion of ${rounds * filesOfRound} Markdown files over HTTP, upload to completed (${engineName()})`,
    ['what', 'chunks', 'seconds', 'chunks/s', 'share of yardstick'],
    [row('yardstick: bare embedder on the same chunks', bare), row('ingestion, with concurrent callers', ingestion)],
  )
  const ms = (times: readonly number[], share: number): string => percentile(times, share).toFixed(1)
  printTable(
    'Response times over HTTP, milliseconds',
    ['what', 'idle p50', 'idle p95', 'during ingestion p50', 'p95'],
    [...busy].map(([what, times]) => {
      const before = idle.get(what) ?? []
      return [what, ms(before, 0.5), ms(before, 0.95), ms(times, 0.5), ms(times, 0.95)]
    }),
  )
})

/** Returns the texts that ingestion embeds for each file. */
async function textsOf(files: readonly Buffer[]): Promise<string[][]> {
  const extractor = createExtractor()
  const texts: string[][] = []
  for (const bytes of files) {
    const document = await extractor.extract({ bytes, fileName: 'section.md' })
    const chunks = await chunkDocument(document, { strategy: 'semantic', size: 512, overlap: 64 })
    texts.push(chunks.map((chunk) => embeddingText(chunk, document.title ?? undefined)))
  }
  await extractor.close()
  return texts
}

async function embedAll(embedder: Embedder, texts: readonly string[]): Promise<void> {
  const batches: Promise<unknown>[] = []
  for (let from = 0; from < texts.length; from += batchSize) batches.push(embedder.embed(texts.slice(from, from + batchSize), 'passage'))
  await Promise.all(batches)
}

/** Uploads the files, waits until all are completed, and returns their number of chunks. */
async function ingest(client: Client, baseId: string, files: readonly Buffer[]): Promise<number> {
  const sources = []
  for (const [index, file] of files.entries()) sources.push(await client.addFile(baseId, `${index}.md`, 'text/markdown', file))
  let chunks = 0
  for (const source of sources) chunks += (await client.settled(baseId, source.id, 600_000)).chunksCount
  return chunks
}

/** Sends five requests per second until the work is done. Returns the milliseconds of each response, by request. */
async function latencies(client: Client, baseId: string, work: Promise<unknown>): Promise<Map<string, number[]>> {
  const done = new AbortController()
  void work.finally(() => done.abort()).catch(() => undefined)
  const requests: [string, (at: number) => Promise<unknown>][] = [
    ['GET one base', () => client.api.bases.get(baseId)],
    ['list sources', () => client.api.bases.sources.list(baseId, { limit: 20 }).page()],
    ['search', (at) => client.search(baseId, `what is known about number ${at}?`, { topK: 5 })],
  ]
  const times = new Map<string, number[]>(requests.map(([what]) => [what, []]))
  for (let at = 0; !done.signal.aborted; at++) {
    for (const [what, request] of requests) {
      const seconds = await timed(() => request(at))
      times.get(what)?.push(seconds * 1000)
      await pause(200)
    }
  }
  return times
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}
