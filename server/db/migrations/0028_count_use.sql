-- Counts the use of all organizations, in a transaction of its own: the triggers of the tables are committed, so no table is locked
-- while their rows are read.
select recount_use(id) from organization;
