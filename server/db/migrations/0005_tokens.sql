alter table api_token
  -- The last characters of the secret, to tell tokens apart; null for those made before they were kept.
  add hint text,
  -- The only bases that the token may see; null for all.
  add base_ids uuid[] check (cardinality(base_ids) > 0),
  -- The secret before the last rotation, for as long as it goes on working.
  add previous_hash bytea unique,
  add previous_expires_at timestamptz,
  add last_used_at timestamptz,
  add last_used_address text,
  add created_by uuid,
  add check ((previous_hash is null) = (previous_expires_at is null)),
  add foreign key (organization_id, created_by) references api_token (organization_id, id);
create index api_token_newest on api_token (organization_id, created_at desc, id desc);

drop policy bearer on api_token;
create policy bearer on api_token for select using (
  hash = decode(nullif(current_setting('app.token_hash', true), ''), 'hex')
  or previous_hash = decode(nullif(current_setting('app.token_hash', true), ''), 'hex')
);

-- The bases that the current transaction is limited to; null where it is not limited.
create function app_base_ids() returns uuid[]
  language sql stable parallel safe
  return nullif(current_setting('app.base_ids', true), '')::uuid[];

-- Restrictive: on top of the tenant's policy. Chunks, vectors and postings need none, since they are reached through
-- a live generation of a source. Under coalesce the planner guesses that half of the rows pass; it would take a bare
-- "is null or = any" to let through next to none, and plan searches of whole bases accordingly.
create policy base_limit on base as restrictive
  using (coalesce(id = any ((select app_base_ids())::uuid[]), true));
create policy base_limit on source as restrictive
  using (coalesce(base_id = any ((select app_base_ids())::uuid[]), true));

-- An event shows its base, or a source of one, as the API did.
create policy base_limit on event as restrictive for select
  using (case when (select app_base_ids()) is null then true else coalesce(
    right(case when type like 'base.%' then data ->> 'id' when type like 'source.%' then data ->> 'baseId' end, 36)::uuid
      = any ((select app_base_ids())::uuid[]),
    true
  ) end);
