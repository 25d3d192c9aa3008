import type { OwnerQuery } from '../db/owner-query.ts'
import { commandOutbound } from '../configured-storage.ts'
import { EngineUnavailable, openSearchClient } from '../knowledge/engine/opensearch.ts'
import type { SearchEngineSettings } from '../knowledge/engine/search-url.ts'
import { noteGenerations, verifyEngine } from '../knowledge/engine/verify.ts'

/** A difference between the search engine and the database. */
export interface SearchEngineFinding {
  readonly check: 'search_engine'
  readonly organizationId: string | null
  readonly subject: string
  readonly detail: string
}

export const nothingFound = { findings: [], repaired: 0 } as const

/** Returns the sources whose chunks the search engine lacks, or has too many of. Repaired by the programs, which store or remove them. */
export async function checkEngine(
  query: OwnerQuery,
  settings: SearchEngineSettings,
  { repair }: { repair: boolean },
): Promise<{ readonly findings: readonly SearchEngineFinding[]; readonly repaired: number }> {
  const outbound = commandOutbound()
  try {
    const { differences } = await verifyEngine(query, { client: openSearchClient(settings, outbound), settings })
    if (repair) await noteGenerations(query, differences)
    const findings = differences.map(({ organizationId, baseId, generation, stored, expected }) => ({
      check: 'search_engine' as const,
      organizationId,
      subject: `kb_${baseId}`,
      detail: `the search engine has ${stored} chunks of generation ${generation} instead of ${expected}`,
    }))
    return { findings, repaired: repair ? findings.length : 0 }
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    return { findings: [{ check: 'search_engine', organizationId: null, subject: 'SEARCH_URL', detail: error.message }], repaired: 0 }
  } finally {
    await outbound.close()
  }
}
