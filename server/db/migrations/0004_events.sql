-- What happened, in order, each written in the transaction that made it happen. Nobody changes it.
create table event (
  organization_id uuid not null references organization (id) on delete cascade,
  position bigint not null,
  id uuid not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (organization_id, position),
  unique (organization_id, id)
);
create sequence event_position;

-- A number is taken before its row can be seen: without more, a reader at 6 could pass by a 5 that commits later. So the
-- number is taken under a lock of the organization that ends with the transaction, when its rows are visible already:
-- whoever sees a position sees every lower one that there will ever be. The alternative, numbers without a lock of which
-- only those below pg_snapshot_xmin are read, waits for every open transaction of the whole server, a backup's also.
-- The lock costs little: a transaction that notifies waits for others like it at its commit anyway. It is taken last,
-- after every lock on rows, so that two transactions cannot wait for each other.
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
grant select, insert on event to groundwork_app;
grant usage on sequence event_position to groundwork_app;

-- The one way by which events go. Runs as its owner, whom the policy does not bind, so it compares the organization itself.
create function forget_old_events() returns void
  language sql security definer
  set search_path = public, pg_temp
as $$
  delete from event where organization_id = app_organization() and created_at < now() - interval '90 days';
$$;
revoke execute on function forget_old_events() from public;
grant execute on function forget_old_events() to groundwork_app;
