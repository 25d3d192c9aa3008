import type {
  ActivityType,
  changeOrigins,
  Channel,
  ClientLanguage,
  ConsentState,
  ContactEmail,
  ContactPhone,
  ContactImport,
  ContactJob,
  ContactSort,
  BulkFields,
  ContactJobCounts,
  SearchFilter,
  CreateContactImport,
  CustomFieldOption,
  CustomFieldType,
  CompanyDuplicateReason,
  DuplicateReason,
  ImportErrorCode,
  KeptValue,
  MailKind,
  PostalAddress,
  ProposalListFilter,
  RecordConsent,
  Role,
  SourceFilter,
  SourceType,
} from '@groundwork/api'
import type { ColumnType, Generated, Kysely, Selectable } from 'kysely'

/** jsonb: read as the value, written as its JSON text. */
type Json<T> = ColumnType<T, string, string>
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>

/** The logo of an organization and its place in the storage. */
export interface StoredLogo {
  readonly sha256: string
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly sizeBytes: number
  readonly width: number
  readonly height: number
  readonly uploadId: string
  readonly key: string
}

/** The postal address of a company. */
export interface StoredAddress {
  readonly line1: string | null
  readonly line2: string | null
  readonly city: string | null
  readonly region: string | null
  readonly postalCode: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
}

export interface OrganizationTable {
  id: string
  name: string
  slug: Generated<string>
  currency: Generated<string>
  last_proposal_number: Generated<number>
  legal_name: string | null
  address: string | null
  tax_id: string | null
  /** ISO 3166-1 alpha-2. */
  country: string | null
  /** `#rrggbb`. */
  color: string | null
  language: Generated<ClientLanguage>
  /** IANA name. */
  time_zone: Generated<string>
  reply_to: string | null
  /** In ascending order. */
  reminder_days: Generated<number[]>
  default_terms: string | null
  expiry_days: number | null
  logo: NullableJson<StoredLogo>
  /** Set while the operator's command deletes the organization. Its row is then invisible to requests and jobs. */
  deletion_started_at: Date | null
  /** Set, together with `deletion_started_at`, while the operator's command imports the organization. */
  import_id: string | null
  created_at: Date
}

export interface ApiTokenTable {
  organization_id: string
  id: string
  name: string
  hash: Buffer
  hint: string | null
  scopes: string[]
  base_ids: string[] | null
  agent: Generated<boolean>
  /** Origins of the pages on which a publishable token works; null for other tokens. */
  origins: string[] | null
  /** Requests per minute of a publishable token; null for other tokens. */
  requests_per_minute: number | null
  previous_hash: Buffer | null
  previous_expires_at: Date | null
  created_by: string | null
  created_by_user: string | null
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  last_used_address: string | null
  revoked_at: Date | null
}

export interface MembershipTable {
  organization_id: string
  user_id: string
  role: Role
  created_at: Date
}

export interface InvitationTable {
  organization_id: string
  id: string
  email: string
  role: Role
  token_hash: Buffer
  created_at: Date
  expires_at: Date
}

export interface MailTable {
  organization_id: string
  id: string
  recipient: string
  subject: string
  text: string
  gives_role: Role | null
  error: string | null
  created_at: Date
  kind: MailKind
  state: Generated<'queued' | 'sent' | 'failed'>
  via: 'smtp' | 'files' | null
  html: string | null
  reply_to: string | null
  attempts: Generated<number>
  handed_over_at: Date | null
  sent_at: Date | null
  proposal_id: string | null
  recipient_id: string | null
  contact_id: string | null
  occurrence: Generated<number>
  /** Reason why the message was not sent; its state is `failed` then. */
  withheld: string | null
}

export type MailRow = Selectable<MailTable>

