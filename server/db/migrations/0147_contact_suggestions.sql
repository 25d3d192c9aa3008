-- Tokens of agents, and values that they suggest instead of those that a person typed or verified.

alter table api_token add agent boolean not null default false;

create table contact_suggestion (
  organization_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  -- Name of the field in the history of the contact.
  field text not null,
  -- The suggested value, and the one that the contact had, as the API returns them.
  value jsonb,
  present jsonb,
  status text not null check (status in ('pending', 'accepted', 'dismissed')),
  how text not null check (how in ('heard', 'imported', 'api')),
  reference text,
  actor_type text not null check (actor_type in ('token', 'user', 'recipient', 'system', 'command_line')),
  actor_id uuid,
  created_at timestamptz not null,
  decided_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, contact_id) references contact (organization_id, id) on delete cascade
);
create index contact_suggestion_newest on contact_suggestion (organization_id, contact_id, created_at desc, id desc);
alter table contact_suggestion enable row level security;
create policy tenant on contact_suggestion
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on contact_suggestion to groundwork_app;

create or replace function place_event() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4, hashtext(new.organization_id::text));
  new.position := nextval('event_position');
  new.contact_id := case
    when new.type like 'contact.%' then right(new.data ->> 'id', 36)
    when new.type like 'proposal.%' or new.type like 'activity.%' or new.type like 'suggestion.%' then right(new.data ->> 'contactId', 36)
  end::uuid;
  perform pg_notify('groundwork_events', new.organization_id::text);
  return new;
end $$;
