import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { direction, indexedBases, random, randomTexts } from '../../testing/indexed-bases.ts'
import type { Hit } from '../search/search-chunks.ts'
import type { IndexQuery } from './find-chunks.ts'
import type { FileHeader } from './index-file.ts'
import { createIndexFiles } from './index-files.ts'
import { baseIndexes } from './base-indexes.ts'
import { comparedModel } from './compared-model.ts'
import { searchIndexes, type SearchIndexes } from './search-indexes.ts'
import { readSearchScope } from './search-scope.ts'

const app = await testApp()
const { database, platform } = app
const newBase = indexedBases(app)
const next = random(11)
const randomText = randomTexts(next)

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

/** Where the vectors and postings of a file are for searches, and the number of chunks from which they stay in the file. */
const places = [
  ['in memory', Number.POSITIVE_INFINITY],
  ['in the file', 1],
] as const

/** Returns an empty folder, and what starts a program with its index files: the indexes of another program, empty in memory. */
async function newFolder(minStoredChunks: number) {
  const folder = await mkdtemp(join(tmpdir(), 'index-files-'))
  folders.push(folder)
  const files = ({ maxBytes = 2 ** 30 } = {}) =>
    createIndexFiles({
      folder,
      maxBytes,
      contextOf: (organizationId) => ({ ...platform, organizationId }),
      log: pino({ enabled: false }),
      delayMs: 0,
      cleanEveryMs: null,
      minChunks: 1,
      minStoredChunks,
    })
  const started: SearchIndexes[] = []
  return {
    folder,
    files,
    start: (maxBytes = 1e9): SearchIndexes => {
      const indexes = searchIndexes({ maxBytes, files: files() })
      started.push(indexes)
      return indexes
    },
    stop: () => Promise.all(started.splice(0).map((indexes) => indexes.close())),
    /** The paths of the files, the same while nothing is written. */
    list: async () => (await readdir(folder, { recursive: true })).filter((name) => /\.\w+$/.test(name)).map((name) => join(folder, name)),
  }
}

const texts = (count: number) => Array.from({ length: count }, () => ({ text: randomText(), vector: direction(next() * 3) }))
const told = (hits: readonly Hit[]) => hits.map(({ chunkId, score }) => `${chunkId} ${score.toFixed(9)}`)

/** A base with a file that has all of its chunks. */
async function filedBase(minStoredChunks = Number.POSITIVE_INFINITY) {
  const [base, folder] = await Promise.all([newBase(), newFolder(minStoredChunks)])
  const sources = [await base.add(texts(12)), await base.add(texts(9), { language: 'de' })]
  const query = { queryText: 'term0 term1 term7 term30', queryVector: direction(0.4), topK: 100 }
  const afresh = async () => told(await base.search(query, searchIndexes({ maxBytes: 1e9 })))
  const ask = async (indexes = folder.start()) => told(await base.search(query, indexes))
  /** Searches until the inverted index is in memory and in a file. */
  const file = async (): Promise<string> => {
    const indexes = folder.start()
    await ask(indexes)
    await base.search({ ...query, queryText: 'term2' }, indexes)
    await expect.poll(folder.list).toEqual([expect.stringMatching(/\.index$/)])
    await folder.stop()
    return (await folder.list())[0] ?? ''
  }
  return { ...base, ...folder, sources, query, afresh, ask, file }
}

/** Deletes the vectors in the database: afterwards, only a file has them. */
const deleteVectors = (generation: number) => database.pool.query('delete from chunk_embedding where generation = $1', [generation])

