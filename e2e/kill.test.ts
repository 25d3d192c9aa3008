import { join } from 'node:path'
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
