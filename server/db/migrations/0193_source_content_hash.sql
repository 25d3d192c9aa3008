-- mode: statements
drop index concurrently if exists source_content_hash;
create index concurrently source_content_hash on source (organization_id, base_id, content_hash) where content_hash is not null;
