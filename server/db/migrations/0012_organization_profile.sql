-- How an organization presents itself to its clients: in proposals and their e-mails.

alter table organization
  add legal_name text,
  add address text,
  add tax_id text,
  add country text,
  add color text,
  add language text not null default 'en' check (language in ('en', 'de', 'fr', 'es')),
  add time_zone text not null default 'UTC';
