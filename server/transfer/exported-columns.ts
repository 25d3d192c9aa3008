/** Tables with rows of organizations that an export leaves out, each with the reason. Names without the schema. */
export const excludedTables: Readonly<Record<string, string>> = {
  api_request: 'requests to the former installation, which are kept for 7 days',
  company_match_key: 'written again when the target compares the companies',
  company_to_compare: 'written again by the triggers of the target',
  contact_match_key: 'written again when the target compares the contacts',
  contact_tag: 'written again by the triggers of the target',
  contact_terms: 'written again by the triggers of the target',
  contact_to_compare: 'written again by the triggers of the target',
  erased_value: 'its hashes need the key of the former installation',
  erased_value_key: 'encrypted under the secret key of the former installation',
  idempotency_answer: 'expires within a day; a client repeats a request where it sent it',
  index_copy: 'its files are copies, which the target makes again',
  organization_use: 'counted again by the triggers of the target, whose operator sets the quotas',
  organization_use_change: 'empty outside of a transaction',
  queue_turn: 'places in the queues of the former installation; jobs get new ones',
  rate_window: 'requests of the present minute',
  search_outbox: 'written again by the triggers of the target',
}

/** Tables that give access to an organization. Their rows are added in the transaction that completes an import. */
export const accessTables: ReadonlySet<string> = new Set(['api_token', 'invitation', 'membership', 'webhook_endpoint'])

type Columns = Readonly<Record<string, readonly string[]>>

/** Numbers of indexing attempts. All organizations of an installation share their sequence, so an import gives new ones. */
export const generationColumns: Columns = {
  chunk: ['generation'],
  chunk_embedding: ['generation'],
  document: ['generation'],
  index_generation: ['generation'],
  index_removal: ['generation'],
  posting: ['generation'],
  reindex: ['switched_generation'],
  reindex_source: ['generation', 'of_generation'],
  source: ['generation', 'live_generation'],
  source_page: ['generation', 'part'],
  source_part: ['generation', 'attempt'],
}

/** Ids of users. A user of the target with the same email address replaces the exported one. */
export const userColumns: Columns = {
  activity: ['actor_id', 'assignee_id'],
  api_token: ['created_by_user'],
  audit_entry: ['actor_id', 'target_id'],
  consent_change: ['actor_id'],
  contact: ['owner_id'],
  contact_change: ['actor_id'],
  contact_import: ['actor_id'],
  contact_job: ['actor_id'],
  contact_suggestion: ['actor_id'],
  contact_view: ['owner_id'],
  event: ['actor_id'],
  membership: ['user_id'],
  proposal: ['sent_by'],
  proposal_list_view: ['owner_id'],
  source_view: ['owner_id'],
  timeline_entry: ['actor_id'],
}

/** Keys of stored files. A key can contain the number of an indexing attempt. */
export const fileColumns: Columns = {
  document: ['original_key', 'content_key'],
  proposal_file: ['storage_key'],
  source_page: ['content_key'],
  upload: ['storage_key'],
}

/** SQL for columns whose value is another one in the export. */
const replacements: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // The former installation sends pending messages and deliveries.
  mail: {
    state: `case state when 'queued' then 'failed' else state end`,
    error: `case state when 'queued' then 'The former installation sends this message: it was queued when the organization was exported.' else error end`,
  },
  webhook_delivery: {
    status: `case status when 'pending' then 'cancelled' else status end`,
    next_attempt_at: 'null::timestamptz',
    in_flight: 'false',
  },
  // Imported events get new positions. The entries stay before all of them.
  timeline_entry: { position: 'position - 1000000000000' },
  upload: { parts_id: 'null::text' },
}

/** Returns the SQL for a column in the export. */
export const exportedValue = (table: string, column: string): string => replacements[table]?.[column] ?? column

/** Returns the condition for the exported rows of a table. The client finishes an upload where it began. */
export const exportedRows = (table: string, organizationId: string): string =>
  `${table === 'organization' ? 'id' : 'organization_id'} = '${organizationId}'${table === 'upload' ? ' and received_at is not null' : ''}`
