-- A new slug must not wait for those who are writing in the organization: an index that a foreign key could go by makes every
-- change of its columns wait for, and hold up, all rows that are being made with a reference. A partial one is no such index.
alter table organization drop constraint organization_slug;
create unique index organization_slug on organization (slug) where slug is not null;
