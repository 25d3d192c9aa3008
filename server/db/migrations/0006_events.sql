-- Events, and their delivery to webhook endpoints.

-- Events in order, each written in the transaction of its change and never updated.
create table event (
  organization_id uuid not null references organization (id) on delete cascade,
  position bigint not null,
  id uuid not null,
  type text not null,
  data jsonb not null,
  -- The version of the schema of `data`.
  schema_version smallint not null default 1,
  -- The contact of the event or of its proposal, for the timeline of a contact. A generated column, because an expression on
  -- `data` cannot use an index under row-level security: the operators of jsonb are not leakproof.
  contact_id uuid generated always as (
    case when type like 'contact.%' then right(data ->> 'id', 36) when type like 'proposal.%' then right(data ->> 'contactId', 36) end::uuid
  ) stored,
  created_at timestamptz not null,
  primary key (organization_id, position),
  unique (organization_id, id)
);
create index event_of_contact on event (organization_id, contact_id, position) where contact_id is not null;
create sequence event_position;

-- A number of a sequence is taken before its row is visible, so a reader at 6 could miss a 5 that commits later. Therefore the
-- number is taken under a lock of the organization that ends with the transaction: a reader that sees a position sees every
-- lower one that will ever exist. The alternative, reading only numbers below pg_snapshot_xmin, waits for every open
-- transaction of the whole server, including backups. The lock costs little, because transactions with notifications wait for
-- each other at their commit anyway. It is taken after all row locks, so that two transactions cannot wait for each other.
create function place_event() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4, hashtext(new.organization_id::text));
  new.position := nextval('event_position');
  perform pg_notify('groundwork_events', new.organization_id::text);
  return new;
end $$;
create trigger place_event before insert on event for each row execute function place_event();

alter table event enable row level security;
create policy tenant on event
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
-- An event of a knowledge base, or of a source of one, is as visible as the knowledge base.
create policy base_limit on event as restrictive for select
  using (case when (select app_base_ids()) is null then true else coalesce(
    right(case when type like 'base.%' then data ->> 'id' when type like 'source.%' then data ->> 'baseId' end, 36)::uuid
      = any ((select app_base_ids())::uuid[]),
    true
  ) end);
grant select, insert on event to groundwork_app;
grant usage on sequence event_position to groundwork_app;

-- The only way to delete events. It runs as its owner, to whom the policy does not apply, so it compares the organization itself.
create function forget_old_events() returns void
  language sql security definer
  set search_path = public, pg_temp
as $$
  delete from event where organization_id = app_organization() and created_at < now() - interval '90 days';
$$;
revoke execute on function forget_old_events() from public;
grant execute on function forget_old_events() to groundwork_app;

create table webhook_endpoint (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  url text not null,
  description text not null,
  -- Null for all types, including those of later versions.
  event_types text[] check (cardinality(event_types) > 0),
  -- Both secrets are encrypted. The previous one also signs until it expires.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_expires_at timestamptz,
  enabled boolean not null default true,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('manual', 'gone', 'failing')),
  -- The time of the first failure since the last success.
  failing_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  check ((disabled_at is null) = enabled and (disabled_reason is null) = enabled),
  check ((previous_secret is null) = (previous_secret_expires_at is null))
);
alter table webhook_endpoint enable row level security;
create policy tenant on webhook_endpoint
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));

-- One event for one endpoint. The table is the queue of the endpoint workers: a worker claims pending deliveries that are due,
-- and sets them due again later in case it fails.
create table webhook_delivery (
  organization_id uuid not null references organization (id) on delete cascade,
  -- No foreign key: its check would lock the endpoint's row for every event, and fail if the endpoint was just deleted. A
  -- delivery without an endpoint is invisible and is deleted with its event.
  endpoint_id uuid not null,
  id uuid not null,
  -- Null for a test, whose event is in `test_event` and not in the event log.
  event_id uuid,
  test_event jsonb,
  event_type text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  -- When it is due; while it is in flight, when it is due again.
  next_attempt_at timestamptz,
  in_flight boolean not null default false,
  -- Failed attempts since the delivery was last requested: its place in the retry schedule.
  failures integer not null default 0,
  -- The number of all attempts, and the last one of them.
  attempts integer not null default 0,
  last_attempt_at timestamptz,
  response_status integer,
  error text,
  succeeded_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, endpoint_id, id),
  unique (organization_id, event_id, endpoint_id),
  foreign key (organization_id, event_id) references event (organization_id, id) on delete cascade,
  check ((event_id is null) = (test_event is not null)),
  check ((next_attempt_at is not null) = (status = 'pending'))
);
create index webhook_delivery_queue on webhook_delivery (organization_id, endpoint_id, next_attempt_at) where status = 'pending';
alter table webhook_delivery enable row level security;
create policy tenant on webhook_delivery
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));

