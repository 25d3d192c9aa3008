import type { OwnerQuery } from '../../db/owner-query.ts'
import type { EngineTarget } from './feed.ts'
import { EngineUnavailable, type OpenSearch } from './opensearch.ts'
import { searchedGenerations } from './searched-generations.ts'

/**
 * Makes the triggers note changes for the engine, and notes all searched generations if that is another cluster than before. Programs
 * without the setting do not undo it, because others may use the engine.
 */
export async function activateEngine(query: OwnerQuery, { client, settings: { prefix } }: EngineTarget): Promise<void> {
  const [current] = await query<{ target: string }>('select target from installation.search_engine')
  const cluster = await clusterOf(client)
  if (current !== undefined && (cluster === unknownCluster || current.target === `${cluster}/${prefix}`)) return
  const isNamed = current?.target === `${unknownCluster}/${prefix}`
  // In one statement, after all transactions have ended that changed sources without seeing the row: they would note nothing.
  await query(`do $$ begin
      lock table source, source_part in share mode;
      delete from installation.search_engine;
      insert into installation.search_engine (target) values (${literal(`${cluster}/${prefix}`)});
    end $$`)
  if (!isNamed) await noteAllGenerations(query)
}

const unknownCluster = '?'

/** Returns the id of the cluster; `unknownCluster` if it does not answer. */
async function clusterOf(client: OpenSearch): Promise<string> {
  try {
    const { body } = await client.request({ method: 'GET', path: '/', timeoutMs: 3_000 })
    return (body as { cluster_uuid?: string } | null)?.cluster_uuid ?? unknownCluster
  } catch (error) {
    if (error instanceof EngineUnavailable) return unknownCluster
    throw error
  }
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Notes all searched generations, so that they are stored again. */
export async function noteAllGenerations(query: OwnerQuery): Promise<void> {
  await query(`insert into search_outbox (organization_id, generation, base_id, change)
    select organization_id, generation, base_id, nextval('search_outbox_change') from (${searchedGenerations}) as searched
    on conflict (organization_id, base_id, generation) do update set change = excluded.change`)
}

/** Stops noting changes, and deletes those that are noted. */
export async function deactivateEngine(query: OwnerQuery): Promise<void> {
  await query('delete from installation.search_engine')
  await query('delete from search_outbox')
}
