-- What was answered to a request that carried an Idempotency-Key, written in the transaction of its effect: there is a
-- row if and only if the request was done. Replies can hold secrets, so they are encrypted.
create table idempotency_answer (
  organization_id uuid not null references organization (id) on delete cascade,
  key text not null,
  request_hash bytea not null,
  answer bytea not null,
  created_at timestamptz not null,
  primary key (organization_id, key)
);
create index idempotency_answer_age on idempotency_answer (organization_id, created_at);
alter table idempotency_answer enable row level security;
create policy tenant on idempotency_answer
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on idempotency_answer to groundwork_app;
