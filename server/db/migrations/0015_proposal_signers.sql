-- Proposals with several signers, in any order or one after the other, with copies and a signature of the organization.

alter table proposal
  add signing_order text not null default 'parallel' check (signing_order in ('parallel', 'sequential')),
  -- Whether the organization signs after all signers.
  add counter_signature boolean not null default false,
  add counter_signed_by text,
  add counter_signed_at timestamptz,
  add constraint proposal_counter_signed
    check ((counter_signed_by is null) = (counter_signed_at is null) and (counter_signature or counter_signed_at is null));

-- Deleting a contact looks up its proposals.
create index proposal_recipient_contact on proposal_recipient (organization_id, contact_id) where contact_id is not null;

create table proposal_counter_signature (
  organization_id uuid not null references organization (id) on delete cascade,
  proposal_id uuid not null,
  name text not null,
  -- Of the signed-in member; null for a token.
  email text,
  wording text not null,
  signed_at timestamptz not null,
  address text not null,
  primary key (organization_id, proposal_id),
  foreign key (organization_id, proposal_id) references proposal (organization_id, id)
);
alter table proposal_counter_signature enable row level security;
create policy tenant on proposal_counter_signature
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert on proposal_counter_signature to groundwork_app;

-- A signature of a purged contact is deleted, unless the proposal was completed: then it is evidence.
grant delete on proposal_signature to groundwork_app;
create policy not_completed on proposal_signature as restrictive for delete using (
  exists (
    select from proposal_recipient join proposal
      on proposal.organization_id = proposal_recipient.organization_id and proposal.id = proposal_recipient.proposal_id
    where proposal_recipient.organization_id = proposal_signature.organization_id
      and proposal_recipient.id = proposal_signature.recipient_id and proposal.status <> 'completed'
  )
);