-- A request and its response, both cut to a maximum length.
create table webhook_attempt (
  organization_id uuid not null,
  endpoint_id uuid not null,
  delivery_id uuid not null,
  id uuid not null,
  url text not null,
  request_headers jsonb not null,
  response_status integer,
  response_headers jsonb,
  response_body text,
  -- Why there was no response; null if there was one.
  error text,
  duration_ms integer not null,
  created_at timestamptz not null,
  primary key (organization_id, endpoint_id, delivery_id, id),
  foreign key (organization_id, endpoint_id, delivery_id)
    references webhook_delivery (organization_id, endpoint_id, id) on delete cascade
);
alter table webhook_attempt enable row level security;
create policy tenant on webhook_attempt
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));

grant select, insert, update, delete on webhook_endpoint, webhook_delivery to groundwork_app;
grant select, insert on webhook_attempt to groundwork_app;

-- Returns a new UUIDv7, like server/lib/ids.ts: the two bits turn version 4 into version 7.
create function new_id(at timestamptz) returns uuid
  language sql volatile parallel safe
  return encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid()) placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1), 'hex')::uuid;

-- Adds the deliveries of every event with the event. The trigger's statement has its own snapshot, so it sees the commits before
-- the organization's lock was granted (place_event). A transaction that adds or changes an endpoint takes this lock too
-- (events_placed), so every event is either before that change or sees it.
create function deliver_event() returns trigger language plpgsql as $$
begin
  insert into webhook_delivery (organization_id, endpoint_id, id, event_id, event_type, next_attempt_at, created_at)
  select new.organization_id, endpoint.id, new_id(new.created_at), new.id, new.type, new.created_at, new.created_at
  from webhook_endpoint endpoint
  where endpoint.organization_id = new.organization_id and endpoint.enabled
    and (endpoint.event_types is null or new.type = any (endpoint.event_types));
  return null;
end $$;
create trigger deliver_event after insert on event for each row execute function deliver_event();

create function events_placed() returns void
  language sql
  return pg_advisory_xact_lock(4, hashtext(app_organization()::text));

-- Returns the enabled endpoints of all organizations with a due delivery, the longest due ones first. The dispatcher calls this
-- for all organizations, and does everything else with the scope of the organization. It steps through the index from endpoint
-- to endpoint, so it takes a few microseconds per waiting endpoint, regardless of the number of its deliveries.
create function due_webhook_endpoints(at timestamptz) returns table (organization_id uuid, endpoint_id uuid)
  language sql stable security definer
  set search_path = public, pg_temp
as $$
  with recursive waiting as (
    (
      select d.organization_id, d.endpoint_id, d.next_attempt_at from webhook_delivery d where d.status = 'pending'
      order by d.organization_id, d.endpoint_id, d.next_attempt_at limit 1
    )
    union all
    select further.* from waiting, lateral (
      select d.organization_id, d.endpoint_id, d.next_attempt_at from webhook_delivery d
      where d.status = 'pending' and (d.organization_id, d.endpoint_id) > (waiting.organization_id, waiting.endpoint_id)
      order by d.organization_id, d.endpoint_id, d.next_attempt_at limit 1
    ) as further
  )
  select waiting.organization_id, waiting.endpoint_id
  from waiting
  join webhook_endpoint endpoint on endpoint.organization_id = waiting.organization_id and endpoint.id = waiting.endpoint_id
  where waiting.next_attempt_at <= at and endpoint.enabled
  order by waiting.next_attempt_at
  limit 1000;
$$;
revoke execute on function due_webhook_endpoints(timestamptz) from public;
grant execute on function due_webhook_endpoints(timestamptz) to groundwork_app;
