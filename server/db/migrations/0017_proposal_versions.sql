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
