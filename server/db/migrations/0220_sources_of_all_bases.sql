-- mode: statements
drop index concurrently if exists source_of_all_bases;
create index concurrently source_of_all_bases on source (organization_id, created_at desc, id desc);
