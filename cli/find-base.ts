import type { Groundwork } from '@groundwork/sdk'
import { UsageError } from './failure.ts'

const id = /^(?:kb_)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/**
 * Returns the id of the knowledge base with this id or name.
 * @throws UsageError if there is none, or more than one with this name
 */
export async function findBase(client: Groundwork, given: string, signal: AbortSignal): Promise<string> {
  if (id.test(given)) return given
  const found: string[] = []
  for await (const base of client.bases.list({ limit: 100 }, { signal })) if (base.name === given) found.push(base.id)
  if (found.length > 1)
    throw new UsageError(`${found.length} knowledge bases have the name ${JSON.stringify(given)}; use an id instead: ${found.join(', ')}`)
  if (found[0] === undefined) throw new UsageError(`there is no knowledge base ${JSON.stringify(given)}; see groundwork bases list`)
  return found[0]
}
