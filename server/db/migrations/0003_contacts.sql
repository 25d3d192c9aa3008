-- Contacts with their search, and proposals.

-- Returns the words of a text as searches compare them: lower case, without accents and apostrophes, other punctuation as one
-- space. server/contacts/search-words.ts does the same to a query. The classes are code points, because the named classes of
-- regular expressions depend on the collation of the database.
create function contact_words(value text) returns text
  language sql immutable parallel safe
  return btrim(regexp_replace(
    regexp_replace(normalize(translate(lower(value), U&'''`\00B4\02BC\2018\2019\2032\FF07', ''), NFKD), '[\u0300-\u036F]+', '', 'g'),
    '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u2000-\u206F\u3000-\u303F]+', ' ', 'g'));

-- Name, e-mail address and phone number, separated by bars. Each word is between single spaces.
create function contact_search_text(first_name text, last_name text, email text, phone text) returns text
  language sql immutable parallel safe
  return ' ' || contact_words(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))
    || ' | ' || contact_words(coalesce(email, '')) || ' | ' || contact_words(coalesce(phone, '')) || ' ';

create table contact (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  external_id text,
  first_name text,
  last_name text,
  email text,
  phone text,
  tags text[] not null default '{}',
  source text,
  last_interaction_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  search_text text not null generated always as (contact_search_text(first_name, last_name, email, phone)) stored,
  primary key (organization_id, id)
);
create index contact_newest on contact (organization_id, created_at desc, id desc) where deleted_at is null;
create unique index contact_external_id on contact (organization_id, external_id) where deleted_at is null;
create index contact_email on contact (organization_id, email) where deleted_at is null;
create index contact_phone on contact (organization_id, phone) where deleted_at is null;
create index contact_search on contact using gin (search_text gin_trgm_ops);
alter table contact enable row level security;
create policy tenant on contact
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on contact to groundwork_app;

-- Ranks a search_text that has every word of a query: 0 if its name, address or number is exactly these words, 1 if they are
-- words of it, 2 if words of it begin with them, else 3. `starting` and `whole` are the words as LIKE patterns of the beginning
-- of a word and of a whole word; `whole_length` is the length of all words with a space around each.
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

-- Loads pg_trgm into this session: only then may a role that is not a superuser set one of its settings for a function.
select word_similarity('', '');

-- Returns the organization's contacts that have every word in their search_text, with the rank of the match. The longest word
-- comes first; `anywhere` are the words as LIKE patterns.
--
-- Row-level security hides the rows of other organizations before any operator that is not leakproof runs, and the operators of
-- pg_trgm are not leakproof: under the policy the index cannot be used (a rare word among 50,000 contacts: 0.2 to 2 s instead
-- of 1 ms). So the function runs as its owner, to whom the policy does not apply, and compares the organization itself.
create function contacts_with_words(words text[], anywhere text[], starting text[], whole text[], whole_length integer)
  returns table (contact_id uuid, rank integer, created_at timestamptz)
  language plpgsql stable security definer
  set search_path = public, pg_temp
as $$
begin
  -- Fewer than three letters have no trigram: the whole index would be read.
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

-- Returns the contacts that have a similar word for each of the words, with the similarity. The threshold is low because two
-- swapped letters leave few common trigrams: "wanger" and "wagner" have 0.29. server/contacts/typing-errors.ts decides whether
-- the difference is a typing error.
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

create table proposal (
  organization_id uuid not null references organization (id) on delete cascade,
  id uuid not null,
  number integer,
  title text not null,
  contact_id uuid not null,
  total_amount numeric(14, 2) not null,
  currency text not null,
  status text not null check (status in ('draft', 'pending', 'completed', 'rejected', 'expired', 'voided')),
  items jsonb,
  message text,
  external_id text,
  sent_at timestamptz,
  viewed_at timestamptz,
  completed_at timestamptz,
  rejected_at timestamptz,
  expires_at timestamptz,
  voided_at timestamptz,
  void_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, number),
  -- Sending assigns the number, so that a deleted draft leaves no gap. A voided proposal may have been a draft.
  check (status = 'voided' or (number is null) = (status = 'draft')),
  unique (organization_id, external_id),
  foreign key (organization_id, contact_id) references contact (organization_id, id)
);
create index proposal_newest on proposal (organization_id, created_at desc, id desc);
create index proposal_contact on proposal (organization_id, contact_id, created_at desc);
alter table proposal enable row level security;
create policy tenant on proposal
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));
grant select, insert, update, delete on proposal to groundwork_app;
