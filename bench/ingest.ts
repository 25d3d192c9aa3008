import { Client } from '@groundwork/e2e/client'
import { createToken, engineName, program } from '@groundwork/e2e/program'
import { chunkDocument } from '@groundwork/server/knowledge/chunk/chunk-document'
import { embeddingText } from '@groundwork/server/knowledge/chunk/embedding-text'
import { openBundledEmbedder } from '@groundwork/server/knowledge/embed/bundled'
import { createExtractor } from '@groundwork/server/knowledge/extract/extractor'
import { join } from 'node:path'
import { evalFolder, printTable, readTexts, withEnds } from './run.ts'

const documents = Number(process.argv[2] ?? 12)
const batchSize = 32

await withEnds(async (atEnd) => {
  const sections = (await readTexts(join(evalFolder(), 'sets/squad-dev-open/corpus.jsonl'))).map(
    ({ title, text }) => `## ${title ?? ''}\n\n${text}`,
  )
  const files = Array.from({ length: documents }, (_, index) => Buffer.from(sections.slice(index * 80, index * 80 + 80).join('\n\n')))

  const { texts, seconds: bare } = await bareEmbedder(files)
  const groundwork = await program(atEnd, { LOG_LEVEL: 'warn' })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const base = await client.createBase('ingest')
  const started = performance.now()
  const sources = []
  for (const [index, file] of files.entries()) sources.push(await client.addFile(base.id, `${index}.md`, 'text/markdown', file))
  let chunks = 0
  for (const source of sources) chunks += (await client.settled(base.id, source.id, 600_000)).chunksCount
  const seconds = (performance.now() - started) / 1000

  const rate = (count: number, time: number): string => (count / time).toFixed(1)
  printTable(
    `Ingestion of ${documents} Markdown files over HTTP, upload to completed (${engineName()})`,
    ['what', 'chunks', 'seconds', 'chunks/s', 'share of yardstick'],
    [
      ['yardstick: bare embedder on the same chunks', String(texts), bare.toFixed(1), rate(texts, bare), '1.00'],
      ['ingestion', String(chunks), seconds.toFixed(1), rate(chunks, seconds), (chunks / seconds / (texts / bare)).toFixed(2)],
    ],
  )
})

/** Seconds that the embedder alone needs for the chunks of these files; cutting them is not timed. */
async function bareEmbedder(files: readonly Buffer[]): Promise<{ texts: number; seconds: number }> {
  const extractor = createExtractor()
  const texts: string[] = []
  for (const bytes of files) {
    const document = await extractor.extract({ bytes, fileName: 'section.md' })
    const chunks = await chunkDocument(document, { strategy: 'semantic', size: 512, overlap: 64 })
    texts.push(...chunks.map((chunk) => embeddingText(chunk, document.title ?? undefined)))
  }
  await extractor.close()
  const embedder = await openBundledEmbedder()
  await embedder.embed(texts.slice(0, batchSize), 'passage')
  const started = performance.now()
  const batches: Promise<unknown>[] = []
  for (let from = 0; from < texts.length; from += batchSize) batches.push(embedder.embed(texts.slice(from, from + batchSize), 'passage'))
  await Promise.all(batches)
  const seconds = (performance.now() - started) / 1000
  await embedder.close()
  return { texts: texts.length, seconds }
}
