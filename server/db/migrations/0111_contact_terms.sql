-- Search terms of contacts.

-- Returns the words of a text as searches compare them, separated by single spaces: lower case, without accents, vowel points and
-- apostrophes, with one form of letters that differ only in writing, and other punctuation as spaces. Lists of code points, because the
-- named classes of regular expressions depend on the collation of the database.
create function contact_fold(value text) returns text
  language plpgsql immutable parallel safe
as $$
declare
  folded text := lower(value);
begin
  if octet_length(folded) > length(folded) then
    folded := normalize(regexp_replace(
      normalize(translate(folded, U&'\00B4\02BC\2018\2019\2032\FF07\200B\200C\200D\200E\200F\0640', ''), NFKD),
      '[\u0300-\u036F\u0591-\u05C7\u064B-\u065F\u0670\u06D6-\u06ED\u093C]+', '', 'g'), NFC);
    folded := translate(folded, 'ςøłđðıħىیةک٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९', 'σolddihييهك012345678901234567890123456789');
    folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    -- Katakana as Hiragana.
    folded := translate(folded, 'ァアィイゥウェエォオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂッツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモャヤュユョヨラリルレロヮワヰヱヲンヴ',
      'ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんゔ');
  end if;
  return btrim(regexp_replace(translate(folded, '''`', ''),
    '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u2000-\u206F\u3000-\u303F\u30FB]+', ' ', 'g'));
end $$;

-- Returns the usual Latin spelling of a folded word.
create function contact_latin(word text) returns text
  language plpgsql immutable parallel safe
as $$
declare
  latin text := word;
begin
  if octet_length(word) = length(word) then return word; end if;
  if word ~ '[\u03B1-\u03C9]' then
    latin := replace(replace(replace(replace(replace(latin, 'ου', 'ou'), 'ευ', 'ev'), 'αυ', 'av'), 'γγ', 'ng'), 'γκ', 'gk');
    latin := regexp_replace(regexp_replace(latin, '^μπ', 'b'), '^ντ', 'd');
  end if;
  latin := (select string_agg(latin_of_letter(letter), '' order by at)
    from unnest(string_to_array(latin, null)) with ordinality as letters (letter, at));
  if strpos(latin, '^') > 0 then
    latin := regexp_replace(replace(latin, 'i^y', '^y'), '(sh|ch|j)\^y', '\1', 'g');
    latin := regexp_replace(regexp_replace(latin, '\^t(.)', '\1\1', 'g'), '[aiueo]\^([aiueo])', '\1', 'g');
    latin := replace(latin, '^', '');
  end if;
  return latin;
end $$;

-- Returns the Latin spelling of the first letter of a surname if it differs from that of other words; otherwise null.
create function contact_surname_latin(word text) returns text
  language plpgsql immutable parallel safe
as $$
declare
  first text := left(word, 1);
begin
  if first between '가' and '힣' then
    return case first when '김' then 'kim' when '이' then 'lee' when '박' then 'park' when '최' then 'choi' when '정' then 'jung'
      when '강' then 'kang' when '조' then 'cho' when '임' then 'lim' when '유' then 'yoo' when '류' then 'ryu' when '노' then 'roh'
      when '구' then 'koo' when '권' then 'kwon' when '우' then 'woo' when '오' then 'oh' when '문' then 'moon' when '백' then 'baek'
      when '허' then 'hur' when '주' then 'joo' when '성' then 'sung' when '심' then 'shim' when '안' then 'ahn' when '전' then 'jun'
      when '서' then 'suh' when '신' then 'shin' when '고' then 'ko' when '나' then 'na' when '현' then 'hyun' when '곽' then 'kwak'
      when '길' then 'gil' when '공' then 'kong' when '엄' then 'um' when '천' then 'chun' when '금' then 'keum' end;
  end if;
  return case first when '单' then 'shan' when '單' then 'shan' when '曾' then 'zeng' when '仇' then 'qiu' when '解' then 'xie'
    when '查' then 'zha' when '区' then 'ou' when '區' then 'ou' when '朴' then 'piao' when '翟' then 'zhai' when '盖' then 'ge'
    when '蓋' then 'ge' when '缪' then 'miao' when '繆' then 'miao' when '覃' then 'qin' when '员' then 'yun' when '折' then 'she'
    when '种' then 'chong' when '繁' then 'po' when '黑' then 'he' when '乐' then 'yue' when '樂' then 'yue' when '冼' then 'xian'
    when '任' then 'ren' when '华' then 'hua' when '召' then 'shao' when '尉' then 'wei' when '长' then 'zhang' when '長' then 'zhang' end;
end $$;

-- Returns consonant skeletons of a Latin word, which spellings of the same sound share: "mohammed" and "mhmd" have "mt". Letters with
-- several sounds (ch, kh, w, j) give several skeletons.
create function contact_skeletons(latin text) returns text[]
  language plpgsql immutable parallel safe
as $$
declare
  base text := regexp_replace(regexp_replace(latin, 'tsch|shch|sch|tch|dzh|cz|sz|zh|sh|ts|tz|dz', 's', 'g'), '[^a-z]+|gh(?=t)', '', 'g');
begin
  base := replace(replace(replace(base, 'ph', 'f'), 'ck', 'k'), 'x', 'ks');
  base := translate(regexp_replace(base, 'c(?=[eiy])', 's', 'g'), 'pfvdzgq', 'bbbtskk');
  if base !~ 'ch|kh|w|j' then
    return array[regexp_replace(translate(replace(base, 'c', 'k'), 'aeiouyh', ''), '(.)\1+', '\1', 'g')];
  end if;
  return array(
    select distinct regexp_replace(translate(replace(replace(replace(replace(replace(base, 'ch', ch), 'kh', kh), 'w', w), 'j', j), 'c', 'k'),
      'aeiouyh', ''), '(.)\1+', '\1', 'g')
    from unnest(array['s', 'k', '']) as ch, unnest(array['k', '']) as kh, unnest(array['', 'b']) as w, unnest(array['s', '']) as j
    where (ch = 's' or strpos(base, 'ch') > 0) and (kh = 'k' or strpos(base, 'kh') > 0) and (w = '' or strpos(base, 'w') > 0)
      and (j = 's' or strpos(base, 'j') > 0)
  );
end $$;

-- Functions that write contacts use are in plpgsql and have loops, because a call of an SQL function is planned each time: 2.6 ms
-- for a contact instead of 0.2 ms.

-- Returns a word, and the word without each of its letters: two words with one typing error between them share one of these.
create function contact_deletions(word text) returns text[]
  language plpgsql immutable parallel safe
as $$
declare
  terms text[];
begin
  if length(word) not between 3 and 20 or word ~ '[0-9]' then return array[]::text[]; end if;
  terms := array['-' || word];
  for at in 1 .. length(word) loop
    terms := terms || ('-' || left(word, at - 1) || substr(word, at + 1));
  end loop;
  return terms;
end $$;

-- Returns whether a word is of Han, Kana, Hangul or another script that is written without spaces.
create function contact_unspaced(word text) returns boolean
  language sql immutable parallel safe
  return word ~ '[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7A3]';

-- Returns all forms of the words of a name by which it is compared. The query of a search has them too.
--   words    folded words; parts of hyphenated ones both alone and joined
--   latin    Latin spellings of words in another script
--   wholes   the whole name: its words in alphabetical order, and joined in both orders
--   latin_wholes  the same of the Latin spellings
create type contact_name_forms as (words text[], latin text[], wholes text[], latin_wholes text[]);

create function contact_name_forms(first_name text, last_name text) returns contact_name_forms
  language plpgsql immutable parallel safe
as $$
declare
  forms contact_name_forms;
  first text := contact_fold(coalesce(first_name, ''));
  last text := contact_fold(coalesce(last_name, ''));
  both_names text := btrim(first || ' ' || last);
  joined text[];
  latin_first text;
  latin_last text;
  surname text;
  raw text := coalesce(first_name, '') || ' ' || coalesce(last_name, '');
begin
  if both_names = '' then return row(array[]::text[], array[]::text[], array[]::text[], array[]::text[])::contact_name_forms; end if;
  forms.words := string_to_array(both_names, ' ');
  joined := array[replace(last || first, ' ', ''), replace(first || last, ' ', '')];
  forms.wholes := array['=' || (select string_agg(word, ' ' order by word collate "C") from unnest(forms.words) as word), '=' || joined[1], '=' || joined[2]];
  if strpos(raw, '-') > 0 then
    forms.words := forms.words || array(select replace(word, ' ', '') from (
      select contact_fold(part) as word from unnest(string_to_array(raw, ' ')) as part where strpos(part, '-') > 0) as parts where word <> '');
  end if;
  forms.latin := array[]::text[];
  forms.latin_wholes := array[]::text[];
  if octet_length(both_names) > length(both_names) then
    if contact_unspaced(both_names) and first <> '' and last <> '' then forms.words := forms.words || joined; end if;
    latin_first := (select string_agg(contact_latin(word), ' ' order by at) from unnest(string_to_array(first, ' ')) with ordinality as w (word, at));
    latin_last := (select string_agg(contact_latin(word), ' ' order by at) from unnest(string_to_array(last, ' ')) with ordinality as w (word, at));
    latin_first := coalesce(latin_first, '');
    latin_last := coalesce(latin_last, '');
    forms.latin := string_to_array(btrim(latin_first || ' ' || latin_last), ' ');
    forms.latin_wholes := array['%' || (select string_agg(word, ' ' order by word collate "C") from unnest(forms.latin) as word),
      '%' || replace(latin_last || latin_first, ' ', ''), '%' || replace(latin_first || latin_last, ' ', '')];
    surname := contact_surname_latin(case when last = '' then first else last end);
    if surname is not null then
      surname := surname || contact_latin(substr(case when last = '' then first else last end, 2));
      forms.latin := forms.latin || surname;
      if last = '' then
        forms.latin_wholes := forms.latin_wholes || ('%' || surname);
      else
        forms.latin_wholes := forms.latin_wholes || array['%' || surname || replace(latin_first, ' ', ''), '%' || replace(latin_first, ' ', '') || surname];
      end if;
    end if;
    forms.latin := forms.latin || array(select contact_latin(substr(word, 3)) from unnest(forms.words) as word where word ~ '^ال..');
  elsif octet_length(raw) > length(raw) and lower(raw) ~ '[äöüåøñ]' then
    latin_first := contact_fold(replace(replace(replace(replace(replace(lower(coalesce(first_name, '')), 'ä', 'ae'), 'ö', 'oe'), 'ø', 'oe'), 'ü', 'ue'), 'å', 'aa'));
    latin_last := contact_fold(replace(replace(replace(replace(replace(lower(coalesce(last_name, '')), 'ä', 'ae'), 'ö', 'oe'), 'ø', 'oe'), 'ü', 'ue'), 'å', 'aa'));
    forms.latin := string_to_array(btrim(latin_first || ' ' || latin_last), ' ');
    forms.latin_wholes := array['%' || (select string_agg(word, ' ' order by word collate "C") from unnest(forms.latin) as word)];
  end if;
  return forms;
end $$;

-- Returns what typing errors and other spellings of a name have in common with it. `-` precedes a word without one letter, `^` a
-- skeleton, `^^` the skeleton of the whole name.
create function contact_likeness_terms(forms contact_name_forms) returns text[]
  language plpgsql immutable parallel safe
as $$
declare
  terms text[] := array[]::text[];
  word text;
  skeleton text;
begin
  foreach word in array forms.words || forms.latin loop
    terms := terms || contact_deletions(word);
    if octet_length(word) > length(word) or word ~ '[0-9]' then continue; end if;
    foreach skeleton in array contact_skeletons(word) loop
      if skeleton <> '' then terms := terms || ('^' || skeleton); end if;
    end loop;
  end loop;
  foreach word in array forms.latin_wholes[2:] || case when cardinality(forms.latin) = 0 then array[]::text[] else forms.wholes[2:] end loop
    if octet_length(word) > length(word) then continue; end if;
    foreach skeleton in array contact_skeletons(word) loop
      if skeleton <> '' then terms := terms || ('^^' || skeleton); end if;
    end loop;
  end loop;
  return terms;
end $$;

-- Returns the terms by which a contact is found.
--   word      a word of a name or an address
--   ~word     the Latin spelling of a word
--   =whole    a whole name, address or number; %whole the Latin spelling of a whole name
--   <word     a word without its first letters
--   #digits   a number without its first digits
-- and those of contact_likeness_terms.
create function contact_terms_of(forms contact_name_forms, emails text[], phones text[]) returns tsvector
  language plpgsql immutable parallel safe
as $$
declare
  terms text[] := forms.words || forms.wholes || forms.latin_wholes || contact_likeness_terms(forms);
  words text[] := forms.words;
  word text;
  value text;
begin
  foreach word in array forms.latin loop
    terms := terms || ('~' || word);
  end loop;
  foreach value in array emails loop
    terms := terms || ('=' || lower(value));
    foreach word in array string_to_array(contact_fold(split_part(value, '@', 1)), ' ') loop
      if not word = any (words) then
        words := words || word;
        terms := terms || word || contact_deletions(word);
      end if;
    end loop;
    words := words || string_to_array(contact_fold(split_part(value, '@', 2)), ' ');
    terms := terms || string_to_array(contact_fold(split_part(value, '@', 2)), ' ');
  end loop;
  foreach word in array words loop
    for at in 2 .. least(length(word) - 2, 12) loop
      terms := terms || ('<' || substr(word, at));
    end loop;
  end loop;
  foreach value in array phones loop
    value := regexp_replace(value, '[^0-9]+', '', 'g');
    terms := terms || ('=#' || value);
    for at in 1 .. length(value) - 2 loop
      terms := terms || ('#' || substr(value, at));
    end loop;
  end loop;
  -- A term has at most 2046 bytes.
  return array_to_tsvector(array(select left(term, 500) from unnest(terms) as term where term <> '' and term <> '~'));
end $$;

-- Returns the words of a contact, in which searches count typing errors, and behind a bar Latin spellings.
create function contact_names(forms contact_name_forms, emails text[]) returns text
  language plpgsql immutable parallel safe
as $$
declare
  names text := array_to_string(forms.words, ' ');
  email text;
begin
  foreach email in array emails loop
    names := names || ' ' || contact_fold(split_part(email, '@', 1));
  end loop;
  return names || '|' || array_to_string(forms.latin, ' ');
end $$;

-- One row for each contact that is not deleted. A trigger keeps it, so every statement that writes contacts does.
create table contact_terms (
  organization_id uuid not null references organization (id) on delete cascade,
  contact_id uuid not null,
  names text not null,
  terms tsvector not null,
  primary key (organization_id, contact_id)
);
-- A short list of pending terms: searches read it from beginning to end.
create index contact_terms_terms on contact_terms using gin (terms) with (gin_pending_list_limit = 256);
alter table contact_terms enable row level security;
create policy tenant on contact_terms
  using (organization_id = (select app_organization())) with check (organization_id = (select app_organization()));

create function store_contact_terms(c contact) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  forms contact_name_forms := contact_name_forms(c.first_name, c.last_name);
  emails text[] := array_remove(array[c.email], null);
begin
  insert into contact_terms (organization_id, contact_id, names, terms)
    values (c.organization_id, c.id, contact_names(forms, emails), contact_terms_of(forms, emails, array_remove(array[c.phone], null)))
    on conflict (organization_id, contact_id) do update set names = excluded.names, terms = excluded.terms;
end $$;

-- The functions run as their owner: requests never read or write the table themselves.
create function write_contact_terms() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  if tg_op = 'DELETE' or new.deleted_at is not null then
    delete from contact_terms t where t.organization_id = old.organization_id and t.contact_id = old.id;
    return null;
  end if;
  perform store_contact_terms(new);
  return null;
end $$;
create trigger write_terms_of_new_contact after insert on contact for each row
  when (new.deleted_at is null) execute function write_contact_terms();
create trigger write_terms_of_changed_contact after update of first_name, last_name, email, phone, deleted_at on contact for each row
  when ((old.first_name, old.last_name, old.email, old.phone, old.deleted_at)
    is distinct from (new.first_name, new.last_name, new.email, new.phone, new.deleted_at))
  execute function write_contact_terms();
create trigger remove_terms_of_deleted_contact after delete on contact for each row execute function write_contact_terms();

-- Returns the forms of a search: of each word, how it and its Latin spellings are written in terms, and its likeness terms.
create function contact_query(value text) returns jsonb
  language plpgsql immutable parallel safe
as $$
declare
  forms contact_name_forms := contact_name_forms(value, null);
  all_words jsonb := '[]';
  word text;
  latin text[];
begin
  foreach word in array string_to_array(contact_fold(value), ' ') loop
    latin := (contact_name_forms(word, null)).latin;
    -- The spelling of umlauts, which folding has removed.
    if cardinality(latin) = 0 and cardinality(forms.latin) > 0 then latin := array_remove(array[forms.latin[jsonb_array_length(all_words) + 1]], word); end if;
    all_words := all_words || jsonb_build_object('word', word, 'latin', latin,
      'likeness', contact_likeness_terms(row(array[word], latin, array[]::text[], array[]::text[])::contact_name_forms));
  end loop;
  return jsonb_build_object('words', all_words, 'wholes', forms.wholes, 'latinWholes', forms.latin_wholes,
    'joined', forms.words[jsonb_array_length(all_words) + 1:],
    'likeWholes', array(select distinct '^^' || skeleton
      from unnest(forms.wholes[2:2] || forms.latin_wholes[2:2]) as whole, unnest(contact_skeletons(whole)) as skeleton
      where octet_length(whole) = length(whole) and skeleton <> ''));
end $$;

-- The functions below run as their owner: under row-level security, the index cannot be used, because its operator is not leakproof. So
-- they compare the organization themselves.

-- Returns the newest contacts with a condition that many meet: reads the contacts from the newest on.
create function newest_contacts_with_terms(condition tsquery, besides tsquery, before uuid, max_rows integer) returns setof uuid
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_bitmapscan = off
  set enable_seqscan = off
as $$
begin
  return query select t.contact_id from contact_terms t
    where t.organization_id = app_organization() and t.contact_id < before
      and t.terms @@ condition and (besides is null or not t.terms @@ besides)
    order by t.contact_id desc limit max_rows;
end $$;

-- Returns contacts by tiers of a search, each newest first. A contact is only in its first tier. The planner takes terms that it has no
-- statistics of for frequent ones and would read all contacts (300 ms instead of 0.1 ms for 100,000), so it may only use the index of
-- terms. If more than 8,000 contacts meet a condition, reading the newest contacts finds enough of them sooner.
create function contacts_in_tiers(tiers tsquery[], after_tier integer, after_id uuid, max_rows integer)
  returns table (contact_id uuid, tier integer)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_indexscan = off
  set enable_seqscan = off
as $$
declare
  earlier tsquery;
  remaining integer := max_rows;
  before uuid;
  found_ids uuid[];
begin
  for at in 1 .. cardinality(tiers) loop
    if at >= after_tier then
      before := case when at = after_tier then after_id else 'ffffffff-ffff-ffff-ffff-ffffffffffff' end;
      found_ids := array(select t.contact_id from contact_terms t
        where t.terms @@ tiers[at] and (earlier is null or not t.terms @@ earlier)
          and t.organization_id = app_organization() and t.contact_id < before
        limit 8001);
      if cardinality(found_ids) > 8000 then
        found_ids := array(select * from newest_contacts_with_terms(tiers[at], earlier, before, remaining));
      end if;
      return query select id, at from unnest(found_ids) as id order by id desc limit remaining;
      remaining := remaining - cardinality(found_ids);
      exit when remaining <= 0;
    end if;
    earlier := coalesce(earlier || tiers[at], tiers[at]);
  end loop;
end $$;

-- Returns contacts of which each word resembles one of the search, those with most in common first, unless at least `max_whole`
-- contacts have all words. At most 4,000 contacts are compared.
create function contacts_alike(alike tsquery, exact tsquery, whole tsquery, max_whole integer, max_rows integer)
  returns table (contact_id uuid, names text)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_indexscan = off
  set enable_seqscan = off
as $$
begin
  if (select count(*) from (select from contact_terms t
      where t.organization_id = app_organization() and t.terms @@ whole limit max_whole) as found) >= max_whole then return; end if;
  return query select c.contact_id, c.names from (
      select t.contact_id, t.names, t.terms from contact_terms t
      where t.organization_id = app_organization() and t.terms @@ alike and not t.terms @@ exact limit 4000
    ) as c order by ts_rank(c.terms, alike) desc, c.contact_id desc limit max_rows;
end $$;

-- The contact up to which the terms of all are stored.
create table installation.contact_terms_filled (
  only_row boolean primary key default true check (only_row),
  organization_id uuid not null,
  contact_id uuid not null
);
insert into installation.contact_terms_filled values (true, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');

-- Stores the terms of the next contacts, and returns a row for each. Locks each contact while it computes the terms, so that they
-- match the latest change of the contact.
create function fill_contact_terms(max_contacts integer) returns setof integer
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  c contact;
begin
  for c in
    select contact.* from contact, installation.contact_terms_filled filled
    where (contact.organization_id, contact.id) > (filled.organization_id, filled.contact_id)
    order by contact.organization_id, contact.id limit max_contacts for no key update of contact
  loop
    if c.deleted_at is null then perform store_contact_terms(c); end if;
    update installation.contact_terms_filled set organization_id = c.organization_id, contact_id = c.id;
    return next 1;
  end loop;
end $$;

revoke execute on function store_contact_terms(contact), newest_contacts_with_terms(tsquery, tsquery, uuid, integer), fill_contact_terms(integer), write_contact_terms(), contacts_in_tiers(tsquery[], integer, uuid, integer),
  contacts_alike(tsquery, tsquery, tsquery, integer, integer) from public;
grant execute on function contacts_in_tiers(tsquery[], integer, uuid, integer), contacts_alike(tsquery, tsquery, tsquery, integer, integer)
  to groundwork_app;

-- Returns all contacts with the terms.
create function contacts_with_terms(condition tsquery) returns table (contact_id uuid)
  language plpgsql stable security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_indexscan = off
  set enable_seqscan = off
as $$
begin
  return query select t.contact_id from contact_terms t where t.organization_id = app_organization() and t.terms @@ condition;
end $$;
revoke execute on function contacts_with_terms(tsquery) from public;
grant execute on function contacts_with_terms(tsquery) to groundwork_app;
