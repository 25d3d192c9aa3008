-- Searches compare `contact_terms` since 0111. The index of the text before that was still written with each contact.
drop index contact_search;
drop function contacts_with_words(text[], text[], text[], text[], integer);
drop function contacts_like_words(text[], text[]);
drop function contact_rank(text, text[], text[], integer);
drop function contacts_in_tiers(tsquery[], integer, uuid, integer);
drop function contacts_alike(tsquery, tsquery, tsquery, integer, integer);
drop function contacts_alike(tsquery, tsquery, tsquery, tsquery, tsquery, integer, integer);
