import { freePort, pause } from '@groundwork/e2e/program'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWire, type Wire } from './http.ts'
import { installed } from './install.ts'
import { placesByBase, vectorOf, type Passages } from './passages.ts'
import { askedParts, topK, type Question, type System, type Variant } from './peer.ts'

/** The newest version, and the newest that runs with glibc 2.36. */
const versions = ['1.3.4', '1.0.5']
const bindings = `chromadb-js-bindings-${process.platform}-${process.arch}${{ linux: '-gnu', win32: '-msvc' }[process.platform as string] ?? ''}`
const collections = '/api/v2/tenants/default_tenant/databases/default_database/collections'

/** Chroma's own server, from the optional dependencies of its npm package, over its HTTP API. */
export function chroma(passages: Passages, bases: number): System {
  const layouts = bases === 1 ? [true] : [true, false]
  return { name: 'Chroma', variants: layouts.map((ofBase) => () => start(passages, ofBase, bases)) }
}

async function start(passages: Passages, ofBase: boolean, bases: number): Promise<Variant> {
  const server = await startServer()
  const wire = openWire(server.url)
  const close = async (): Promise<void> => {
    await wire.close()
    await server.end()
  }
  try {
    const groups = ofBase ? placesByBase(passages) : [passages.ids.map((_, place) => place)]
    const ids: string[] = []
    for (const [number, places] of groups.entries()) ids.push(await createCollection(wire, `base-${number}`, passages, places))
    return {
      name: `Chroma ${server.version}, its own server${bases === 1 ? '' : ofBase ? ', a collection a base' : ', one collection with both fields'}`,
      efforts: { of: 'ef_search', values: [100, 200, 400, 800] },
      async tune(effort) {
        if (effort === 100) return
        for (const id of ids) await wire.call('PUT', `${collections}/${id}`, { new_configuration: { hnsw: { ef_search: effort } } })
      },
      async ask(question) {
        const reply = await wire.post(`${collections}/${ids[ofBase ? question.base : 0]}/query`, queryOf(question, ofBase))
        return () => ((JSON.parse(reply) as { ids: string[][] }).ids[0] ?? []).map(Number)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function queryOf({ vector, base }: Question, ofBase: boolean): string {
  const ofParts = { part: { $in: askedParts } }
  const where = ofBase ? ofParts : { $and: [{ base }, ofParts] }
  return JSON.stringify({ query_embeddings: [numbers(vector)], n_results: topK, where, include: ['distances'] })
}

async function createCollection(wire: Wire, name: string, passages: Passages, places: readonly number[]): Promise<string> {
  const { id } = (await wire.call('POST', collections, { name, configuration: { hnsw: { space: 'cosine' } } })) as { id: string }
  for (let from = 0; from < places.length; from += 1_000) {
    const some = places.slice(from, from + 1_000)
    await wire.call('POST', `${collections}/${id}/add`, {
      ids: some.map(String),
      embeddings: some.map((place) => numbers(vectorOf(passages, place))),
      metadatas: some.map((place) => ({ base: passages.bases[place], part: passages.parts[place] })),
    })
  }
  return id
}

/** Rounds to the precision of a 32-bit float. */
const numbers = (vector: Float32Array): number[] => [...vector].map((value) => Number(value.toPrecision(8)))

interface Server {
  readonly url: string
  readonly version: string
  end(): Promise<void>
}

async function startServer(): Promise<Server> {
  const faults: string[] = []
  for (const version of versions) {
    try {
      return await startVersion(version)
    } catch (error) {
      faults.push(`${version}: ${(error as Error).message}`)
    }
  }
  throw new Error(faults.join('; '))
}

async function startVersion(version: string): Promise<Server> {
  const file = createRequire(join(await installed(bindings, version), 'from.js')).resolve(bindings)
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-chroma-'))
  const port = await freePort()
  const run = ['chroma', 'run', '--path', folder, '--host', '127.0.0.1', '--port', String(port)]
  const child = spawn(process.execPath, ['-e', 'require(process.argv[1]).cli(process.argv.slice(2))', file, ...run], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: folder,
  })
  const exit = new Promise<void>((ended) => child.once('exit', () => ended()))
  const end = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exit
    await rm(folder, { recursive: true, force: true })
  }
  let errors = ''
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()))
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 600 && child.exitCode === null; tries++) {
    const ready = await fetch(`${url}/api/v2/heartbeat`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return { url, version, end }
    await pause(100)
  }
  await end()
  throw new Error(/Error: .*/.exec(errors)?.[0] ?? 'the server did not start')
}
