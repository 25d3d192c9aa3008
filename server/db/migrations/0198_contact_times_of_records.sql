-- mode: statements
-- Proposals and activities know when their contact was created, which never changes: a list of contacts with a condition on them reads
-- an index of theirs. Before, it read all contacts in the order of the list, up to 3.4 s among a million, if only old ones matched.
alter table proposal add column if not exists contact_created_at timestamptz;
alter table activity add column if not exists contact_created_at timestamptz;
create or replace function set_contact_time() returns trigger language plpgsql as $$ begin
  select created_at into new.contact_created_at from public.contact where organization_id = new.organization_id and id = new.contact_id; return new; end $$;
create or replace trigger set_contact_time before insert or update of contact_id on proposal for each row execute function set_contact_time();
create or replace trigger set_contact_time before insert or update of contact_id on activity for each row execute function set_contact_time();
drop index concurrently if exists proposal_status_contact;
create index concurrently proposal_status_contact on proposal (organization_id, status, contact_created_at, contact_id);
drop index concurrently if exists proposal_currency_contact;
create index concurrently proposal_currency_contact on proposal (organization_id, currency, contact_created_at, contact_id);
drop index concurrently if exists proposal_sent_contact;
create index concurrently proposal_sent_contact on proposal (organization_id, sent_at, contact_created_at, contact_id);
drop index concurrently if exists proposal_completed_contact;
create index concurrently proposal_completed_contact on proposal (organization_id, completed_at, contact_created_at, contact_id);
drop index concurrently if exists proposal_total_contact;
create index concurrently proposal_total_contact on proposal (organization_id, total_hundredths, contact_created_at, contact_id) include (total_amount);
drop index concurrently if exists activity_type_contact;
create index concurrently activity_type_contact on activity (organization_id, type, contact_created_at, contact_id);
drop index concurrently if exists activity_occurred_contact;
create index concurrently activity_occurred_contact on activity (organization_id, occurred_at, contact_created_at, contact_id);
