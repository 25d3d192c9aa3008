-- Versions of a proposal: a revision is a draft that supersedes another proposal when it is sent.

alter table proposal
  -- The proposal that this one revises, and the sent one that revises it.
  add supersedes uuid,
  add superseded_by uuid,
  add foreign key (organization_id, supersedes) references proposal (organization_id, id),
  add foreign key (organization_id, superseded_by) references proposal (organization_id, id);

-- A proposal has at most one open revision. The index also finds the revision of a proposal.
create unique index proposal_open_revision on proposal (organization_id, supersedes) where supersedes is not null and status = 'draft';
-- Deleting a draft looks for references to it.
create index proposal_superseded_by on proposal (organization_id, superseded_by) where superseded_by is not null;

-- Questions of recipients, asked on the page of a proposal, with their answers.
create table proposal_question (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  proposal_id uuid not null,
  recipient_id uuid not null,
  -- Counts the questions about a proposal from 1.
  position smallint not null,
  question text not null,
  asked_at timestamptz not null,
  answer text,
  answered_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, proposal_id, position),
  foreign key (organization_id, proposal_id) references proposal (organization_id, id) on delete cascade,
  foreign key (organization_id, recipient_id) references proposal_recipient (organization_id, id) on delete cascade
);
alter table proposal_question enable row level security;
create policy tenant on proposal_question
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on proposal_question to groundwork_app;

alter table mail drop constraint mail_kind_check;
alter table mail add constraint mail_kind_check
  check (kind in ('invitation', 'sent', 'reminder', 'accepted', 'declined', 'voided', 'expired', 'question', 'answer'));

-- Replies to messages go to the member who sent the proposal, or else to an address of the organization.
alter table proposal add sent_by uuid;
alter table organization
  add reply_to text,
  -- Days after sending on which recipients without an answer are reminded, in ascending order.
  add reminder_days smallint[] not null default '{3,7,14}';
