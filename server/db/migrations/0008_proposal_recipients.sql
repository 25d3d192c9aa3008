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
