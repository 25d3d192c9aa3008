-- Recipients of proposals, their views, and acceptances.

create table proposal_recipient (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  proposal_id uuid not null,
  position smallint not null,
  role text not null check (role in ('signer', 'copy')),
  contact_id uuid,
  -- Copies of the contact's, so that a sent proposal does not change.
  name text,
  email text,
  language text,
  -- Part of the link. Another version makes former links unknown.
  link_version smallint not null default 0,
  first_viewed_at timestamptz,
  signed_at timestamptz,
  declined_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, proposal_id, position),
  foreign key (organization_id, proposal_id) references proposal (organization_id, id) on delete cascade,
  foreign key (organization_id, contact_id) references contact (organization_id, id)
);
alter table proposal_recipient enable row level security;
create policy tenant on proposal_recipient
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on proposal_recipient to groundwork_app;

-- Each existing proposal gets its contact as its only signer.
insert into proposal_recipient (organization_id, id, proposal_id, position, role, contact_id, name, email)
select proposal.organization_id, gen_random_uuid(), proposal.id, 0, 'signer', proposal.contact_id,
  nullif(concat_ws(' ', contact.first_name, contact.last_name), ''), contact.email
from proposal join contact on contact.organization_id = proposal.organization_id and contact.id = proposal.contact_id;

alter table proposal add reject_reason text;

-- Openings of a proposal's page: by people, who confirm them or use the page, and requests of programs such as link previews.
create table proposal_view (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  recipient_id uuid not null,
  kind text not null check (kind in ('person', 'robot')),
  address text not null,
  user_agent text not null,
  seen_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, recipient_id) references proposal_recipient (organization_id, id) on delete cascade
);
-- One row for each program, so that repeated requests do not fill the table.
create unique index proposal_view_client on proposal_view (organization_id, recipient_id, kind, address, user_agent);
alter table proposal_view enable row level security;
create policy tenant on proposal_view
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on proposal_view to groundwork_app;

-- The content of an accepted proposal as its signers saw it.
create table proposal_acceptance (
  organization_id uuid not null references organization (id) on delete cascade,
  proposal_id uuid not null,
  -- Canonical JSON (RFC 8785), and its SHA-256 in hexadecimal.
  content text not null,
  content_hash text not null,
  accepted_at timestamptz not null,
  primary key (organization_id, proposal_id),
  foreign key (organization_id, proposal_id) references proposal (organization_id, id)
);
alter table proposal_acceptance enable row level security;
create policy tenant on proposal_acceptance
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert on proposal_acceptance to groundwork_app;

create table proposal_signature (
  organization_id uuid not null references organization (id) on delete cascade,
  recipient_id uuid not null,
  name text not null,
  method text not null check (method in ('typed', 'drawn')),
  -- SVG without scripts, styles and references, made on the server.
  drawing text check ((method = 'drawn') = (drawing is not null)),
  -- The sentence that the signer agreed to.
  wording text not null,
  signed_at timestamptz not null,
  address text not null,
  user_agent text,
  primary key (organization_id, recipient_id),
  foreign key (organization_id, recipient_id) references proposal_recipient (organization_id, id)
);
alter table proposal_signature enable row level security;
create policy tenant on proposal_signature
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert on proposal_signature to groundwork_app;

-- Recipients act without an account.
alter table audit_entry drop constraint audit_entry_actor_type_check;
alter table audit_entry add constraint audit_entry_actor_type_check
  check (actor_type in ('token', 'user', 'recipient', 'system', 'command_line'));