export interface ContactTable {
  organization_id: string
  id: string
  external_id: string | null
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  tags: Generated<string[]>
  source: string | null
  company_id: string | null
  /** The own company of the contact, while that one is deleted or merged into another one. */
  former_company_id: string | null
  custom_fields: ColumnType<Record<string, unknown>, string | undefined, string>
  /** All entries of the contact; null if there are none besides `email` as it was sent, without a label. */
  emails: NullableJson<ContactEmail[]>
  /** Likewise for `phone`. */
  phones: NullableJson<ContactPhone[]>
  job_title: string | null
  address: NullableJson<PostalAddress>
  language: string | null
  time_zone: string | null
  owner_id: string | null
  do_not_contact: Generated<boolean>
  last_interaction_at: Date | null
  /** Without unknown states. */
  consent: NullableJson<Partial<Record<Channel, ConsentState>>>
  merged_ids: Generated<string[]>
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  /** Set when the personal data was erased, and not when a deleted contact is purged. */
  erased_at: Date | null
  search_text: ColumnType<string, never, never>
}

/** What undoes a merge of companies: the values of the survivor, and the chosen ones. Earlier versions stored no choices. */
export interface StoredCompanyMerge {
  readonly before: object
  readonly after: object
  readonly choices?: object
}

export interface CompanyTable {
  organization_id: string
  id: string
  external_id: string | null
  name: string
  domains: string[]
  phone: string | null
  address: NullableJson<StoredAddress>
  vat_id: string | null
  tags: string[]
  custom_fields: Json<Record<string, unknown>>
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  search_text: ColumnType<string, never, never>
  merged_ids: Generated<string[]>
  merged_into: Generated<string | null>
  merged_values: NullableJson<StoredCompanyMerge>
}

export interface ContactImportTable {
  organization_id: string
  id: string
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  file_name: string
  upload_id: string
  settings: Json<Omit<CreateContactImport, 'storageUrl'>>
  plan: NullableJson<StoredImportPlan>
  total_rows: number | null
  done_rows: Generated<number>
  created_count: Generated<number>
  updated_count: Generated<number>
  unchanged_count: Generated<number>
  failed_count: Generated<number>
  companies_created: Generated<number>
  consents_recorded: Generated<number>
  denials_kept: Generated<number>
  error_code: ImportErrorCode | null
  error: string | null
  actor_type: AuditEntryTable['actor_type'] | null
  actor_id: string | null
  created_at: Date
  ended_at: Date | null
}

export interface ContactJobTable {
  organization_id: string
  id: string
  type: ContactJob['type']
  status: ContactJob['status']
  dry_run: boolean
  settings: Json<ContactJobSettings>
  total_contacts: number | null
  done_contacts: Generated<number>
  last_contact_id: string | null
  counts: ColumnType<Partial<ContactJobCounts>, string | undefined, string>
  actor_type: AuditEntryTable['actor_type']
  actor_id: string | null
  created_at: Date
  ended_at: Date | null
}

/** What a job reverts or changes. */
export interface ContactJobSettings {
  /** With its prefix. */
  readonly actorId?: string | undefined
  readonly importId?: string | undefined
  readonly jobId?: string | undefined
  readonly since?: string | undefined
  /** The contacts of a bulk change, and their new values. Both can name a person, so they are removed at the end. */
  readonly filter?: SearchFilter | undefined
  readonly set?: BulkFields | undefined
  /** Names of the fields in `set`. */
  readonly fields?: readonly string[] | undefined
  /** What a bulk change does, or a revert of one. */
  readonly action?: 'update' | 'delete' | 'restore' | 'record_consent' | undefined
  readonly addTags?: readonly string[] | undefined
  readonly removeTags?: readonly string[] | undefined
  /** The consent that a bulk change records. Its source and wording are removed at the end. */
  readonly recordConsent?: RecordConsent | undefined
}

export interface ContactJobContactTable {
  organization_id: string
  job_id: string
  contact_id: string
  effect: string | null
  effect_at: Date | null
}

export interface ContactJobKeptTable {
  organization_id: string
  job_id: string
  id: string
  contact_id: string
  field: string | null
  reason: KeptValue['reason']
  change_id: string | null
  created_at: Date
}

