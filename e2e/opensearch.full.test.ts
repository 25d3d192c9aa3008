import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { hasOpenSearch, openSearchCluster, type OpenSearchCluster } from './opensearch-cluster.ts'
import { postgresServer } from './postgres.ts'
import { createToken, freePort, pause, program, root, type Program } from './program.ts'

const kills = Number(process.env['ENGINE_KILLS'] ?? 5)
const searches = Number(process.env['ENGINE_SEARCHES'] ?? 1_000)
const sourceCount = 24

const things = ['lamp', 'ladder', 'kettle', 'bicycle', 'piano', 'tent', 'drill', 'camera', 'boat', 'oven']
const places = ['garage', 'attic', 'cellar', 'kitchen', 'harbour', 'workshop', 'garden', 'office']
const ways = ['is repaired', 'was sold', 'is rented', 'has a new owner', 'waits for parts', 'is painted green']

/** Returns a text of 30 paragraphs. No two texts have the same. */
const inventory = (number: number): Buffer =>
  Buffer.from(
    Array.from({ length: 30 }, (_, line) => {
      const [thing, place, way] = [things[(number + line) % 10], places[(number * 3 + line) % 8], ways[(number + 2 * line) % 6]]
      return `# Entry ${number}-${line}\n\nThe ${thing} in the ${place} ${way}. Its number is ${number * 100 + line}, and the ${things[(line * 7 + number) % 10]} stands beside it.`
    }).join('\n\n'),
  )

const questions = things.flatMap((thing, at) =>
  places.slice(0, 6).map((place, nth) => `${nth % 2 === 0 ? 'Which' : 'Is the'} ${thing} in the ${place} ${ways[(at + nth) % 6]}?`),
)

test.skipIf(!hasOpenSearch)(
  'with its index in OpenSearch, the program answers as from memory, through killed nodes and programs, and never with a deleted or foreign passage',
  async () => {
    const server = await postgresServer(onTestFinished)
    await server.start()
    const cluster = await openSearchCluster(onTestFinished)
    const searchUrl = `opensearch://${cluster.urls.map((url) => new URL(url).host).join(',')}/e2e?tls=false`
    const worker = await program(onTestFinished, { DATABASE_URL: server.url, SEARCH_URL: searchUrl, ROLE: 'worker' }, 'none')
    await worker.start()
    const { SEARCH_URL: _, ...withoutEngine } = worker.env
    const apis: Program[] = []
    for (const env of [worker.env, worker.env, withoutEngine]) {
      const api = await program(onTestFinished, { ...env, ROLE: 'api', PORT: String(await freePort()) })
      await api.start()
      apis.push(api)
    }
    const { token, organizationId } = await createToken(worker)
    const [first, second, memory] = apis.map(({ url }) => new Client(url, token))
    if (first === undefined || second === undefined || memory === undefined) throw new Error('a program is missing')
    const base = await first.createBase('inventory', { chunkingStrategy: 'fixed', chunkSize: 64, chunkOverlap: 0 })
    const sources = await Promise.all(
      Array.from({ length: sourceCount }, (__, at) => first.addFile(base.id, `${at}.md`, 'text/markdown', inventory(at))),
    )
    for (const [at, { id }] of sources.entries()) {
      expect(await first.settled(base.id, id)).toMatchObject({ status: 'completed' })
      await first.api.bases.sources.update(base.id, id, { metadata: { shelf: at % 3 } })
    }
    await untilCaughtUp(worker)

    // The same answers.
    const options = [{}, { hybridSearch: false }, { filter: { key: 'shelf', eq: 1 } }, { perSourceLimit: 1 }, { partial: true }]
    const ask = async (client: Client, query: string, at: number): Promise<string[]> =>
      (await client.search(base.id, query, { topK: 10, ...options[at % options.length] })).map(
        ({ chunkId, score }) => `${chunkId} ${score.toFixed(5)}`,
      )
    const expected = await inTurn(questions, (query, at) => ask(memory, query, at))
    const answers = await inTurn(questions, (query, at) => ask(at % 2 === 0 ? first : second, query, at))
    const equal = answers.filter((answer, at) => answer.join() === expected[at]?.join()).length
    expect(equal / questions.length).toBeGreaterThanOrEqual(0.98)
    const reply = await first.api.bases.search(base.id, { query: questions[0] ?? '' })
    expect(reply.degraded).toEqual([])

    // Documents of another organization, and of another knowledge base, under the name of this one.
    const foreign = new Client(first.url, (await createToken(worker, '--organization', 'Rivals')).token)
    const theirs = await foreign.createBase('secrets')
    const secret = await foreign.addFile(theirs.id, 'secret.md', 'text/markdown', Buffer.from('The secret lamp in the garage is repaired.'))
    const ours = await first.createBase('other')
    const other = await first.addFile(ours.id, 'other.md', 'text/markdown', Buffer.from('The other lamp in the garage is repaired.'))
    await foreign.settled(theirs.id, secret.id)
    await first.settled(ours.id, other.id)
    await untilCaughtUp(worker)
    expect(await plant(cluster, { organizationId, baseId: base.id })).toBeGreaterThanOrEqual(2)
    const found = await first.search(base.id, 'The secret or other lamp in the garage is repaired', { topK: 50 })
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(({ sourceId }) => !sources.some(({ id }) => id === sourceId))).toEqual([])
    expect(await indexCommand(worker, 'verify')).toMatchObject({
      differences: expect.arrayContaining([expect.objectContaining({ expected: 0 })]),
    })
    await indexCommand(worker, 'verify', '--repair')
    await untilCaughtUp(worker)
    expect(await indexCommand(worker, 'verify')).toMatchObject({ differences: [] })

    // A node is killed: no error.
    await cluster.call('GET', '/_cluster/health?wait_for_status=green&timeout=120s')
    const errors: string[] = []
    let asked = 0
    const kept = async (client: Client): Promise<void> => {
      const response = await client.request('POST', `/v1/bases/${base.id}/search`, { query: questions[asked++ % questions.length] })
      if (response.status >= 500) errors.push(`${response.status} ${await response.text()}`)
    }
    const killed = pause(500).then(() => cluster.kill(1))
    await inParallel(Array.from({ length: 300 }), 4, () => kept(asked % 2 === 0 ? first : second))
    await killed
    await inParallel(Array.from({ length: 100 }), 4, () => kept(asked % 2 === 0 ? first : second))
    expect(errors).toEqual([])
    await cluster.restart(1)

    // Deletions beside searches: no stale hit.
    const deleted = new Set<string>()
    let stale = 0
    const deleting = (async () => {
      for (const { id } of sources.slice(0, 8)) {
        await first.api.bases.sources.delete(base.id, id)
        deleted.add(id)
        await pause(searches / 5)
      }
    })()
    await inParallel(Array.from({ length: searches }), 8, async (__, at) => {
      const before = new Set(deleted)
      const hits = await (at % 2 === 0 ? first : second).search(base.id, questions[at % questions.length] ?? '')
      stale += hits.filter(({ sourceId }) => before.has(sourceId)).length
    })
    await deleting
    expect(stale).toBe(0)

    // The worker is killed while it sends changes: none is lost.
    for (let kill = 0; kill < kills; kill++) {
      for (const { id } of sources.slice(8, 14)) await first.api.bases.sources.update(base.id, id, { enabled: kill % 2 === 1 })
      await pause(30 * kill)
      await worker.kill()
      await worker.start()
    }
    await untilCaughtUp(worker)
    expect(await indexCommand(worker, 'verify')).toEqual({ differences: [], waiting: 0, repaired: 0 })
    const again = await inTurn(questions, (query, at) => ask(first, query, at))
    expect(again).toEqual(await inTurn(questions, (query, at) => ask(memory, query, at)))

    // No node answers: the knowledge base fits into memory.
    for (const node of cluster.urls.keys()) await cluster.kill(node)
    expect(await ask(first, questions[0] ?? '', 0)).toEqual(await ask(memory, questions[0] ?? '', 0))
    console.info(`${equal} of ${questions.length} answers equal those from memory; ${searches} searches beside deletions, ${kills} kills`)
  },
  3_000_000,
)

