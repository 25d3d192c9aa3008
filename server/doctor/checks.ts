import { deadLetterOf, type Queue } from '../jobs/jobs.ts'
import { shortJobsQueue } from '../jobs/short-jobs.ts'
import { crawlSiteQueue, processSourceQueue } from '../knowledge/ingest/queue.ts'
import { deleteIndexQueue } from '../knowledge/index/remove.ts'
import { dropReindexWork } from '../knowledge/reindex/drop.ts'
import { buildShadowQueue } from '../knowledge/reindex/queue.ts'

export interface Finding {
  readonly check: CheckName
  readonly organizationId: string
  /** Id of the source, the certificate or the webhook endpoint, or key of the file. */
  readonly subject: string
  readonly detail: string
}

export type CheckName =
  | 'certificate'
  | 'stuck'
  | 'stuck_reindex'
  | 'incomplete'
  | 'duplicate_chunks'
  | 'orphan_rows'
  | 'orphan_file'
  | 'unfinished_write'
  | 'missing_file'
  | 'wrong_use'
  | 'webhook'

/** A check of the database. It is a single statement, so it sees a consistent state while the program is running. */
interface Check {
  readonly name: CheckName
  readonly sql: string
}

/** Returns the condition for jobs that wait, run, or wait to be abandoned. */
const unfinished = (...queues: readonly Queue[]): string =>
  `name in (${queues
    .flatMap((queue) => [queue.name, deadLetterOf(queue)])
    .map((name) => `'${name}'`)
    .join(', ')}) and state <= 'active'`

/** A failed attempt leaves its origin. */
const attempts = `select organization_id, generation from source where status = 'processing' or live_generation is null or error_code is not null
  union select organization_id, live_generation from source where live_generation is not null
  union select organization_id, generation from source_part
  union select organization_id, generation from index_removal x where exists (
    select from pgboss.job where ${unfinished(deleteIndexQueue)} and data ->> 'organizationId' = x.organization_id::text)
  union select b.organization_id, b.generation from reindex_source b
    join reindex r on r.organization_id = b.organization_id and r.id = b.reindex_id
    where b.generation is not null and (r.status in ('building', 'ready') or r.kept_until is not null or exists (
      select from pgboss.job where ${unfinished(shortJobsQueue)} and data ->> 'handler' = '${dropReindexWork.name}'
        and data ->> 'reindexId' = r.id::text))`

const orphanRows = (table: string): string =>
  `select organization_id as "organizationId", generation::text as subject, '${table}: ' || count(*) || ' rows of a generation without a source' as detail
   from ${table} t where (organization_id, generation) not in (${attempts}) group by 1, 2`

/** Tables with rows of generations. A deletion from the first one deletes from the others, or adds to the last one. */
export const generationTables = ['index_generation', 'document', 'chunk', 'chunk_embedding', 'posting', 'index_removal'] as const

/** Returns the statement that deletes rows of generations without a source. It is safe while the program is running. */
export const deleteOrphanRows = (table: (typeof generationTables)[number]): string =>
  `delete from ${table} where (organization_id, generation) not in (${attempts})`

