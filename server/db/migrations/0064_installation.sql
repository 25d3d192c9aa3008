-- One row about the installation as a whole. It belongs to no organization, so it has a schema that groundwork_app may not enter.
create schema installation;
create table installation.identity (
  only_row boolean primary key default true check (only_row),
  -- HMAC of a constant under the secret key: tells whether a key is the one that this database was set up with.
  secret_key_check bytea,
  -- The id that the marker file in the store of files holds.
  store_id uuid
);
insert into installation.identity default values;
