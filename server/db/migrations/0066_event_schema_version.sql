-- The version of the schema that an event's data has. All rows so far have the first one.
alter table event add schema_version smallint not null default 1;
