drop function fill_contact_terms(integer);
drop table installation.contact_terms_filled;
