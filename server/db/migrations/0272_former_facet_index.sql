-- mode: statements
drop index concurrently if exists contact_facets;
