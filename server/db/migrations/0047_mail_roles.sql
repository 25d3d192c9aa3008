-- The role that a message gives to whoever follows its link. A database may have the column from an early form of 0041.
alter table mail add column if not exists gives_role text check (gives_role in ('owner', 'admin', 'member', 'viewer'));
-- Which role the invitations give that were sent before is not written in them: who may give any reads them.
update mail set gives_role = 'owner' where gives_role is null and text like '%/app/invitation#%';