describe.each(places)('a cold search with vectors and postings %s', (_place, minStoredChunks) => {
  it('reads vectors and postings from the file, with the same scores', async () => {
    const base = await filedBase(minStoredChunks)
    const before = await base.afresh()
    await base.file()
    for (const { generation } of base.sources) {
      await deleteVectors(generation)
      await database.pool.query(`delete from posting where generation = $1 and term <> ''`, [generation])
    }
    expect(await base.ask()).toEqual(before)
    expect(await base.afresh()).not.toEqual(before)
  })

  it('reads only what the file lacks from the database', async () => {
    const base = await filedBase(minStoredChunks)
    await base.file()
    await base.add(texts(5))
    await base.within((trx) =>
      trx
        .deleteFrom('source')
        .where('id', '=', base.sources[1]?.sourceId ?? '')
        .execute(),
    )
    const expected = await base.afresh()
    await deleteVectors(base.sources[0]?.generation ?? 0)
    expect(await base.ask()).toEqual(expected)
  })

  it('answers like an index from the database through additions, deletions and restarts', async () => {
    const base = await filedBase(minStoredChunks)
    const sources = base.sources.map(({ sourceId }) => sourceId)
    let running = base.start()
    for (let step = 0; step < 30; step++) {
      const source = sources[step % Math.max(sources.length, 1)]
      if (source === undefined || step % 3 === 0) sources.push((await base.add(texts(6))).sourceId)
      else if (step % 3 === 1) await database.pool.query('update source set enabled = not enabled where id = $1', [source])
      else {
        await base.within((trx) => trx.deleteFrom('source').where('id', '=', source).execute())
        sources.splice(sources.indexOf(source), 1)
      }
      const expected = await base.afresh()
      expect(await base.ask(running)).toEqual(expected)
      await base.search({ queryText: `term${step}` }, running)
      if (step % 2 === 1) {
        await base.stop()
        running = base.start()
      }
      expect(await base.ask(running)).toEqual(expected)
    }
    await base.stop()
    expect((await base.list()).filter((path) => !path.endsWith('.index'))).toEqual([])
  })

  it('does not believe a file from before a restore, in which a generation had other content', async () => {
    const base = await filedBase(minStoredChunks)
    await base.file()
    const [{ sourceId, generation } = { sourceId: '', generation: 0 }] = base.sources
    for (const table of ['chunk', 'chunk_embedding', 'posting', 'index_generation'])
      await database.pool.query(`delete from ${table} where generation = $1`, [generation])
    await base.write(sourceId, generation, texts(12))
    expect(await base.ask()).toEqual(await base.afresh())
  })
})

describe.each(places)('a file that cannot be read, with vectors and postings %s', (_place, minStoredChunks) => {
  const damages: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
    'one byte of the lengths': (bytes) => flipped(bytes, headerOf(bytes).data.bytes + 3),
    'one byte of the vectors': (bytes) => flipped(bytes, 400),
    'one byte of the postings': (bytes) => flipped(bytes, headerOf(bytes).data.bytes - 3),
    'one byte of the last term': (bytes) => flipped(bytes, headerOf(bytes).data.bytes + headerOf(bytes).front.bytes - 2),
    'one byte of the header': (bytes) => flipped(bytes, bytes.length - 60),
    'one byte of the footer': (bytes) => flipped(bytes, bytes.length - 2),
    'a missing end': (bytes) => bytes.subarray(0, bytes.length / 2),
    'no content': () => Buffer.alloc(0),
    'another version': (bytes) => Buffer.from(bytes.toString('latin1').replace('"version":2', '"version":9'), 'latin1'),
  }

  it.each(Object.entries(damages))('is written again: %s', async (_name, damage) => {
    const base = await filedBase(minStoredChunks)
    const path = await base.file()
    await writeFile(path, damage(await readFile(path)))
    expect(await base.ask()).toEqual(await base.afresh())
    const again = await base.file()
    await deleteVectors(base.sources[0]?.generation ?? 0)
    expect(again).toBe(path)
    expect(await base.ask()).not.toEqual(await base.afresh())
  })

  it('is ignored if the embedding model is trusted otherwise now', async () => {
    const base = await filedBase(minStoredChunks)
    await base.file()
    const embedder = { ...base.ctx.embedder, competence: () => 0.5 }
    const file = await baseIndexes({ maxBytes: 1e9, files: base.files() }).of(base.ctx, {
      ...part(base),
      model: comparedModel(embedder),
      fingerprint: 'any',
    })
    expect(file.index.contiguousRanges.map(({ competence }) => competence)).toEqual([0.5])
    expect(await base.list()).toEqual([])
  })
})

describe('a large index', () => {
  it('leaves its vectors and postings in the file once that is written, also while it grows and shrinks', async () => {
    const base = await filedBase(1)
    const indexes = base.start()
    const expected = await base.afresh()
    const isStored = async () => (await indexes.find(base.ctx, await anyQuery(base))).isStored
    await base.ask(indexes)
    expect(await isStored()).toBe(false)
    await base.search({ ...base.query, queryText: 'term2' }, indexes)
    await expect.poll(isStored).toBe(true)
    for (const { generation } of base.sources) await deleteVectors(generation)
    expect(await base.ask(indexes)).toEqual(expected)
    await base.stop()
  })

  it.each([
    ['gets a file also if it is larger than the memory for all', 1, true],
    ['stays without one if a file would not replace it', 100, false],
  ])('%s', async (_, minStoredChunks, isFiled) => {
    const base = await filedBase(minStoredChunks)
    const indexes = base.start(100)
    for (const queryText of ['term0', 'term2', 'term7']) await base.search({ ...base.query, queryText }, indexes)
    // A file that is being written has another ending.
    if (isFiled) await expect.poll(base.list).toEqual([expect.stringMatching(/\.index$/)])
    await base.stop()
    expect(await base.list()).toHaveLength(isFiled ? 1 : 0)
  })

  it('is one that does not fit into the memory for all', async () => {
    const base = await filedBase()
    await base.file()
    const stored = async (maxBytes: number) =>
      (await baseIndexes({ maxBytes, files: base.files() }).of(base.ctx, { ...part(base), fingerprint: 'any' })).index.storedChunks
    expect(await stored(1e9)).toBe(0)
    expect(await stored(100)).toBe(21)
  })

  it('answers from a file that was deleted meanwhile', async () => {
    const base = await filedBase(1)
    const path = await base.file()
    const indexes = base.start()
    const expected = await base.ask(indexes)
    await rm(path)
    for (const { generation } of base.sources) await deleteVectors(generation)
    expect(await base.ask(indexes)).toEqual(expected)
  })
})

