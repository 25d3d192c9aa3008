-- The size of the response that a page of a site was read from; null for pages that were last read before this column.
alter table source_page add column bytes bigint;

-- The total of a site's pages with text; null while the size of one is unknown. Not in `bytes`, which counts towards the storage quota:
-- only the texts of these pages are stored.
alter table source add column page_bytes bigint;
