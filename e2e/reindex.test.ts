import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, pause, program, root } from './program.ts'

const handbook = join(root, 'examples/handbook.pdf')
const small = { chunkingStrategy: 'fixed' as const, chunkSize: 64, chunkOverlap: 0 }
const notes = 15

test('after kill -9 during a re-index the new index is the same as without it, with no orphaned data', async () => {
  const groundwork = await program(onTestFinished)
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const { reindexes } = client.api.bases

  const fill = async (name: string, settings?: typeof small): Promise<string> => {
    const { id } = await client.createBase(name, settings)
    const sources = [await client.addPath(id, handbook)]
    for (let n = 0; n < notes; n += 1) {
      const text = Array.from({ length: 30 }, (_, line) => `Shelf ${n} of the store, row ${line}: box ${n * 30 + line}.`).join('\n\n')
      sources.push(await client.addFile(id, `${n}.txt`, 'text/plain', Buffer.from(text)))
    }
    for (const source of sources) expect(await client.settled(id, source.id)).toMatchObject({ status: 'completed', error: null })
    return id
  }
  const reference = await client.api.bases.get(await fill('cut so from the beginning', small))
  const base = await fill('indexed anew')
  const before = await client.api.bases.get(base)

  const { id } = await reindexes.create(base, small)
  const chunks = async (): Promise<number> => (await reindexes.get(base, id)).progress.chunks
  for (let killed = 0; killed < 3; killed += 1) {
    const from = await chunks()
    while ((await reindexes.get(base, id)).status === 'building' && (await chunks()) === from) await pause(5)
    await groundwork.kill()
    await groundwork.start()
    expect((await client.api.bases.get(base)).stats.chunks).toBe(before.stats.chunks)
  }
  while ((await reindexes.get(base, id)).status === 'building') await pause(100)
  const { chunks: expected } = reference.stats
  expect(await reindexes.get(base, id)).toMatchObject({
    status: 'ready',
    progress: { sources: notes + 1, done: notes + 1, failed: 0, chunks: expected },
    comparison: { before: { chunks: before.stats.chunks }, after: { chunks: expected } },
  })
  await reindexes.switch(base, id, {})
  await groundwork.kill()
  await groundwork.start()
  expect(await client.api.bases.get(base)).toMatchObject({ ragSettings: small, stats: { sources: notes + 1, chunks: expected } })

  const query = 'deposit battery helmet storage key refund'
  const places = async (of: string): Promise<string[]> =>
    (await client.search(of, query, { topK: 100 })).map(
      ({ sourceName, citation, score }) => `${sourceName} ${citation.start} ${score.toFixed(6)}`,
    )
  expect((await places(base)).toSorted()).toEqual((await places(reference.id)).toSorted())

  await reindexes.rollback(base, id)
  expect((await client.api.bases.get(base)).stats).toMatchObject({ chunks: before.stats.chunks })
  await reindexes.create(base, {})
  expect(await groundwork.stop()).toBe(0)
  const run = promisify(execFile)
  const doctor = ['server/dist/cli.js', 'doctor', '--json', '--grace', '0']
  const { stdout } = await run(process.execPath, doctor, { cwd: root, env: groundwork.env }).catch((error: { stdout: string }) => error)
  expect(JSON.parse(stdout)).toEqual({ findings: [], repaired: 0, pooler: null })
}, 600_000)
