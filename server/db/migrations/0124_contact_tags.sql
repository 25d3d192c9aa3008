-- Tags are compared without regard to case.

-- Returns the tags with a new one in place of the changed ones, or without them if the new one is null. Of tags that differ only in
-- case, the first one stays.
create function changed_tags(tags text[], changed text[], new_tag text) returns text[]
  language sql immutable parallel safe
  return array(
    select tag from (
      select distinct on (lower(tag)) tag, place from (
        select case when lower(tag) = any (changed) then new_tag else tag end as tag, place
        from unnest(tags) with ordinality as each (tag, place)
      ) as mapped
      where tag is not null
      order by lower(tag), place
    ) as kept
    order by place);

-- Returns the tags in lower case, for comparisons.
create function lower_tags(tags text[]) returns text[]
  language sql immutable parallel safe
  return array(select lower(tag) from unnest(tags) as tag);
