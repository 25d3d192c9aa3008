import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { createS3Client } from '../../storage/s3/client.ts'
import { openS3Storage } from '../../storage/s3/s3-storage.ts'
import { bucketOrigin, parseS3Url } from '../../storage/s3/settings.ts'
import { testApp } from '../../testing/app.ts'
import { direction, indexedBases, random, randomTexts } from '../../testing/indexed-bases.ts'
import { startS3Server } from '../../testing/s3-server.ts'
import { checkFiles } from '../../doctor/files.ts'
import type { Hit } from '../search/search-chunks.ts'
import { createIndexCopies, withCopies } from './index-copies.ts'
import { createIndexFiles } from './index-files.ts'
import { searchIndexes, type SearchIndexes } from './search-indexes.ts'

const app = await testApp()
const { database, platform } = app
const newBase = indexedBases(app)
const next = random(23)
const randomText = randomTexts(next)

const server = await startS3Server()
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const settings = { ...parseS3Url(server.url()), credentials: { ...server.credentials, sessionToken: undefined } }
const storage = await openS3Storage(
  createS3Client(settings, { fetch: outbound.trustedFetch(bucketOrigin(settings, settings.endpoint)), retryPausesMs: [1, 1] }),
)
const folders: string[] = []
afterAll(async () => {
  await outbound.close()
  await server.close()
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })))
})

let now = new Date('2026-01-01')
const warnings: object[] = []
beforeEach(async () => {
  server.objects.clear()
  server.fault = () => null
  warnings.length = 0
  await database.pool.query('delete from index_copy')
})

const contextOf = (organizationId: string) => ({ ...platform, organizationId })

/** A machine with an empty folder for index files. */
async function newMachine() {
  const folder = await mkdtemp(join(tmpdir(), 'index-copies-'))
  folders.push(folder)
  const log = pino({ enabled: false })
  const files = createIndexFiles({ folder, maxBytes: 2 ** 30, contextOf, log, delayMs: 0, cleanEveryMs: null, minChunks: 1 })
  const copies = createIndexCopies({
    folder,
    maxBytes: 2 ** 30,
    storage,
    contextOf,
    now: () => now,
    log: { warn: (fields) => void warnings.push(fields) },
    updateEveryMs: null,
    minChunks: 1,
  })
  const indexes = withCopies(searchIndexes({ maxBytes: 1e9, files }), copies)
  const names = async () => (await readdir(folder, { recursive: true })).filter((name) => /\.\w+$/.test(name))
  return { folder, files, copies, indexes, names }
}

type Machine = Awaited<ReturnType<typeof newMachine>>

const texts = (count: number) => Array.from({ length: count }, () => ({ text: randomText(), vector: direction(next() * 3) }))
const shown = (hits: readonly Hit[]) => hits.map(({ chunkId, score }) => `${chunkId} ${score.toFixed(9)}`)

/** A knowledge base whose file is on one machine. */
async function filedBase() {
  const base = await newBase()
  const sources = [await base.add(texts(12)), await base.add(texts(9))]
  const query = { queryText: 'term0 term1 term7 term30', queryVector: direction(0.4), topK: 100 }
  const ask = async (indexes: SearchIndexes) => shown(await base.search(query, indexes))
  /** Searches until the machine has the complete file. */
  const file = async ({ indexes, names }: Machine) => {
    await ask(indexes)
    await base.search({ ...query, queryText: 'term2' }, indexes)
    await expect.poll(names).toEqual([expect.stringMatching(/\.index$/)])
  }
  const machine = await newMachine()
  await file(machine)
  const remove = (sourceId: string) => base.within((trx) => trx.deleteFrom('source').where('id', '=', sourceId).execute())
  /** Deletes the vectors in the database: afterwards, only a file has them. */
  const deleteVectors = () => database.pool.query('delete from chunk_embedding where base_id = $1', [base.baseId])
  return { ...base, sources, ask, file, machine, remove, deleteVectors }
}

const stored = () => [...server.objects.keys()].filter((key) => key.includes('/indexes/')).map((key) => key.replace('files/', ''))
const rows = async () => (await database.pool.query('select storage_key, stored_at from index_copy')).rows

