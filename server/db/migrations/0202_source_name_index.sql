-- mode: statements
drop index concurrently if exists source_name;
create index concurrently source_name on source (organization_id, base_id, source_sort_name(name, url, title) collate "C", id);
