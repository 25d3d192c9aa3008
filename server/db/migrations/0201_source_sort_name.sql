-- Returns the key of sources in the order by name: the title of a page that was added by its URL and has no other name, else the name.
-- Words are compared without regard to case, accents and punctuation. At most 100 characters, so that it fits into an index and a cursor.
create function source_sort_name(name text, url text, title text) returns text
  language sql immutable parallel safe
  return left(contact_fold(case
    when title <> '' and name = left(regexp_replace(regexp_replace(url, '^https?://(www\.)?', '', 'i'), '[/?#]+$', ''), 200) then title
    else name end), 100);
