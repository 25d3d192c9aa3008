-- Organizations, their API tokens, and the tables that every request uses: audit log, rate limits and stored answers.

create extension if not exists vector;
create extension if not exists pg_trgm;

-- The organization of the current transaction. Null without one: null equals no organization_id, so no row is visible.
create function app_organization() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.organization_id', true), '')::uuid;

-- The knowledge bases that the current transaction is limited to; null if it is not limited.
create function app_base_ids() returns uuid[]
  language sql stable parallel safe
  return nullif(current_setting('app.base_ids', true), '')::uuid[];

-- Policies compare with (select app_organization()): a sub-select is evaluated once per statement, a plain call once per row.

create table organization (
  id uuid primary key,
  name text not null,
  -- The name in URLs, unique among all organizations.
  slug text not null,
  currency text not null default 'USD',
  last_proposal_number integer not null default 1000,
  created_at timestamptz not null
);
-- A partial index, because a foreign key cannot refer to it: a change of the columns of an index that one could refer to blocks
-- the insertion of all rows with a reference to the organization, and waits for them.
create unique index organization_slug on organization (slug) where slug is not null;
alter table organization enable row level security;
create policy tenant on organization
  using (id = (select app_organization())) with check (id = (select app_organization()));
grant usage on schema public to groundwork_app;
grant select, insert, update on organization to groundwork_app;

create function free_slug(organization_name text) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- Letters without accents. All characters except ASCII letters and digits separate words.
  stem text := trim(both '-' from left(trim(both '-' from regexp_replace(
    regexp_replace(lower(normalize(organization_name, NFKD)), U&'[\0300-\036f]', '', 'g'), '[^a-z0-9]+', '-', 'g')), 48));
  candidate text;
  n integer := 1;
begin
  if stem = '' then stem := 'organization'; end if;
  candidate := stem;
  while candidate in ('sign-in', 'setup', 'account', 'organizations', 'invitation', 'forgot-password', 'reset-password', 'assets')
    or exists (select from public.organization where slug = candidate)
  loop
    n := n + 1;
    candidate := stem || '-' || n;
  end loop;
  return candidate;
end $$;
revoke execute on function free_slug(text) from public;

-- Runs as its owner, because a slug must differ from those of organizations that the caller cannot see.
create function give_slug() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  if new.slug is null then
    perform pg_advisory_xact_lock(hashtext('organization slug'));
    new.slug := public.free_slug(new.name);
  end if;
  return new;
end $$;
create trigger give_slug before insert on organization for each row execute function give_slug();

create table api_token (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  name text not null,
  hash bytea not null unique,
  -- The last characters of the secret, to tell tokens apart; null for tokens from before this column.
  hint text,
  scopes text[] not null,
  -- The knowledge bases that the token is limited to; null for all.
  base_ids uuid[] check (cardinality(base_ids) > 0),
  -- The secret before the last rotation, while it is still valid.
  previous_hash bytea unique,
  previous_expires_at timestamptz,
  last_used_at timestamptz,
  last_used_address text,
  -- The token or the user that created it.
  created_by uuid,
  created_by_user uuid,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  check ((previous_hash is null) = (previous_expires_at is null)),
  foreign key (organization_id, created_by) references api_token (organization_id, id)
);
create index api_token_newest on api_token (organization_id, created_at desc, id desc);
alter table api_token enable row level security;
create policy tenant on api_token
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
-- A token is looked up before its organization is known: the presented hash permits reading the single row with this hash.
create policy bearer on api_token for select using (
  hash = decode(nullif(current_setting('app.token_hash', true), ''), 'hex')
  or previous_hash = decode(nullif(current_setting('app.token_hash', true), ''), 'hex')
);
grant select, insert, update, delete on api_token to groundwork_app;

-- One row about the whole installation. It belongs to no organization, so its schema is closed to groundwork_app.
create schema installation;
create table installation.identity (
  only_row boolean primary key default true check (only_row),
  -- HMAC of a constant under the secret key. Tells whether a key is the one of this database.
  secret_key_check bytea,
  -- The id in the marker file of the file storage.
  store_id uuid
);
insert into installation.identity default values;

-- Requests that the programs on this database have claimed of a window, for a token (by its id) or the whole organization (by
-- its id). One write claims many requests; the next claim deletes past windows.
create table rate_window (
  organization_id uuid not null references organization (id) on delete cascade,
  starts_at timestamptz not null,
  subject_id uuid not null,
  claimed bigint not null,
  primary key (organization_id, starts_at, subject_id)
);
alter table rate_window enable row level security;
create policy tenant on rate_window
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on rate_window to groundwork_app;

-- The audit log: each entry is written in the transaction of its change and never updated.
create table audit_entry (
  organization_id uuid not null references organization (id) on delete cascade,
  created_at timestamptz not null,
  id uuid not null,
  action text not null,
  actor_type text not null check (actor_type in ('token', 'user', 'system', 'command_line')),
  -- No foreign keys: an entry outlives its actor and its target.
  actor_id uuid,
  address text,
  request_id text,
  -- The prefix of the target's id, and the id without it.
  target_kind text not null,
  target_id uuid not null,
  primary key (organization_id, created_at, id)
);
create index audit_entry_target on audit_entry (organization_id, target_id, created_at, id);
create index audit_entry_actor on audit_entry (organization_id, actor_id, created_at, id);
alter table audit_entry enable row level security;
create policy tenant on audit_entry
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert on audit_entry to groundwork_app;

-- The only way to delete entries. It runs as its owner, to whom the policy does not apply, so it compares the organization itself.
create function forget_old_audit_entries() returns void
  language sql security definer
  set search_path = public, pg_temp
as $$
  delete from audit_entry where organization_id = app_organization() and created_at < now() - interval '400 days';
$$;
revoke execute on function forget_old_audit_entries() from public;
grant execute on function forget_old_audit_entries() to groundwork_app;

-- The answer to a request with an Idempotency-Key, written in the transaction of its effect: a row exists if and only if the
-- request had its effect. Answers can contain secrets, so they are encrypted.
create table idempotency_answer (
  organization_id uuid not null references organization (id) on delete cascade,
  key text not null,
  request_hash bytea not null,
  answer bytea not null,
  -- Ids of the records in the answer and in the URL of the request; null for answers from before this column.
  record_ids uuid[],
  created_at timestamptz not null,
  primary key (organization_id, key)
);
create index idempotency_answer_age on idempotency_answer (organization_id, created_at);
-- Without fastupdate, because every deletion of a record would read the whole pending list.
create index idempotency_answer_record on idempotency_answer using gin (record_ids) with (fastupdate = off);
alter table idempotency_answer enable row level security;
create policy tenant on idempotency_answer
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on idempotency_answer to groundwork_app;

-- Erases answers with a deleted record or with a replaced or revoked secret, in the statement that records the deletion. The
-- keys remain, so that no request has its effect twice. Runs as its owner: under row-level security the index cannot be used,
-- because the operators of arrays are not leakproof.
create function erase_answers() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  update idempotency_answer set answer = '', record_ids = null
  where organization_id = new.organization_id and record_ids @> array[new.target_id];
  return null;
end $$;
create trigger erase_answers after insert on audit_entry for each row
  when (
    new.action like '%.deleted'
    or new.action in ('contact.purged', 'invitation.accepted', 'token.revoked', 'token.rotated', 'webhook_endpoint.secret_rotated')
  )
  execute function erase_answers();
