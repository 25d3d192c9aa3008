import { sourceSorts, sourceStatuses, sourceTypes } from '@groundwork/api'
import type { Source } from '@groundwork/sdk'
import { all } from './all.ts'
import { command, type Session } from './command.ts'
import { UsageError } from './failure.ts'
import { findBase } from './find-base.ts'
import { runTasks, waitFor, type Task } from './watch.ts'

export const listSources = command({
  words: 'sources list',
  takes: 'BASE',
  summary: 'list the sources of a knowledge base, newest first',
  options: {
    status: { type: 'string', value: 'STATUS', about: sourceStatuses.join(', ') },
    type: { type: 'string', value: 'TYPE', about: sourceTypes.join(', ') },
    sort: { type: 'string', value: 'ORDER', about: sourceSorts.join(', ') },
  },
  async run({ client, output, signal }, [given = ''], options) {
    const status = oneOf(sourceStatuses, options.status, '--status')
    const type = oneOf(sourceTypes, options.type, '--type')
    const sort = oneOf(sourceSorts, options.sort, '--sort')
    const baseId = await findBase(client, given, signal)
    const sources = await all(client.bases.sources.list(baseId, { limit: 100, status, type, sort }, { signal }))
    const rows = sources.map((source) => [source.id, source.name, source.type, stateOf(source), String(source.chunksCount)])
    await output.table(sources, ['ID', 'NAME', 'TYPE', 'STATUS', 'CHUNKS'], rows)
  },
})

function stateOf({ status, stage, progress, error, errorCode }: Source): string {
  if (status === 'failed') return `failed: ${error ?? ''} [${errorCode ?? 'internal'}]`
  return status === 'completed' ? status : `${stage} ${progress.done}/${progress.total}`
}

export const watchBase = command({
  words: 'sources watch',
  takes: 'BASE [SOURCE_ID…]',
  summary: 'wait until the given sources, or all, are processed',
  options: {},
  async run(session, [given = '', ...ids]) {
    const { client, output, signal } = session
    const baseId = await findBase(client, given, signal)
    const sources =
      ids.length > 0
        ? await Promise.all(ids.map((id) => client.bases.sources.get(baseId, id, { signal })))
        : await all(client.bases.sources.list(baseId, { limit: 100, status: 'processing' }, { signal }))
    if (sources.length === 0) output.note('no source is being processed')
    return runTasks(
      session,
      sources.map((source) => waiting(session, baseId, source)),
    )
  },
})

export const retrySources = reprocessCommand('retry', 'process failed sources again')
export const syncSources = reprocessCommand('sync', 'fetch sources again from their URLs, and update them if they changed')

/** Defines a command that processes sources again. */
function reprocessCommand(action: 'retry' | 'sync', summary: string) {
  return command({
    words: `sources ${action}`,
    takes: 'BASE SOURCE_ID…',
    summary,
    options: { watch: { type: 'boolean', about: 'wait until all are processed, and show their progress' } },
    async run(session, [given = '', ...ids], { watch }) {
      const { client, signal } = session
      const baseId = await findBase(client, given, signal)
      const tasks = ids.map((id): Task => ({
        name: id,
        async run(report) {
          const source = await client.bases.sources[action](baseId, id, { signal })
          return watch ? waitFor(session, baseId, id, report) : source
        },
      }))
      return runTasks(session, tasks)
    },
  })
}

export const deleteSources = command({
  words: 'sources delete',
  takes: 'BASE SOURCE_ID…',
  summary: 'delete sources and all their chunks permanently',
  options: {},
  async run({ client, output, signal }, [given = '', ...ids]) {
    const baseId = await findBase(client, given, signal)
    for (const id of ids) {
      await client.bases.sources.delete(baseId, id, { signal })
      await output.record({ id, deleted: true }, `deleted ${id}`)
    }
  },
})

const waiting = (session: Session, baseId: string, { id, name }: Source): Task => ({
  name,
  run: (report) => waitFor(session, baseId, id, report),
})

/** @throws UsageError for an unknown value */
export function oneOf<T extends string>(known: readonly T[], given: string | undefined, option: string): T | undefined {
  const found = known.find((one) => one === given)
  if (given !== undefined && found === undefined) throw new UsageError(`${option} must be one of ${known.join(', ')}`)
  return found
}
