-- mode: statements
drop index concurrently if exists source_page_crawl_order;
create index concurrently source_page_crawl_order on source_page (organization_id, source_id, depth, place, id);
drop index concurrently if exists source_page_order;
