-- Messages have a state and stay after a mail server has accepted them. Messages about a proposal name it and its recipient.

alter table mail
  add kind text not null default 'invitation'
    check (kind in ('invitation', 'sent', 'reminder', 'accepted', 'declined', 'voided', 'expired')),
  add state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  -- How it was sent; null before.
  add via text check (via in ('smtp', 'files')),
  add html text,
  add reply_to text,
  add attempts integer not null default 0,
  -- The moment before the end of the message was given to the mail server. From then on, the message may have been accepted.
  add handed_over_at timestamptz,
  add sent_at timestamptz,
  add proposal_id uuid,
  add recipient_id uuid,
  add contact_id uuid,
  -- Distinguishes messages of one kind to one recipient: the day of a reminder.
  add occurrence smallint not null default 0,
  add foreign key (organization_id, proposal_id) references proposal (organization_id, id) on delete cascade;

-- A message whose job still exists is queued, a message without a text has failed, and all others were written as files.
-- pg-boss creates its schema after the migrations of a new database, so there are no messages then.
do $$
begin
  if to_regclass('pgboss.job') is null then return; end if;
  update mail set state = case when text = '' then 'failed' else 'sent' end
  where not exists (
    select from pgboss.job
    where name = 'short-jobs' and state < 'completed' and data ->> 'handler' = 'send-mail' and data ->> 'mailId' = mail.id::text
  );
  update mail set via = 'files', sent_at = created_at where state = 'sent';
end $$;

alter table mail alter kind drop default;

create unique index mail_of_proposal on mail (organization_id, proposal_id, recipient_id, kind, occurrence) where proposal_id is not null;
-- Messages that retention has not emptied.
create index mail_stored on mail (organization_id, created_at) where recipient <> '';
