-- Search, sorting and filters of the list of proposals.

alter table proposal add search_text text not null generated always as (
  lower(coalesce('p-' || number::text || ' ', '') || title || ' ' || coalesce(message, ''))) stored;
create index proposal_search on proposal using gin (search_text gin_trgm_ops);
create index proposal_status on proposal (organization_id, status, created_at desc, id desc);
create index proposal_total on proposal (organization_id, total_amount, id);
-- A proposal that has not been sent or does not expire counts as the latest.
create index proposal_sent on proposal (organization_id, coalesce(sent_at, 'infinity'), id);
create index proposal_expires on proposal (organization_id, coalesce(expires_at, 'infinity'), id);

-- Returns the ids of the organization's proposals whose search_text matches a LIKE pattern and that meet the conditions, in the
-- order of the list. `conditions` are those of server/proposals/list.ts by their names, `after` is the last row of the page before:
-- its sort value and id.
--
-- Runs as its owner for the reason that contacts_with_words gives: under row-level security the trigram index cannot be used. The
-- statement is planned at each call with its values. A common text walks the index of the order, a rare one uses the trigrams.
create function proposals_with_text(pattern text, conditions jsonb, sort text, after jsonb, max_rows integer) returns setof uuid
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
declare
  key text := case ltrim(sort, '-')
    when 'createdAt' then 'created_at'
    when 'totalAmount' then 'total_amount'
    when 'sentAt' then 'coalesce(sent_at, ''infinity'')'
    when 'expiresAt' then 'coalesce(expires_at, ''infinity'')' end;
  type text := case ltrim(sort, '-') when 'totalAmount' then 'numeric' else 'timestamptz' end;
  direction text := case when sort like '-%' then 'desc' else 'asc' end;
begin
  return query execute 'select id from proposal where organization_id = $1 and search_text like $2'
    || case when conditions ? 'status' then ' and status = $3 ->> ''status''' else '' end
    || case when conditions ? 'contactId' then ' and contact_id = ($3 ->> ''contactId'')::uuid' else '' end
    || case when conditions ? 'currency' then ' and currency = $3 ->> ''currency''' else '' end
    || case when conditions ? 'createdAfter' then ' and created_at >= ($3 ->> ''createdAfter'')::timestamptz' else '' end
    || case when conditions ? 'createdBefore' then ' and created_at < ($3 ->> ''createdBefore'')::timestamptz' else '' end
    || case when conditions ? 'sentAfter' then ' and sent_at >= ($3 ->> ''sentAfter'')::timestamptz' else '' end
    || case when conditions ? 'sentBefore' then ' and sent_at < ($3 ->> ''sentBefore'')::timestamptz' else '' end
    || case when conditions ? 'minTotal' then ' and total_amount >= ($3 ->> ''minTotal'')::numeric' else '' end
    || case when conditions ? 'maxTotal' then ' and total_amount <= ($3 ->> ''maxTotal'')::numeric' else '' end
    || case when after is null then '' else format(' and (%s, id) %s (($4 ->> 0)::%s, ($4 ->> 1)::uuid)', key,
         case direction when 'desc' then '<' else '>' end, type) end
    || format(' order by %s %s, id %s limit $5', key, direction, direction)
    using (select app_organization()), pattern, conditions, after, max_rows;
end $$;
