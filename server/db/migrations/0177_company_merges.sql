-- Merges of companies. A merged company is deleted, and its row stays for 30 days, as that of any deleted company.

-- The companies that were merged into this one, also indirectly.
alter table company add merged_ids uuid[] not null default '{}';
-- The company that this one was merged into, and the values of that one before and after. Null unless it was merged.
alter table company add merged_into uuid;
alter table company add merged_values jsonb;
