import type { OwnerQuery } from '../../db/owner-query.ts'
import { UsageError } from '../../lib/usage-error.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { activateEngine, deactivateEngine, noteAllGenerations } from './activate.ts'
import { openSearchClient } from './opensearch.ts'
import type { SearchEngineSettings } from './search-url.ts'
import { indexUsage } from './usage.ts'
import { countWaiting, noteGenerations, verifyEngine } from './verify.ts'

interface Tools {
  readonly query: OwnerQuery
  readonly settings: SearchEngineSettings | undefined
  readonly outbound: Pick<Outbound, 'trustedFetch'>
}

/** Runs `index verify`, `index rebuild` or `index drop`. */
export async function runIndexCommand(
  words: readonly string[],
  { repair, json }: { repair: boolean; json: boolean },
  { query, settings, outbound }: Tools,
): Promise<void> {
  const [word] = words
  if (words.length !== 1 || !['verify', 'rebuild', 'drop'].includes(word ?? '')) throw new UsageError(indexUsage)
  const print = (value: object, text: string): void => void process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${text}\n`)
  if (word === 'drop') {
    if (settings !== undefined) throw new Error('SEARCH_URL is set. Remove it from the settings of all programs first.')
    await deactivateEngine(query)
    return print({}, 'Changes are no longer noted for a search engine.')
  }
  if (settings === undefined) throw new Error('SEARCH_URL is not set: there is no search engine.')
  const target = { client: openSearchClient(settings, outbound), settings }
  await activateEngine(query, target)
  const { differences } = await verifyEngine(query, target)
  if (word === 'rebuild') {
    await noteAllGenerations(query)
    await noteGenerations(query, differences)
    const waiting = await countWaiting(query)
    return print({ waiting }, `${waiting} sources are stored again by the programs.`)
  }
  if (repair) await noteGenerations(query, differences)
  const waiting = await countWaiting(query)
  const repaired = repair ? differences.length : 0
  if (differences.length > repaired) process.exitCode = 1
  print(
    { differences, waiting, repaired },
    [
      ...differences.map(
        ({ organizationId, baseId, generation, expected, stored }) =>
          `organization ${organizationId}  knowledge base ${baseId}  generation ${generation}: ${stored} chunks instead of ${expected}`,
      ),
      differences.length === 0
        ? 'No differences found.'
        : `${differences.length} differences found, ${repaired} to be repaired by the programs.`,
      ...(waiting > 0 ? [`${waiting} changes wait for the programs.`] : []),
    ].join('\n'),
  )
}
