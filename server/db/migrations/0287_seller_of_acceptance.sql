-- The organization as the first signer saw it: the columns of `organization` that pages and PDFs show. Null: accepted before this column.

alter table proposal_acceptance add seller jsonb;
