import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Client, type SourceRecord } from './client.ts'
import { documentFolders, readManifest } from './evaluation-documents.ts'
import { createToken, program, root } from './program.ts'

describe.each(documentFolders.map((folder) => [relative(root, folder), folder] as const))(
  'documents of every type over HTTP (%s)',
  (_, folder) => {
    test('complete or fail with the expected error code; concurrent hostile documents with little memory only fail their own jobs', async () => {
      const groundwork = await program(onTestFinished, {
        LOG_LEVEL: 'error',
        NODE_OPTIONS: '--max-old-space-size=1024',
        EMBEDDINGS_URL: await quickEmbedder(),
        EMBEDDINGS_MODEL: 'quick',
        EMBEDDINGS_DIMENSIONS: '8',
      })
      await groundwork.start()
      const client = new Client(groundwork.url, (await createToken(groundwork)).token)
      const base = await client.createBase('every kind')
      const documents = readManifest(folder).toSorted((a, b) => Number(b.kind === 'nasty') - Number(a.kind === 'nasty'))
      const sources: SourceRecord[] = []
      for (const { path } of documents) sources.push(await client.addPath(base.id, join(folder, path)))
      const wrong: unknown[] = []
      for (const [index, { path, outcomes }] of documents.entries()) {
        const source = await client.settled(base.id, sources[index]?.id ?? '', 1_200_000)
        const outcome = source.errorCode ?? source.status
        const honest = source.status === 'completed' ? source.chunksCount > 0 : source.chunksCount === 0 && source.error
        if (!outcomes.includes(outcome) || !honest) wrong.push({ path, outcomes, outcome, error: source.error, chunks: source.chunksCount })
      }
      expect(wrong).toEqual([])
      const last = await client.addFile(base.id, 'after.txt', 'text/plain', Buffer.from('The ramp is in the yard.'))
      expect(await client.settled(base.id, last.id)).toMatchObject({ status: 'completed' })
      expect(await groundwork.stop()).toBe(0)
    }, 1_500_000)
  },
)

/** A fast embeddings endpoint, since this test covers extraction and has thousands of passages. */
async function quickEmbedder(): Promise<string> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { input } = JSON.parse(body) as { input: string[] }
      const data = input.map((words, index) => ({ index, embedding: Array.from({ length: 8 }, (_, at) => 1 + (words.length % (at + 2))) }))
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, model: 'quick' }))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}
