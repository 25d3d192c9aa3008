-- Loads pg_trgm into this session: only then may who is no superuser give a function one of its settings.
select word_similarity('', '');

drop function contacts_with_words(text[], text[]);
alter table contact drop column search_text;

-- The words of a text as searches compare them: lower case, without accents and apostrophes, one space where there is other
-- punctuation. server/contacts/search-words.ts does the same to a query. The classes are code points, since those of the
-- regular expressions depend on the collation of the database.
create function contact_words(value text) returns text
  language sql immutable parallel safe
  return btrim(regexp_replace(
    regexp_replace(normalize(translate(lower(value), U&'''`\00B4\02BC\2018\2019\2032\FF07', ''), NFKD), '[\u0300-\u036F]+', '', 'g'),
    '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u2000-\u206F\u3000-\u303F]+', ' ', 'g'));

-- Name, e-mail address and phone number, apart: the words of each part stand between single spaces.
create function contact_search_text(first_name text, last_name text, email text, phone text) returns text
  language sql immutable parallel safe
  return ' ' || contact_words(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))
    || ' | ' || contact_words(coalesce(email, '')) || ' | ' || contact_words(coalesce(phone, '')) || ' ';

alter table contact add search_text text not null
  generated always as (contact_search_text(first_name, last_name, email, phone)) stored;
create index contact_search on contact using gin (search_text gin_trgm_ops);

-- How well a search_text that has every word of a query matches it: 0 where its name, address or number is these words, 1
-- where they are words of it, 2 where words of it begin so, else 3. `starting` and `whole` are the words as LIKE patterns of
-- the beginning of a word and of a whole word; `whole_length` is the length of all words with a space around each.
create function contact_rank(search_text text, starting text[], whole text[], whole_length integer) returns integer
  language sql immutable parallel safe
  return case
    when search_text like all (whole) then case
      when length(split_part(search_text, '|', 1)) = whole_length and split_part(search_text, '|', 1) like all (whole) then 0
      when length(split_part(search_text, '|', 2)) = whole_length and split_part(search_text, '|', 2) like all (whole) then 0
      when length(split_part(search_text, '|', 3)) = whole_length and split_part(search_text, '|', 3) like all (whole) then 0
      else 1 end
    when search_text like all (starting) then 2
    else 3
  end;

-- The organization's contacts that have every word in their search_text, with the rank of the match. The longest word comes
-- first; `anywhere` are the words as LIKE patterns.
--
-- Row-level security hides what is not the organization's before any operator that is not leakproof may look, and those
-- of pg_trgm are not: under the policy the index is out of reach (a rare word among 50,000 contacts: 0.2 to 2 s instead
-- of 1 ms). So the function runs as its owner, whom the policy does not bind, and compares the organization itself.
create function contacts_with_words(words text[], anywhere text[], starting text[], whole text[], whole_length integer)
  returns table (contact_id uuid, rank integer, created_at timestamptz)
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
begin
  -- Fewer than three letters have no trigram: the index would be read from end to end.
  if length(words[1]) < 3 then
    return query select id, contact_rank(search_text, starting, whole, whole_length), contact.created_at from contact
      where organization_id = (select app_organization()) and deleted_at is null
        and strpos(search_text, words[1]) > 0 and search_text like all (anywhere);
    return;
  end if;
  return query select id, contact_rank(search_text, starting, whole, whole_length), contact.created_at from contact
    where organization_id = (select app_organization()) and deleted_at is null
      and search_text like anywhere[1] and search_text like all (anywhere);
end $$;

-- The same for contacts that have a word like each of the words, with how much alike they are. The threshold is low because
-- a swap of two letters leaves few trigrams: "wanger" is 0.29 like "wagner". Whether two words are one but for a typing error
-- is decided by those who ask (server/contacts/typing-errors.ts).
create function contacts_like_words(words text[], anywhere text[]) returns table (contact_id uuid, likeness real, created_at timestamptz)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set pg_trgm.word_similarity_threshold = 0.28
as $$
begin
  return query select id, (select sum(word_similarity(word, search_text)) from unnest(words) as word)::real, contact.created_at
    from contact
    where organization_id = (select app_organization()) and deleted_at is null
      and (search_text like anywhere[1] or words[1] <% search_text)
      and not exists (
        select from unnest(words, anywhere) as each (word, pattern)
        where not (search_text like each.pattern or each.word <% search_text)
      );
end $$;