describe('a file beside a failing database', () => {
  it('is not read, and is kept', async () => {
    const base = await filedBase()
    const path = await base.file()
    const fail = () => Promise.reject(new Error('no database'))
    const db = new Proxy(base.ctx.db, { get: () => fail })
    expect(await base.files().read({ ...base.ctx, db }, part(base), 0)).toBeNull()
    expect(await base.list()).toEqual([path])
  })
})

describe('the folder', () => {
  it('loses a deleted source within one cleaning, although nobody searches', async () => {
    const base = await filedBase()
    await base.file()
    await base.files().clean()
    expect(await base.list()).toHaveLength(1)
    await base.within((trx) =>
      trx
        .deleteFrom('source')
        .where('id', '=', base.sources[0]?.sourceId ?? '')
        .execute(),
    )
    await base.files().clean()
    expect(await base.list()).toEqual([])
  })

  it('loses the files of a deleted organization', async () => {
    const base = await filedBase()
    await base.file()
    await database.pool.query('delete from source where organization_id = $1', [base.organizationId])
    await database.pool.query('delete from base where organization_id = $1', [base.organizationId])
    await database.pool.query('delete from organization where id = $1', [base.organizationId])
    await base.files().clean()
    expect(await base.list()).toEqual([])
  })

  it('is written again by a search after a deletion, without the deleted source', async () => {
    const base = await filedBase()
    const before = await readFile(await base.file())
    await base.within((trx) =>
      trx
        .deleteFrom('source')
        .where('id', '=', base.sources[0]?.sourceId ?? '')
        .execute(),
    )
    const expected = await base.afresh()
    const indexes = base.start()
    await base.ask(indexes)
    await expect.poll(async () => (await readFile((await base.list())[0] ?? '').catch(() => before)).length).toBeLessThan(before.length)
    await base.stop()
    await deleteVectors(base.sources[1]?.generation ?? 0)
    expect(await base.ask()).toEqual(expected)
  })

  it('keeps the files that were used last within its limit', async () => {
    const base = await filedBase()
    const path = await base.file()
    const { length } = await readFile(path)
    const copies = ['1', '2', '3'].map((name) => path.replace('.index', `-${name}.index`))
    for (const [age, copy] of copies.entries()) {
      await writeFile(copy, await readFile(path))
      const usedAt = new Date(Date.now() - (age + 1) * 60_000)
      await utimes(copy, usedAt, usedAt)
    }
    await base.files({ maxBytes: 2.5 * length }).clean()
    expect((await base.list()).toSorted()).toEqual([path, copies[0]].toSorted())
  })

  it('loses what a killed program had not finished', async () => {
    const base = await filedBase()
    const path = await base.file()
    const [former, current] = [`${path}.1.part`, `${path}.2.part`]
    await Promise.all([former, current].map((part) => writeFile(part, 'unfinished')))
    await utimes(former, 0, 0)
    await base.files().clean()
    expect((await base.list()).toSorted()).toEqual([path, current].toSorted())
  })
})

const part = ({ baseId, ctx: { embedder } }: Pick<Awaited<ReturnType<typeof filedBase>>, 'baseId' | 'ctx'>) => ({
  id: baseId,
  model: comparedModel(embedder),
  parts: [embedder.model],
})

/** Returns a query without terms. */
const anyQuery = async ({ baseId, ctx }: Pick<Awaited<ReturnType<typeof filedBase>>, 'baseId' | 'ctx'>): Promise<IndexQuery> => ({
  baseIds: [baseId],
  scope: await readSearchScope(ctx, [baseId], {}),
  compared: [{ model: comparedModel(ctx.embedder), vector: null, competence: 0 }],
  queryText: '',
  partial: false,
  earlierText: '',
  topK: 1,
  lexical: true,
  perSourceLimit: null,
  explain: false,
})

/** Returns the header, whose length is in the last 16 bytes. */
function headerOf(bytes: Buffer): FileHeader {
  const end = bytes.length - 16
  return JSON.parse(bytes.subarray(end - bytes.readUInt32LE(end), end).toString()) as FileHeader
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8((copy.readUInt8(at) ^ 0xff) & 0xff, at)
  return copy
}