/** Format and columns of an imported file. */
export interface StoredImportPlan {
  readonly kind: 'csv' | 'xlsx'
  readonly encoding: string | null
  readonly delimiter: string | null
  /** The file has bytes that are invalid in its encoding. */
  readonly isDamaged?: boolean
  readonly header: boolean
  readonly mapping: ContactImport['mapping']
  /** The first rows of a dry run, with shortened cells. */
  readonly samples?: readonly (readonly string[])[]
}

export interface ContactImportErrorTable {
  organization_id: string
  import_id: string
  row_number: number
  cells: string[]
  field: string | null
  message: string
}

export interface ContactImportFormerKeyTable {
  organization_id: string
  import_id: string
  contact_id: string
  key: string
}

export interface CustomFieldTable {
  organization_id: string
  id: string
  entity: 'contact' | 'company'
  name: string
  type: CustomFieldType
  options: NullableJson<readonly CustomFieldOption[]>
  archived_at: Date | null
  created_at: Date
  updated_at: Date
}

/** The columns of each table of saved views. */
export interface SavedViewTable {
  organization_id: string
  id: string
  name: string
  filter: NullableJson<object>
  q: string | null
  sort: string
  shared: boolean
  owner_id: string | null
  created_at: Date
  updated_at: Date
}

export interface ContactViewTable extends SavedViewTable {
  filter: NullableJson<SearchFilter>
  sort: ContactSort
  columns: string[]
}

export interface ProposalListViewTable extends SavedViewTable {
  filter: NullableJson<ProposalListFilter>
}

export interface SourceViewTable extends SavedViewTable {
  filter: NullableJson<SourceFilter>
}

export interface CompanyDomainTable {
  organization_id: string
  domain: string
  company_id: string
}

export interface ActivityTable {
  organization_id: string
  id: string
  contact_id: string
  /** Set by a trigger. */
  contact_created_at: ColumnType<Date | null, never, never>
  type: ActivityType
  direction: 'inbound' | 'outbound' | null
  text: string | null
  duration_seconds: number | null
  occurred_at: Date
  external_id: string | null
  due_at: Date | null
  assignee_id: string | null
  done_at: Date | null
  actor_type: AuditEntryTable['actor_type']
  actor_id: string | null
  created_at: Date
  updated_at: Date
}

export interface ConsentChangeTable {
  organization_id: string
  id: string
  contact_id: string
  channel: Channel
  state: ConsentState
  at: Date
  source: string | null
  wording: string | null
  /** Of the job or import that recorded it: its public id. */
  reference: string | null
  actor_type: AuditEntryTable['actor_type']
  actor_id: string | null
  created_at: Date
}

export interface ErasedValueKeyTable {
  organization_id: string
  sealed: Buffer
}

export interface ErasedValueTable {
  organization_id: string
  hash: Buffer
  created_at: Date
}

export interface ContactChangeTable {
  organization_id: string
  contact_id: string
  /** Order of the changes of a contact. */
  position: number
  id: string
  created_at: Date
  actor_type: AuditEntryTable['actor_type']
  actor_id: string | null
  how: (typeof changeOrigins)[number]
  reference: string | null
  /** Values by field of the API; null if the change created the contact. */
  former: NullableJson<Record<string, unknown>>
  changed: Json<Record<string, unknown>>
  verified: string[] | null
  job_id: string | null
  /** Positions of the changes whose values the reverted fields have again. */
  origins: NullableJson<Record<string, number>>
}

/** Former ids of contacts. */
export interface ContactAliasTable {
  organization_id: string
  id: string
  contact_id: string
}

export interface ContactMergeTable {
  organization_id: string
  merged_id: string
  survivor_id: string
  position: number
  choices: Json<unknown>
  before: Json<unknown>
  after: Json<unknown>
  activity_ids: string[]
  proposal_ids: string[]
  recipient_ids: string[]
  mail_ids: string[]
  consent_ids: string[]
  added_consent_ids: string[]
  suggestion_ids: Generated<string[]>
  created_at: Date
}

export interface ContactSuggestionTable {
  organization_id: string
  id: string
  contact_id: string
  field: string
  value: NullableJson<unknown>
  present: NullableJson<unknown>
  status: 'pending' | 'accepted' | 'dismissed'
  how: 'heard' | 'imported' | 'api'
  reference: string | null
  actor_type: AuditEntryTable['actor_type']
  actor_id: string | null
  created_at: Date
  decided_at: Date | null
}

