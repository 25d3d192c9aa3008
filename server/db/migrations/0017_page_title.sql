-- What a document calls itself, and the address that stands for it: where redirects led, or the one that its page names
-- as canonical. A citation shows them.
alter table document add title text, add canonical_url text;
alter table source add title text, add canonical_url text;
