-- Texts, terms and files of proposals.

alter table proposal
  -- As in the record, in order; null without sections.
  add sections jsonb;

alter table organization
  add default_terms text,
  add expiry_days smallint check (expiry_days between 1 and 365),
  -- sha256, mediaType, sizeBytes, width, height, and the uploadId and key of the stored file; null without a logo.
  add logo jsonb;

-- Images and attached PDFs of sections: copies of uploads, without their metadata.
create table proposal_file (
  organization_id uuid not null references organization (id) on delete cascade,
  proposal_id uuid not null,
  -- Of the stored bytes, in hexadecimal.
  sha256 text not null,
  upload_id uuid not null,
  -- Several proposals can refer to the same file.
  storage_key text not null,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'application/pdf')),
  size_bytes integer not null,
  -- Null for a PDF.
  width integer,
  height integer,
  decoded_bytes integer,
  created_at timestamptz not null,
  primary key (organization_id, proposal_id, sha256),
  foreign key (organization_id, proposal_id) references proposal (organization_id, id) on delete cascade
);
create index proposal_file_upload on proposal_file (organization_id, upload_id);
create index proposal_file_key on proposal_file (organization_id, storage_key);
alter table proposal_file enable row level security;
create policy tenant on proposal_file
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on proposal_file to groundwork_app;
