-- The bulk change, import or revert that recorded a consent (job_… or imp_…), so that a revert can undo it.
alter table consent_change add reference text;

alter table contact_import
  add consents_recorded integer not null default 0,
  add denials_kept integer not null default 0;
