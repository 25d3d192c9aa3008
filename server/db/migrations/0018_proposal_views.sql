-- Openings by the sender, and repeated openings.

alter table proposal_view drop constraint proposal_view_kind_check;
alter table proposal_view add constraint proposal_view_kind_check check (kind in ('person', 'robot', 'sender'));

alter table proposal_view add column last_seen_at timestamptz;
update proposal_view set last_seen_at = seen_at;
alter table proposal_view alter column last_seen_at set not null;
alter table proposal_view add column openings integer not null default 1;
