-- The knowledge bases that the token which began the upload was limited to; null when it was not limited. A token that is
-- limited to other or fewer knowledge bases does not see the upload.
alter table upload add base_ids uuid[] default app_base_ids();
create policy base_limit on upload as restrictive
  using (case when (select app_base_ids()) is null then true else coalesce(base_ids <@ (select app_base_ids()), false) end);

-- Whether a source was made of it. Once none is any more, the upload counts as deleted with the last one, even before the job
-- that deletes its file.
alter table upload add used boolean not null default false;
update upload set used = true
where exists (select from document where document.organization_id = upload.organization_id and document.upload_id = upload.id);