interface DuplicateTable<Reason> {
  organization_id: string
  id: string
  first_id: string
  second_id: string
  confidence: number
  reasons: Reason[]
  status: 'open' | 'dismissed'
  created_at: Date
  dismissed_at: Date | null
}

export type ContactDuplicateTable = DuplicateTable<DuplicateReason>
export type CompanyDuplicateTable = DuplicateTable<CompanyDuplicateReason>

export interface ProposalTable {
  organization_id: string
  id: string
  number: number | null
  title: string
  contact_id: string
  /** Set by a trigger. */
  contact_created_at: ColumnType<Date | null, never, never>
  total_amount: string
  total_hundredths: ColumnType<string, never, never>
  currency: string
  status: 'draft' | 'pending' | 'completed' | 'rejected' | 'expired' | 'voided'
  items: NullableJson<unknown>
  /** Null without sections. */
  sections: NullableJson<unknown>
  message: string | null
  external_id: string | null
  sent_at: Date | null
  viewed_at: Date | null
  completed_at: Date | null
  rejected_at: Date | null
  expires_at: Date | null
  voided_at: Date | null
  void_reason: string | null
  reject_reason: Generated<string | null>
  supersedes: Generated<string | null>
  superseded_by: Generated<string | null>
  sent_by: Generated<string | null>
  created_at: Date
  updated_at: Date
  content_version: Generated<number>
  prices_include_tax: Generated<boolean>
  discount: string | null
  discount_percent: string | null
  totals: NullableJson<unknown>
  signing_order: Generated<'parallel' | 'sequential'>
  counter_signature: Generated<boolean>
  counter_signed_by: string | null
  counter_signed_at: Date | null
  search_text: ColumnType<string, never, never>
}

export interface ProposalRecipientTable {
  organization_id: string
  id: string
  proposal_id: string
  position: number
  role: 'signer' | 'copy'
  contact_id: string | null
  name: string | null
  email: string | null
  language: string | null
  link_version: Generated<number>
  first_viewed_at: Date | null
  signed_at: Date | null
  declined_at: Date | null
  /** Why the message that sends the proposal was not sent; null unless the contact refuses it. */
  withheld: Generated<string | null>
}

export interface ProposalFileTable {
  organization_id: string
  proposal_id: string
  sha256: string
  upload_id: string
  storage_key: string
  media_type: 'image/png' | 'image/jpeg' | 'application/pdf'
  size_bytes: number
  width: number | null
  height: number | null
  decoded_bytes: number | null
  created_at: Date
}

export interface ProposalViewTable {
  organization_id: string
  id: string
  recipient_id: string
  kind: 'person' | 'robot' | 'sender'
  address: string
  user_agent: string
  seen_at: Date
  last_seen_at: Date
  openings: Generated<number>
}

export interface ProposalQuestionTable {
  organization_id: string
  id: string
  proposal_id: string
  recipient_id: string
  position: number
  question: string
  asked_at: Date
  answer: string | null
  answered_at: Date | null
}

export interface ProposalAcceptanceTable {
  organization_id: string
  proposal_id: string
  content: string
  content_hash: string
  accepted_at: Date
  /** The organization at that time, as JSON; null before it was kept. */
  seller: NullableJson<unknown>
}

export interface ProposalCounterSignatureTable {
  organization_id: string
  proposal_id: string
  name: string
  email: string | null
  wording: string
  signed_at: Date
  address: string
}

export interface ProposalSignatureTable {
  organization_id: string
  recipient_id: string
  name: string
  method: 'typed' | 'drawn'
  drawing: string | null
  wording: string
  signed_at: Date
  address: string
  user_agent: string | null
}

