import { all } from './all.ts'
import { command } from './command.ts'
import { confirm } from './confirm.ts'
import { findBase } from './find-base.ts'

export const listBases = command({
  words: 'bases list',
  takes: '',
  summary: 'list the knowledge bases',
  options: {},
  async run({ client, output, signal }) {
    const bases = await all(client.bases.list({ limit: 100 }, { signal }))
    const rows = bases.map(({ id, name, stats }) => [id, name, String(stats.sources), String(stats.chunks), stats.lastUpdatedAt])
    await output.table(bases, ['ID', 'NAME', 'SOURCES', 'CHUNKS', 'UPDATED'], rows)
  },
})

export const createBase = command({
  words: 'bases create',
  takes: 'NAME',
  summary: 'create a knowledge base',
  options: { description: { type: 'string', value: 'TEXT', about: 'description' } },
  async run({ client, output, signal }, [name = ''], { description }) {
    const base = await client.bases.create({ name, ...(description !== undefined && { description }) }, { signal })
    await output.record(base, base.id)
  },
})

export const deleteBase = command({
  words: 'bases delete',
  takes: 'BASE',
  summary: 'delete a knowledge base with all its sources, for good',
  options: { yes: { type: 'boolean', about: 'do not ask for confirmation' } },
  async run(session, [given = ''], { yes }) {
    const { client, output, signal } = session
    const base = await client.bases.get(await findBase(client, given, signal), { signal })
    if (!yes) await confirm(session, `Delete ${JSON.stringify(base.name)} with its ${base.stats.sources} sources permanently?`)
    await client.bases.delete(base.id, { signal })
    await output.record({ id: base.id, deleted: true }, `deleted ${base.id}`)
  },
})
