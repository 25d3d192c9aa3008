-- As before, with the expressions of the indexes proposal_sent_order and proposal_expiry_order.
create or replace function proposals_with_text(pattern text, conditions jsonb, sort text, after jsonb, max_rows integer) returns setof uuid
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
declare
  key text := case ltrim(sort, '-')
    when 'createdAt' then 'created_at'
    when 'totalAmount' then 'total_hundredths'
    when 'sentAt' then 'case when sent_at is not null then sent_at else timestamptz ''infinity'' end'
    when 'expiresAt' then 'case when expires_at is not null then expires_at else timestamptz ''infinity'' end' end;
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
    || case when conditions ? 'completedAfter' then ' and completed_at >= ($3 ->> ''completedAfter'')::timestamptz' else '' end
    || case when conditions ? 'completedBefore' then ' and completed_at < ($3 ->> ''completedBefore'')::timestamptz' else '' end
    || case when conditions ? 'minTotal' then ' and total_hundredths >= (($3 ->> ''minTotal'')::numeric * 100)::bigint' else '' end
    || case when conditions ? 'maxTotal' then ' and total_hundredths <= (($3 ->> ''maxTotal'')::numeric * 100)::bigint' else '' end
    || case when after is null then '' else format(' and (%s, id) %s (($4 ->> 0)::%s, ($4 ->> 1)::uuid)', key,
         case direction when 'desc' then '<' else '>' end, type) end
    || format(' order by %s %s, id %s limit $5', key, direction, direction)
    using (select app_organization()), pattern, conditions, after, max_rows;
end $$;