it('lets a machine with an empty folder answer with the same scores, without reading vectors from the database', async () => {
  const base = await filedBase()
  const expected = await base.ask(base.machine.indexes)
  await base.machine.copies.update()
  expect(stored()).toHaveLength(1)
  await base.deleteVectors()
  const other = await newMachine()
  expect(await base.ask(other.indexes)).toEqual(expected)
  expect(await other.names()).toEqual(await base.machine.names())
  const without = searchIndexes({ maxBytes: 1e9 })
  expect(await base.ask(without)).not.toEqual(expected)
  expect(warnings).toEqual([])
})

it('keeps a copy that has most of the chunks, and replaces one that does not', async () => {
  const base = await filedBase()
  await base.machine.copies.update()
  const [first] = stored()
  const again = await newMachine()
  await base.file(again)
  await again.copies.update()
  expect(stored()).toEqual([first])
  await base.add(texts(20))
  const larger = await newMachine()
  await base.ask(larger.indexes)
  await base.search({ queryText: 'term2' }, larger.indexes)
  const expected = await base.ask(larger.indexes)
  now = new Date(now.getTime() + 1000)
  // The machine replaces its own file, some time after the search.
  await expect
    .poll(async () => {
      await larger.copies.update()
      return stored()
    })
    .not.toContain(first)
  expect(await rows()).toEqual([expect.objectContaining({ storage_key: stored()[0] })])
  await base.deleteVectors()
  expect(await base.ask((await newMachine()).indexes)).toEqual(expected)
})

it('deletes a copy with a deleted source, and the one of a deleted knowledge base', async () => {
  const [base, other] = [await filedBase(), await filedBase()]
  await base.machine.copies.update()
  await other.machine.copies.update()
  expect(stored()).toHaveLength(2)
  await base.remove(base.sources[0]?.sourceId ?? '')
  const idle = await newMachine()
  await idle.copies.update()
  expect(stored()).toEqual([expect.stringContaining(other.baseId)])
  for (const { sourceId } of other.sources) await other.remove(sourceId)
  await database.pool.query('delete from base where id = $1', [other.baseId])
  await idle.copies.update()
  expect(stored()).toEqual([])
  expect(await rows()).toEqual([])
})

it('does not keep a copy whose source was deleted while it was written', async () => {
  const base = await filedBase()
  const removals: Promise<unknown>[] = []
  server.fault = ({ method }) => {
    if (method === 'PUT' || method === 'POST') removals.push(base.remove(base.sources[0]?.sourceId ?? ''))
    return null
  }
  await base.machine.copies.update()
  expect(removals.length).toBeGreaterThan(0)
  await Promise.all(removals)
  server.fault = () => null
  await base.machine.copies.update()
  expect(stored()).toEqual([])
  expect(await rows()).toEqual([])
})

it('does not write a copy that another machine is writing, and deletes one that was never finished', async () => {
  const base = await filedBase()
  server.fault = ({ method }) => (method === 'PUT' || method === 'POST' ? { status: 403, code: 'AccessDenied' } : null)
  await expect(base.machine.copies.update()).rejects.toThrow(/denied/i)
  server.fault = () => null
  const again = await newMachine()
  await base.file(again)
  await again.copies.update()
  expect(stored()).toEqual([])
  expect(await rows()).toHaveLength(1)
  now = new Date(now.getTime() + 2 * 3_600_000)
  await again.copies.update()
  expect(stored()).toHaveLength(1)
  expect(await rows()).toEqual([expect.objectContaining({ storage_key: stored()[0], stored_at: now })])
})

it('answers from the database if the copy is missing or the storage fails, and stores another copy', async () => {
  const base = await filedBase()
  const expected = await base.ask(base.machine.indexes)
  await base.machine.copies.update()
  server.fault = ({ method }) => (method === 'GET' ? { status: 403, code: 'AccessDenied' } : null)
  expect(await base.ask((await newMachine()).indexes)).toEqual(expected)
  server.fault = () => null
  expect(await rows()).toHaveLength(1)
  server.objects.clear()
  expect(await base.ask((await newMachine()).indexes)).toEqual(expected)
  expect(warnings).toHaveLength(2)
  expect(await rows()).toEqual([])
  const again = await newMachine()
  await base.file(again)
  await again.copies.update()
  expect(stored()).toHaveLength(1)
})

it('is known to the check of stored files', async () => {
  const base = await filedBase()
  await base.machine.copies.update()
  const query = async <T>(text: string) => (await database.pool.query(text)).rows as T[]
  const findings = await checkFiles(query, storage, { now: new Date(Date.now() + 3_600_000), graceSeconds: 0 })
  expect(findings.filter(({ check }) => check === 'orphan_file')).toEqual([])
})