export const checks: readonly Check[] = [
  {
    // The counters change in the transactions that change the rows.
    name: 'wrong_use',
    sql: `select o.id as "organizationId", o.id::text as subject,
        format('the counted use is %s bytes, %s chunks and %s sources instead of %s, %s and %s', coalesce(u.storage_bytes, 0),
          coalesce(u.chunks, 0), coalesce(u.sources, 0), storage_bytes_of_rows, chunks_of_rows, sources_of_rows) as detail
      from organization o left join organization_use u on u.organization_id = o.id
      left join (select organization_id, sum(size_bytes) as bytes from upload group by 1) up on up.organization_id = o.id
      left join (select organization_id, sum(fetched_bytes(upload_id, bytes)) as bytes, sum(chunks_count) as chunks, count(*) as sources
        from source group by 1) s on s.organization_id = o.id
      cross join lateral (select coalesce(up.bytes, 0) + coalesce(s.bytes, 0) as storage_bytes_of_rows,
        coalesce(s.chunks, 0) as chunks_of_rows, coalesce(s.sources, 0) as sources_of_rows) r
      where (coalesce(u.storage_bytes, 0), coalesce(u.chunks, 0), coalesce(u.sources, 0))
        is distinct from (storage_bytes_of_rows, chunks_of_rows, sources_of_rows)`,
  },
  {
    // A source and its job are committed in one transaction, so a source without a job is never a transient state.
    name: 'stuck',
    sql: `select organization_id as "organizationId", id::text as subject, 'processing, but has no job' as detail
      from source where status = 'processing' and not exists (
        select from pgboss.job where ${unfinished(processSourceQueue, crawlSiteQueue)}
          and data ->> 'sourceId' = source.id::text and (data ->> 'generation')::bigint = source.generation)`,
  },
  {
    // A re-index of a source and its job are committed in one transaction too.
    name: 'stuck_reindex',
    sql: `select organization_id as "organizationId", source_id::text as subject, 'being re-indexed, but has no job' as detail
      from reindex_source b where status = 'building' and exists (
        select from reindex r where r.organization_id = b.organization_id and r.id = b.reindex_id
          and (r.status = 'building' or r.kept_until is not null)
      ) and not exists (
        select from pgboss.job where ${unfinished(buildShadowQueue)}
          and data ->> 'reindexId' = b.reindex_id::text and (data ->> 'generation')::bigint = b.generation)`,
  },
  {
    name: 'incomplete',
    sql: `select * from (
      select organization_id as "organizationId", id::text as subject,
        format('%s chunks expected; found %s chunks, %s vectors and %s lexical rows', expected, chunks, vectors, lexical) as detail,
        chunks = expected and vectors = expected and lexical = expected and expected > 0 as whole
      from (
        select organization_id, id, base_id, live_generation as generation, chunks_count as expected from source where live_generation is not null
        union all select organization_id, source_id, base_id, generation, chunks from source_part where searched
      ) as s
      cross join lateral (select count(*) as chunks from chunk c where c.organization_id = s.organization_id and c.generation = s.generation) a
      cross join lateral (select count(*) as vectors from chunk_embedding e
        where e.organization_id = s.organization_id and e.base_id = s.base_id and e.generation = s.generation) b
      cross join lateral (select coalesce(sum(cardinality(entries)), 0) as lexical from posting p
        where p.organization_id = s.organization_id and p.generation = s.generation and p.term = '') c) as counted
      where not whole`,
  },
  {
    name: 'duplicate_chunks',
    sql: `select organization_id as "organizationId", source_id::text as subject, count(*) || ' duplicate passages' as detail
      from (select organization_id, source_id from chunk
        group by organization_id, source_id, generation, page_id, start_offset, end_offset, text having count(*) > 1) as twice
      group by 1, 2`,
  },
  {
    // Certificates are never changed, so only a restored or edited database has a broken chain. It cannot be repaired.
    name: 'certificate',
    sql: `select "organizationId", subject, 'certificate ' || sequence || ': ' || fault as detail from (
      select organization_id as "organizationId", id::text as subject, sequence, case
          when hash <> encode(sha256(convert_to(json, 'UTF8')), 'hex') then 'its content was changed'
          when sequence <> coalesce(lag(sequence) over chain, 0) + 1 then 'the one before it is missing'
          when previous_hash is distinct from lag(hash) over chain then 'it does not belong to the one before it'
        end as fault
      from certificate window chain as (partition by organization_id order by sequence)) as checked
      where fault is not null`,
  },
  {
    // Their receivers or the lack of a worker are the cause, so no repair changes them.
    name: 'webhook',
    sql: `select organization_id as "organizationId", id::text as subject, 'its deliveries have failed since ' ||
        to_char(failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as detail
      from webhook_endpoint where enabled and failing_since < now() - interval '1 hour'
    union all select organization_id, id::text, 'it was disabled, because ' ||
        case disabled_reason when 'gone' then 'its receiver answered 410' else 'its deliveries failed' end
      from webhook_endpoint where not enabled and disabled_reason in ('gone', 'failing') and disabled_at > now() - interval '7 days'
    union all select d.organization_id, d.endpoint_id::text, count(*) || ' deliveries have been due for more than an hour'
      from webhook_delivery d join webhook_endpoint e on e.organization_id = d.organization_id and e.id = d.endpoint_id
      where d.status = 'pending' and d.next_attempt_at < now() - interval '1 hour' and e.enabled and e.failing_since is null
      group by d.organization_id, d.endpoint_id`,
  },
  ...generationTables.map((table) => ({ name: 'orphan_rows' as const, sql: orphanRows(table) })),
]
