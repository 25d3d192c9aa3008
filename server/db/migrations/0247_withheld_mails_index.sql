-- mode: statements
-- The overview lists the few messages of the last days that were withheld.
drop index concurrently if exists mail_withheld;
create index concurrently mail_withheld on mail (organization_id, created_at desc, id desc) where withheld is not null;
