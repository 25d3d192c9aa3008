import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NotFoundError } from '@groundwork/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, pause, program, root } from './program.ts'

const handbook = join(root, 'examples/handbook.pdf')
// Small chunks make processing long enough to be killed in the middle.
const settings = { chunkingStrategy: 'fixed' as const, chunkSize: 64, chunkOverlap: 0 }

test('after kill -9 during ingestion the source completes without duplicate chunks or lost writes', async () => {
  const groundwork = await program(onTestFinished)
  await groundwork.start()
  const { token } = await createToken(groundwork)
  const client = new Client(groundwork.url, token)

  const undisturbed = await client.createBase('undisturbed', settings)
  const reference = await client.settled(undisturbed.id, (await client.addPath(undisturbed.id, handbook)).id)
  expect(reference).toMatchObject({ status: 'completed', error: null })

  const base = await client.createBase('killed', settings)
  const source = await client.addPath(base.id, handbook)
  const acknowledged: string[] = []
  for (const delayMs of [150, 400, 700]) {
    const enough = acknowledged.length + 4
    const writing = writeContacts(client, acknowledged)
    await pause(delayMs)
    while (acknowledged.length < enough) await pause(5)
    await groundwork.kill()
    await writing
    await groundwork.start()
  }
  const settled = await client.settled(base.id, source.id)
  expect(settled).toMatchObject({ status: 'completed', chunksCount: reference.chunksCount, error: null })

  const hits = await client.search(base.id, 'deposit battery helmet storage key refund', { topK: 100 })
  const places = hits.map(({ citation }) => `${citation.start}-${citation.end}`)
  expect(places.length).toBe(Math.min(100, reference.chunksCount))
  expect(new Set(places).size).toBe(places.length)

  const kept = new Set<string>()
  for (const id of acknowledged) if (await isThere(client.api.contacts.get(id))) kept.add(id)
  expect(acknowledged.length).toBeGreaterThan(10)
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
  expect(await groundwork.stop()).toBe(0)
}, 600_000)

/** Seconds during which the program is killed repeatedly; `npm run test:full` uses 180, and 200 sources. */
const killSeconds = Number(process.env['KILL_SECONDS'] ?? 10)
const killSources = Number(process.env['KILL_SOURCES'] ?? 100)

test(
  `with kill -9 every 5 s for ${killSeconds} s all of ${killSources} sources are processed, with no orphaned or missing data`,
  async () => {
    const groundwork = await program(onTestFinished)
    await groundwork.start()
    const { token } = await createToken(groundwork)
    const client = new Client(groundwork.url, token)
    const base = await client.createBase('killed often', settings)
    const added = new Set<string>()
    let killing = true
    const adding = (async () => {
      for (let n = 0; n < killSources;) {
        const text = Array.from({ length: 30 }, (_, line) => `Shelf ${n} of the store, row ${line}: box ${n * 30 + line}.`).join('\n\n')
        const source = await client.addFile(base.id, `${n}.txt`, 'text/plain', Buffer.from(text)).catch(() => undefined)
        if (source === undefined) await pause(100)
        else {
          added.add(source.id)
          n += 1
        }
      }
    })()
    const end = Date.now() + killSeconds * 1000
    while (killing) {
      await pause(5000)
      await groundwork.kill()
      await groundwork.start()
      killing = Date.now() < end
    }
    await adding
    for (const id of added) expect(await client.settled(base.id, id, 600_000)).toMatchObject({ status: 'completed', error: null })
    expect(await groundwork.stop()).toBe(0)
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['server/dist/cli.js', 'doctor', '--json', '--grace', '0'], {
      cwd: root,
      env: groundwork.env,
    }).catch((error: { stdout: string }) => error)
    expect(JSON.parse(stdout)).toEqual({ findings: [], repaired: 0 })
  },
  killSeconds * 1000 + 900_000,
)

/** Creates contacts until the program ends, and records the acknowledged ones. */
async function writeContacts(client: Client, acknowledged: string[]): Promise<void> {
  for (;;) {
    const created = await client.api.contacts.create({ email: 'kept@example.com' }, { maxRetries: 0 }).catch(() => undefined)
    if (created === undefined) return
    acknowledged.push(created.id)
  }
}

const isThere = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotFoundError) return false
      throw error
    },
  )

test('a source that is deleted during processing is never found again', async () => {
  const groundwork = await program(onTestFinished)
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const base = await client.createBase('deleted', settings)
  for (const delayMs of [0, 50, 150, 300, 500, 800]) {
    const source = await client.addPath(base.id, handbook)
    await pause(delayMs)
    await client.api.bases.sources.delete(base.id, source.id)
    expect(await client.search(base.id, 'deposit', { topK: 100 })).toEqual([])
  }
  await pause(3000)
  expect(await client.search(base.id, 'deposit', { topK: 100 })).toEqual([])
  expect(await client.api.bases.get(base.id)).toMatchObject({ stats: { sources: 0, chunks: 0 } })
})

test('an invalid setting stops the start with its name', async () => {
  const groundwork = await program(onTestFinished, { LOG_LEVEL: 'loud' })
  await expect(groundwork.start()).rejects.toThrow(/LOG_LEVEL/)
})
