-- Totals in hundredths. Under row-level security an index serves conditions on integers, but not on decimals, whose operators could
-- reveal values in errors.

alter table proposal add total_hundredths bigint not null generated always as ((total_amount * 100)::bigint) stored;
drop index proposal_total;
create index proposal_total on proposal (organization_id, total_hundredths, id);

-- Returns the ids of the organization's proposals whose search_text matches a LIKE pattern and that meet the conditions, in the
-- order of the list. `conditions` are those of server/proposals/list.ts by their names, `after` is the last row of the page before:
-- its sort value and id.
--
-- Runs as its owner for the reason that contacts_with_words gives: under row-level security the trigram index cannot be used. The
-- statement is planned at each call with its values. A common text walks the index of the order, a rare one uses the trigrams.
create or replace function proposals_with_text(pattern text, conditions jsonb, sort text, after jsonb, max_rows integer) returns setof uuid
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
declare
  key text := case ltrim(sort, '-')
    when 'createdAt' then 'created_at'
    when 'totalAmount' then 'total_hundredths'
    when 'sentAt' then 'coalesce(sent_at, ''infinity'')'
    when 'expiresAt' then 'coalesce(expires_at, ''infinity'')' end;
  type text := case ltrim(sort, '-') when 'totalAmount' then 'bigint' else 'timestamptz' end;
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
    || case when conditions ? 'minTotal' then ' and total_hundredths >= (($3 ->> ''minTotal'')::numeric * 100)::bigint' else '' end
    || case when conditions ? 'maxTotal' then ' and total_hundredths <= (($3 ->> ''maxTotal'')::numeric * 100)::bigint' else '' end
    || case when after is null then '' else format(' and (%s, id) %s (($4 ->> 0)::%s, ($4 ->> 1)::uuid)', key,
         case direction when 'desc' then '<' else '>' end, type) end
    || format(' order by %s %s, id %s limit $5', key, direction, direction)
    using (select app_organization()), pattern, conditions, after, max_rows;
end $$;
