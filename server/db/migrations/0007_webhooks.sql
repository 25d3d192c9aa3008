create table webhook_endpoint (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  url text not null,
  description text not null,
  -- null for all types, those of later versions also.
  event_types text[] check (cardinality(event_types) > 0),
  -- Encrypted; the one before the last rotation signs beside it until its end.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_expires_at timestamptz,
  enabled boolean not null default true,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('manual', 'gone', 'failing')),
  -- The first of the failures since which no attempt has succeeded.
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

-- One event for one endpoint, and the queue of those who deliver: what is pending and due is there to be taken, and who
-- takes it sets it due again some time later, should nothing come of it.
create table webhook_delivery (
  organization_id uuid not null references organization (id) on delete cascade,
  -- No foreign key: its check would have every event lock the endpoint's row, and fail when that was just deleted. What
  -- is added meanwhile is seen by nobody and goes with its event.
  endpoint_id uuid not null,
  id uuid not null,
  -- null for a test, whose event is in `test_event` and in no log.
  event_id uuid,
  test_event jsonb,
  event_type text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  -- When it is due, or while it is in flight when it is due again.
  next_attempt_at timestamptz,
  in_flight boolean not null default false,
  -- Failed attempts since it was last asked for: the place in the schedule.
  failures integer not null default 0,
  -- All attempts there were, and the last one of them.
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

-- What was sent and what came back, both cut to a bounded length.
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
  -- Why there was no response; null where there was one.
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

-- A new UUIDv7, as server/lib/ids.ts makes them: the two bits turn version 4 into version 7.
create function new_id(at timestamptz) returns uuid
  language sql volatile parallel safe
  return encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid()) placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1), 'hex')::uuid;

-- Leaves every event to be delivered, with the event or not at all. A statement of its own, so it sees what committed
-- before the organization's lock was given to this transaction (place_event); who adds or changes an endpoint takes that
-- lock too (events_placed), so that every event is either before that change or sees it.
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

-- Which enabled endpoints of all organizations have a delivery that is due, the longest due ones first. Whoever delivers
-- asks this of everybody, and then does everything else as the organization. It steps through the index from endpoint
-- to endpoint, so it costs a few microseconds for each that waits for anything, whatever the number of its deliveries.
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
