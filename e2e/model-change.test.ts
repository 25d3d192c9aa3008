import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, pause, program, root } from './program.ts'

const notes = 8
const question = { query: 'Which box is in row 7 of the store?', topK: 100 }

/** Writes the bundled model into a folder in the form of a published one. */
async function exportedModel(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'exported-model-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const script = ['--import', 'tsx', '--conditions=source', 'server/testing/write-bundled-model.ts', folder]
  await promisify(execFile)(process.execPath, script, { cwd: root })
  return folder
}

/** Returns the commands of the steps in docs/retrieval.md, with this folder. */
async function documentedCommands(folder: string): Promise<string[]> {
  const [, section = ''] = /### Local models\n([^]*?)\n### /.exec(await readFile(join(root, 'docs/retrieval.md'), 'utf8')) ?? []
  return [...section.matchAll(/```sh\n([^]*?)```/g)].map(([, command = '']) => command.trim().replace('/models/e5-small-v2', folder))
}

/** `gw` and `field` of the tour. */
const tourFunctions = (await readFile(join(root, 'README.md'), 'utf8')).match(/^(?:gw|field)\(\) .*$/gm)?.join('\n') ?? ''

test('after a change of the model, the former vectors answer every search until the switch, also after kill -9', async () => {
  const folder = await exportedModel()
  const groundwork = await program(onTestFinished)
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const { id: base } = await client.createBase('Store')
  const sources = [await client.addPath(base, join(root, 'examples/handbook.pdf'))]
  for (let n = 0; n < notes; n += 1) {
    const text = Array.from({ length: 40 }, (_, line) => `Shelf ${n} of the store, row ${line}: box ${n * 40 + line}.`).join('\n\n')
    sources.push(await client.addFile(base, `${n}.txt`, 'text/plain', Buffer.from(text)))
  }
  for (const source of sources) expect(await client.settled(base, source.id)).toMatchObject({ status: 'completed', error: null })

  const search = () => client.api.bases.search(base, question)
  const models = async (): Promise<string[]> => {
    const { data } = await client.api.bases.sources.list(base, { limit: 100 }).page()
    return [...new Set(data.map(({ embeddingModel }) => embeddingModel?.split('@')[0] ?? ''))]
  }
  const isIndexedBy = async (model: string): Promise<boolean> => (await models()).join() === model
  const before = await search()
  expect(before).toMatchObject({ scoredBy: 'hybrid', degraded: [] })

  const [check = '', start = '', follow = ''] = await documentedCommands(folder)
  const shell = (command: string): Promise<{ stdout: string }> =>
    promisify(execFile)('bash', ['-c', command], {
      cwd: root,
      env: { ...groundwork.env, API: groundwork.url, TOKEN: client.token, BASE: base },
    })
  const { stdout: checked } = await shell(check)
  for (const property of ['model', 'family', 'precision', 'maximum tokens', 'pooling', 'dimensions', 'query prefix', 'passage prefix'])
    expect(checked).toMatch(new RegExp(`^${property} {2,}\\S`, 'm'))
  const [, setting = '', value = ''] = /^(\w+)=(\S+) npm start$/.exec(start) ?? []

  await groundwork.stop()
  groundwork.env[setting] = value
  await groundwork.start()
  expect((await client.api.system.get()).embedder).toMatchObject({ kind: 'local', model: expect.stringContaining(basename(folder)) })
  for (let kills = 0; !(await isIndexedBy(basename(folder)));) {
    const reply = await search()
    expect([reply.scoredBy, reply.degraded]).toEqual(['hybrid', []])
    expect(reply.data).toHaveLength(before.data.length)
    const { reindexing } = await client.api.bases.get(base)
    if (kills < 2 && (reindexing?.progress.chunks ?? 0) > kills * 20) {
      kills += 1
      await groundwork.kill()
      await groundwork.start()
    }
  }
  expect((await shell(`${tourFunctions}\n${follow}`)).stdout.trim()).toBe('null')
  const after = await search()
  expect(after).toMatchObject({ scoredBy: 'hybrid', degraded: [] })
  expect(after.data.map(({ text }) => text).toSorted()).toEqual(before.data.map(({ text }) => text).toSorted())

  // The program remembers the folder of the former model.
  await groundwork.kill()
  delete groundwork.env['EMBEDDINGS_DIR']
  await groundwork.start()
  for (; !(await isIndexedBy('all-MiniLM-L6-v2')); await pause(20)) expect((await search()).degraded).toEqual([])
  expect((await search()).degraded).toEqual([])
}, 600_000)
