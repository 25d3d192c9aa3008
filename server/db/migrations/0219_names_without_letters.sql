-- A search for emojis or other symbols alone, or beside words, failed: a word without letters has no Latin spelling.

-- As before, but a name without a Latin spelling has none as a whole either.
create or replace function contact_name_forms(first_name text, last_name text) returns contact_name_forms
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
    if cardinality(forms.latin) > 0 then
      forms.latin_wholes := array['%' || (select string_agg(word, ' ' order by word collate "C") from unnest(forms.latin) as word),
        '%' || replace(latin_last || latin_first, ' ', ''), '%' || replace(latin_first || latin_last, ' ', '')];
    end if;
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

-- As before, but only words in Latin letters have spellings of umlauts.
create or replace function contact_query(value text) returns jsonb
  language plpgsql immutable parallel safe
as $$
declare
  forms contact_name_forms := contact_name_forms(value, null);
  all_words jsonb := '[]';
  folded text := contact_fold(value);
  word text;
  latin text[];
begin
  foreach word in array string_to_array(folded, ' ') loop
    latin := (contact_name_forms(word, null)).latin;
    -- The spelling of umlauts, which folding has removed.
    if octet_length(folded) = length(folded) and cardinality(forms.latin) > 0 then
      latin := array_remove(array[forms.latin[jsonb_array_length(all_words) + 1]], word);
    end if;
    all_words := all_words || jsonb_build_object('word', word, 'latin', latin,
      'likeness', contact_likeness_terms(row(array[word], latin, array[]::text[], array[]::text[])::contact_name_forms));
  end loop;
  return jsonb_build_object('words', all_words, 'wholes', forms.wholes, 'latinWholes', forms.latin_wholes,
    'joined', forms.words[jsonb_array_length(all_words) + 1:],
    'likeWholes', array(select distinct '^^' || skeleton
      from unnest(forms.wholes[2:2] || forms.latin_wholes[2:2]) as whole, unnest(contact_skeletons(whole)) as skeleton
      where octet_length(whole) = length(whole) and skeleton <> ''));
end $$;
