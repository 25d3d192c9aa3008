-- A merge of contacts moves the suggestions too.
alter table contact_merge add suggestion_ids uuid[] not null default '{}';