async function indexCommand({ env }: Program, ...words: string[]): Promise<unknown> {
  const run = promisify(execFile)(process.execPath, ['server/dist/cli.js', 'index', ...words, '--json'], { cwd: root, env })
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error)
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

/** Waits until the search engine has followed all changes. */
async function untilCaughtUp(worker: Program): Promise<void> {
  await expect.poll(() => indexCommand(worker, 'verify'), { timeout: 180_000, interval: 500 }).toMatchObject({ waiting: 0 })
}

interface Hits {
  readonly hits: {
    readonly hits: readonly { readonly _id: string; readonly fields: { readonly base: string[]; readonly chunk: string[] } }[]
  }
}

/** Stores the passages of all other knowledge bases as those of this one, too. @returns their number */
async function plant(cluster: OpenSearchCluster, { organizationId, baseId }: { organizationId: string; baseId: string }): Promise<number> {
  const [organization, base] = [organizationId.slice(-36), baseId.slice(-36)]
  const { hits } = await cluster.call<Hits>('POST', '/e2e-*/_search', {
    size: 100,
    query: { bool: { must_not: { term: { base } } } },
    stored_fields: ['chunk'],
    docvalue_fields: ['base'],
  })
  const words = Object.fromEntries(['lamp', 'garag', 'repair', 'secret'].map((term) => [`en ${term}`, 5]))
  const lines = hits.hits.flatMap(({ _id, fields }) => [
    { index: { _index: 'e2e-1-384', _id, routing: `${organization}.${base}` } },
    {
      organization,
      base,
      generation: Number(_id.split(':')[0]),
      model: 'x',
      words,
      chunk: fields.chunk[0],
      vector: Array.from({ length: 384 }, () => 0.05),
    },
  ])
  await cluster.call('POST', '/_bulk?refresh=true', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  return hits.hits.length
}

async function inTurn<T, R>(items: readonly T[], work: (item: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const [at, item] of items.entries()) results.push(await work(item, at))
  return results
}

async function inParallel<T>(items: readonly T[], callers: number, work: (item: T, at: number) => Promise<void>): Promise<void> {
  const entries = items.entries()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (const [at, item] of entries) await work(item, at)
    }),
  )
}
