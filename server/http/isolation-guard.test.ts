import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { allOf, firstOf, leaks, tenantTables } from '../testing/leaks.ts'
import { createFixtures, unitEmbedder } from '../testing/fixtures.ts'

const { organization, database } = await testApp({ embedder: unitEmbedder })

/** Tables without a leak when only their policy is missing, with their additional guard. */
const guardedTwice: Record<string, string> = {
  activity: 'is reached through a contact of the organization, which the verb asks for first or the statement joins',
  company_domain: 'only selects ids of companies, which the statement reads under their own policy',
  consent_change: 'is reached through a contact of the organization, which the verb asks for first',
  contact_change: 'is reached through a contact of the organization, which the verb asks for first',
  company_match_key: 'is written and read by functions alone, which name the current organization',
  company_to_compare: 'is written by a trigger, and read by no route',
  contact_match_key: 'is written and read by functions alone, which name the current organization',
  contact_to_compare: 'is written by a trigger, and read by no route',
  contact_alias: 'only selects ids of contacts, which the statement reads under their own policy',
  contact_tag: 'only selects ids of contacts, which the statement reads under their own policy',
  contact_merge: 'is reached through a contact of the organization, which the verb asks for first',
  contact_import_error: 'is reached through an import of the organization, which the verb asks for first',
  contact_import_former_key: 'is written and read by jobs alone, which name the import',
  contact_job_contact: 'is written and read by jobs alone, which name the job',
  contact_job_kept: 'is reached through a job of the organization, which the verb asks for first',
  contact_suggestion: 'is reached through a contact of the organization, which the verb asks for first',
  erased_value: 'holds hashes with the key of an organization, so those of another one never match',
  erased_value_key: 'is read by imports, batches and erasures alone; the key of another organization cannot be decrypted',
  contact_terms: 'is read by functions alone, which name the current organization',
  timeline_entry: 'is reached through a contact of the organization, which the verb asks for first',
  certificate: 'is reached through a proposal of the organization, which the statement joins',
  chunk: 'is joined to generations of the organization, which the statement names as well',
  chunk_embedding: 'likewise',
  document: 'is reached through a source of the organization, whose id the statement names',
  evaluation: 'is reached through a base of the organization, which the verb asks for first',
  evaluation_question: 'likewise',
  evaluation_result: 'is reached through an evaluation of such a base',
  index_copy: 'is read by the search index alone, which names the current organization and a base of its scope',
  index_generation: 'is joined to sources of the organization, likewise',
  index_removal: 'is written with deletions, and read by no route',
  organization_use: 'is read by the function own_use alone, which names the current organization',
  organization_use_change: 'is written and read by triggers alone, which name the organization of the changed row',
  source_page: 'is reached through a source of the organization, which the verb asks for first',
  source_part: 'is joined to sources of the organization, which the statement names',
  proposal_acceptance: 'is written and never read by a route',
  proposal_counter_signature: 'is written with the proposal, and read only for its certificate',
  proposal_signature: 'is joined to recipients of the organization, which the link names',
  proposal_view: 'is written and never read by a route',
  proposal_recipient: 'is joined to proposals of the organization, whose id the statements name as well',
  proposal_question: 'is reached through a proposal of the organization, which the verb asks for first',
  reindex: 'is reached through a base of the organization, which the verb asks for first',
  reindex_source: 'is reached through a re-index of the organization, likewise',
  webhook_attempt: 'is reached through an endpoint of the organization, which every statement names',
  webhook_delivery: 'likewise',
  posting: 'is compared with generations of the organization, likewise',
  retrieval: 'is reached through a base of the organization, which the verb asks for first',
  queue_turn: 'holds numbers alone, which no reply shows; take_turn names its own organization',
  search_outbox: 'holds numbers alone, which no reply shows; is joined to bases of the organization',
  rate_window: 'holds counts alone, which no reply shows of another organization; every statement names its own',
}

const tables = await tenantTables(database)

/** Calls every route while these tables have no row-level security. */
async function* leaksWithout(unguarded: readonly string[]): AsyncGenerator<string, void> {
  const all = async (verb: 'disable' | 'enable'): Promise<void> => {
    for (const table of unguarded) await database.pool.query(`alter table ${table} ${verb} row level security`)
  }
  // Endpoints are limited per organization, and without a policy all endpoints count.
  await database.pool.query('delete from webhook_endpoint')
  const [owner, stranger] = [await organization(), await organization()]
  const [own, foreign] = [await createFixtures(stranger), await createFixtures(owner)]
  await all('disable')
  try {
    yield* leaks({ database, owner, stranger, own, foreign })
  } finally {
    await all('enable')
  }
}

describe('leaks()', () => {
  it.each(tables.filter((table) => !(table in guardedTwice)))('finds a leak if %s has no row-level security', async (table) => {
    expect(await firstOf(leaksWithout([table]))).toBeDefined()
  })

  it('finds no leak if only tables with an additional guard have none', async () => {
    expect(await allOf(leaksWithout(Object.keys(guardedTwice)))).toEqual([])
  })

  it('finds many leaks without row-level security, and none with it', async () => {
    expect(await allOf(leaksWithout(tables), 21)).toHaveLength(21)
    expect(await allOf(leaksWithout([]))).toEqual([])
  })

  it('lists only existing tables', () => expect(tables).toEqual(expect.arrayContaining(Object.keys(guardedTwice))))
})
