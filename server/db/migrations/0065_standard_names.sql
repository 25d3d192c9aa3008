-- Columns under the terms of docs/glossary.md.
alter table source rename column told_stage to last_emitted_stage;
alter table source rename column indexed_as to index_config;
alter table source rename column written_as to pending_index_config;
alter table reindex_source rename column indexed_as to index_config;

-- True for a scheduled sync that emits nothing until it finds a change.
alter table source add silent boolean not null default false;
update source set silent = not announced;
alter table source drop column announced;
