import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, pause, program, root, type Program } from './program.ts'

const kills = 8

test('killed while it writes index files, the program answers as before, and a deleted source never again', async () => {
  const groundwork = await program(onTestFinished)
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const base = await client.createBase('stores', { chunkingStrategy: 'fixed', chunkSize: 64, chunkOverlap: 0 })
  const sources = await Promise.all(
    ['Lemon', 'Basil', 'Cumin'].map((spice) => client.addFile(base.id, `${spice}.txt`, 'text/plain', shelves(spice))),
  )
  for (const { id } of sources) expect(await client.settled(base.id, id)).toMatchObject({ status: 'completed' })
  const questions = ['Lemon on shelf 12', 'Which box of Basil is in row 40?', 'Cumin', 'store 7']
  const ask = () =>
    Promise.all(
      questions.map(async (query) => (await client.search(base.id, query)).map(({ chunkId, score }) => `${chunkId} ${score.toFixed(6)}`)),
    )
  const before = await ask()
  // A search with further terms lets the program read all of them, and then write the file.
  await client.search(base.id, 'delivered by cart')
  await expect.poll(() => indexFilesOf(groundwork)).toHaveLength(1)

  const [lemon] = sources
  for (let kill = 0; kill < kills; kill++) {
    // Each change lets the program write the file again, five seconds later.
    for (const enabled of [false, true]) {
      await client.api.bases.sources.update(base.id, lemon?.id ?? '', { enabled })
      await ask()
    }
    await pause(4_950 + 20 * kill)
    await groundwork.kill()
    await groundwork.start()
    expect(await ask()).toEqual(before)
  }

  await expect.poll(() => indexFilesOf(groundwork)).toHaveLength(1)
  await groundwork.kill()
  const [path = ''] = await indexFilesOf(groundwork)
  const bytes = await readFile(path)
  bytes.writeUInt8(bytes.readUInt8(5_000) ^ 1, 5_000)
  await writeFile(path, bytes)
  await groundwork.start()
  expect(await doctorOf(groundwork)).toMatchObject([{ check: 'index_file', detail: expect.stringContaining('checksum') }])
  expect(await ask()).toEqual(before)
  await client.search(base.id, 'delivered by cart')
  await expect.poll(() => doctorOf(groundwork)).toEqual([])

  await client.api.bases.sources.delete(base.id, lemon?.id ?? '')
  await groundwork.kill()
  await groundwork.start()
  const hits = (await Promise.all(questions.map((query) => client.search(base.id, query, { topK: 50 })))).flat()
  expect(hits.length).toBeGreaterThan(0)
  expect(hits.filter(({ sourceId }) => sourceId === lemon?.id)).toEqual([])
})

/** Returns about 600 chunks. */
const shelves = (spice: string): Buffer =>
  Buffer.from(
    Array.from(
      { length: 2_000 },
      (_, box) => `${spice} of store ${box % 9}: shelf ${box % 50}, row ${box % 70}, box ${box}, delivered by cart.`,
    ).join('\n\n'),
  )

async function indexFilesOf({ env }: Program): Promise<string[]> {
  const folder = join(env['DATA_DIR'] ?? '', 'index')
  const names = await readdir(folder, { recursive: true }).catch(() => []) // none yet
  return names.filter((name) => name.endsWith('.index')).map((name) => join(folder, name))
}

async function doctorOf(groundwork: Program): Promise<unknown[]> {
  const run = promisify(execFile)(process.execPath, ['server/dist/cli.js', 'doctor', '--json'], { cwd: root, env: groundwork.env })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return (JSON.parse(stdout) as { findings: unknown[] }).findings
}