export interface BaseTable {
  organization_id: string
  id: string
  name: string
  description: Generated<string>
  starred: Generated<boolean>
  rag_settings: Json<unknown>
  language: string | null
  log_retrievals: Generated<boolean>
  retrieval_days: Generated<number>
  retrievals_since: Date | null
  sources_removed_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface UploadTable {
  organization_id: string
  id: string
  file_name: string
  content_type: string
  size_bytes: number
  storage_key: string
  received_at: Date | null
  expires_at: Date
  base_ids: Generated<string[] | null>
  used: Generated<boolean>
  parts_id: Generated<string | null>
  created_at: Date
}

export interface SourceTable {
  organization_id: string
  id: string
  base_id: string
  name: string
  type: SourceType
  url: string | null
  upload_id: string | null
  video: NullableJson<unknown>
  rag_settings_override: NullableJson<unknown>
  metadata: ColumnType<Record<string, unknown>, string | undefined, string>
  enabled: Generated<boolean>
  status: 'processing' | 'completed' | 'failed'
  stage: string
  progress_done: Generated<number>
  progress_total: Generated<number>
  progress_unit: Generated<string>
  progress_reused: Generated<number>
  error: string | null
  error_code: string | null
  warnings: Generated<string[]>
  generation: Generated<number>
  live_generation: number | null
  chunks_count: Generated<number>
  embedding_model: string | null
  embedding_dimensions: number | null
  media_type: string | null
  content_hash: string | null
  bytes: number | null
  /** The total of the pages of a site. */
  page_bytes: number | null
  pages: number | null
  language: string | null
  title: string | null
  canonical_url: string | null
  index_config: string | null
  crawl: NullableJson<unknown>
  external_id: string | null
  sync_schedule: 'hourly' | 'daily' | 'weekly' | null
  next_sync_at: Date | null
  silent: Generated<boolean>
  stage_started_at: Date | null
  progress_from: Generated<number>
  last_emitted_stage: Generated<string>
  pending_index_config: string | null
  last_synced_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface DocumentTable {
  organization_id: string
  generation: number
  ordinal: number
  base_id: string
  source_id: string
  url: string | null
  video: NullableJson<unknown>
  upload_id: string | null
  file_name: string | null
  content_type: string | null
  original_key: string | null
  content_key: string | null
  content_hash: string | null
  bytes: number | null
  media_type: string | null
  pages: number | null
  language: string | null
  warnings: Generated<string[]>
  etag: string | null
  last_modified: string | null
  title: string | null
  canonical_url: string | null
}

export interface SourcePageTable {
  organization_id: string
  id: string
  base_id: string
  source_id: string
  key: string
  url: string
  generation: number
  depth: number
  place: number
  hops: number
  tries: Generated<number>
  waiting: boolean
  due_at: Date | null
  indexed: Generated<boolean>
  status: 'fetched' | 'unchanged' | 'skipped' | 'failed' | null
  reason: string | null
  http_status: number | null
  canonical_url: string | null
  stand_in_url: string | null
  title: string | null
  language: string | null
  etag: string | null
  last_modified: string | null
  body_hash: string | null
  text_hash: string | null
  shape_hash: string | null
  content_key: string | null
  bytes: number | null
  rendered: Generated<boolean>
  thin: Generated<boolean>
  chunks: Generated<number>
  fetched_at: Date | null
  listed_at: Date
  /** The `source_part` with its chunks. */
  part: number | null
}

export interface SourcePartTable {
  organization_id: string
  generation: number
  base_id: string
  source_id: string
  /** The generation of the attempt that wrote it. */
  attempt: number
  embedding_model: string
  chunks: Generated<number>
  /** False while it is being written. */
  searched: Generated<boolean>
}

export interface EventTable {
  organization_id: string
  /** Given by the database, in the order of commits. */
  position: Generated<number>
  id: string
  type: string
  data: Json<unknown>
  /** Version of the schema of `data`; see server/events/upgrades.ts. */
  schema_version: Generated<number>
  /** Set by the database: of events of a contact, its activities and its proposals. */
  contact_id: ColumnType<string | null, never, never>
  /** Null for events of former versions. */
  actor_type: AuditEntryTable['actor_type'] | null
  actor_id: string | null
  created_at: Date
}

/** An event that outlives the event log, without texts. */
export interface TimelineEntryTable extends Omit<EventTable, 'position' | 'schema_version' | 'contact_id'> {
  contact_id: string
  position: number
  schema_version: number
}

export interface AuditEntryTable {
  organization_id: string
  created_at: Date
  id: string
  action: string
  actor_type: 'token' | 'user' | 'recipient' | 'system' | 'command_line'
  actor_id: string | null
  address: string | null
  request_id: string | null
  target_kind: string
  target_id: string
}

export interface RetrievalTable {
  organization_id: string
  base_id: string
  created_at: Date
  id: string
  query: string
  question_key: Buffer
  chunk_ids: string[]
  source_ids: string[]
  scores: number[]
  best_score: number | null
  unanswered: boolean
  scored_by: Generated<'hybrid' | 'vector' | 'lexical' | 'rerank'>
  embed_ms: number
  search_ms: number
  rerank_ms: Generated<number>
  assemble_ms: number
  total_ms: number
  degraded: string[]
  via: 'api' | 'mcp' | 'openai' | 'dify' | 'vapi' | 'playground'
  token_id: string | null
}

export interface ApiRequestTable {
  organization_id: string
  created_at: Date
  id: string
  method: string
  route: string
  path: string
  status: number
  duration_ms: number
  actor_type: 'token' | 'user'
  actor_id: string
}

export interface EvaluationQuestionTable {
  organization_id: string
  id: string
  base_id: string
  question: string
  expected_source_ids: string[]
  expected_text: string | null
  note: string
  created_at: Date
  updated_at: Date
}

export interface EvaluationTable {
  organization_id: string
  id: string
  base_id: string
  status: 'queued' | 'running' | 'completed' | 'failed'
  note: string
  settings: Json<unknown>
  total: number
  done: Generated<number>
  skipped: number
  degraded: Generated<number>
  found: number | null
  recall: number | null
  mrr: number | null
  previous_id: string | null
  changes: NullableJson<unknown>
  error: string | null
  created_at: Date
  started_at: Date | null
  completed_at: Date | null
}

export interface EvaluationResultTable {
  organization_id: string
  evaluation_id: string
  ordinal: number
  base_id: string
  question_id: string
  question: string
  expected_source_ids: string[]
  expected_text: string | null
  done: Generated<boolean>
  rank: number | null
  recall: number | null
  best_score: number | null
  degraded: Generated<boolean>
  previous_rank: number | null
  change: 'better' | 'worse' | 'same' | 'new' | null
}

export interface RateWindowTable {
  organization_id: string
  starts_at: Date
  subject_id: string
  claimed: number
}

export interface IdempotencyAnswerTable {
  organization_id: string
  key: string
  request_hash: Buffer
  /** Empty when a record that it told of was deleted since. */
  answer: Buffer
  record_ids: string[] | null
  created_at: Date
}

export interface WebhookEndpointTable {
  organization_id: string
  id: string
  url: string
  description: string
  event_types: string[] | null
  secret: Buffer
  previous_secret: Buffer | null
  previous_secret_expires_at: Date | null
  enabled: Generated<boolean>
  disabled_at: Date | null
  disabled_reason: 'manual' | 'gone' | 'failing' | null
  failing_since: Date | null
  created_at: Date
  updated_at: Date
}

export interface WebhookDeliveryTable {
  organization_id: string
  endpoint_id: string
  id: string
  event_id: string | null
  test_event: NullableJson<unknown>
  event_type: string
  status: Generated<'pending' | 'succeeded' | 'failed' | 'cancelled'>
  next_attempt_at: Date | null
  in_flight: Generated<boolean>
  failures: Generated<number>
  attempts: Generated<number>
  last_attempt_at: Date | null
  response_status: number | null
  error: string | null
  succeeded_at: Date | null
  created_at: Date
}

export interface WebhookAttemptTable {
  organization_id: string
  endpoint_id: string
  delivery_id: string
  id: string
  url: string
  request_headers: Json<Record<string, string>>
  response_status: number | null
  response_headers: NullableJson<Record<string, string>>
  response_body: string | null
  error: string | null
  duration_ms: number
  created_at: Date
}

export interface ReindexTable {
  organization_id: string
  id: string
  base_id: string
  status: 'building' | 'ready' | 'switched' | 'rolled_back' | 'cancelled' | 'failed'
  settings_before: Json<unknown>
  settings_after: Json<unknown>
  evaluation: NullableJson<unknown>
  error: string | null
  switched_generation: number | null
  switch_when_ready: Generated<boolean>
  kept_until: Date | null
  ready_at: Date | null
  switched_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface ReindexSourceTable {
  organization_id: string
  reindex_id: string
  source_id: string
  base_id: string
  status: 'waiting' | 'building' | 'done' | 'failed' | 'switched'
  generation: number | null
  of_generation: number | null
  index_config: string | null
  embedding_model: string | null
  embedding_dimensions: number | null
  chunks_count: Generated<number>
  made_of: string | null
  chunks: Generated<number>
  tokens: Generated<number>
  chunks_before: Generated<number>
  tokens_before: Generated<number>
  error: string | null
  error_code: string | null
}

export interface CertificateTable {
  organization_id: string
  id: string
  sequence: number
  /** Null after the proposal was erased, as are `json` and `signature`. */
  proposal_id: string | null
  json: string | null
  hash: string
  previous_hash: string | null
  key_id: string
  signature: string | null
  issued_at: Date
  erased_at: Date | null
}

/** The tables as rooms use them; `schema.test.ts` holds this against the migrated database. */
export interface QueueTurnTable {
  organization_id: string
  queue: string
  base_id: string
  last: number
}

export interface Schema {
  organization: OrganizationTable
  api_token: ApiTokenTable
  membership: MembershipTable
  invitation: InvitationTable
  mail: MailTable
  contact: ContactTable
  company: CompanyTable
  company_domain: CompanyDomainTable
  activity: ActivityTable
  contact_alias: ContactAliasTable
  contact_merge: ContactMergeTable
  consent_change: ConsentChangeTable
  erased_value: ErasedValueTable
  erased_value_key: ErasedValueKeyTable
  contact_import: ContactImportTable
  contact_import_error: ContactImportErrorTable
  contact_import_former_key: ContactImportFormerKeyTable
  contact_job: ContactJobTable
  contact_job_contact: ContactJobContactTable
  contact_job_kept: ContactJobKeptTable
  contact_view: ContactViewTable
  proposal_list_view: ProposalListViewTable
  source_view: SourceViewTable
  custom_field: CustomFieldTable
  contact_change: ContactChangeTable
  contact_suggestion: ContactSuggestionTable
  contact_duplicate: ContactDuplicateTable
  company_duplicate: CompanyDuplicateTable
  proposal: ProposalTable
  proposal_recipient: ProposalRecipientTable
  proposal_file: ProposalFileTable
  certificate: CertificateTable
  proposal_view: ProposalViewTable
  proposal_question: ProposalQuestionTable
  proposal_acceptance: ProposalAcceptanceTable
  proposal_signature: ProposalSignatureTable
  proposal_counter_signature: ProposalCounterSignatureTable
  base: BaseTable
  upload: UploadTable
  source: SourceTable
  document: DocumentTable
  source_page: SourcePageTable
  source_part: SourcePartTable
  queue_turn: QueueTurnTable
  reindex: ReindexTable
  reindex_source: ReindexSourceTable
  event: EventTable
  timeline_entry: TimelineEntryTable
  audit_entry: AuditEntryTable
  retrieval: RetrievalTable
  api_request: ApiRequestTable
  evaluation_question: EvaluationQuestionTable
  evaluation: EvaluationTable
  evaluation_result: EvaluationResultTable
  rate_window: RateWindowTable
  idempotency_answer: IdempotencyAnswerTable
  webhook_endpoint: WebhookEndpointTable
  webhook_delivery: WebhookDeliveryTable
  webhook_attempt: WebhookAttemptTable
}

/** Runs statements on one connection, inside a transaction of one organization. */
export type Transaction = Kysely<Schema>
