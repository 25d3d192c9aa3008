-- mode: batches
select from fill_contact_terms(200);
