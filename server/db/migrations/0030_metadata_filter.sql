-- The moment that a text names: a date (its midnight in UTC), or a date and time with an offset, by ISO 8601; null for any
-- other text. Never an error: filters of searches ask it about whatever metadata holds. api/search-filter.ts reads the same.
create function moment_of(value text) returns timestamptz
  language sql stable parallel safe
  return case when value ~ '^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d))?$'
    then case when substr(value, 9, 2)::integer <= extract(day from
      make_date(substr(value, 1, 4)::integer, substr(value, 6, 2)::integer, 1) + interval '1 month' - interval '1 day')
      then (case when length(value) = 10 then value || 'T00:00:00Z' else value end)::timestamptz
    end
  end;

-- The keys of metadata whose values are moments, with their milliseconds since 1970.
create function moments_of(metadata jsonb) returns jsonb
  language sql stable parallel safe
  return (
    select coalesce(jsonb_object_agg(key, floor(extract(epoch from moment_of(value)) * 1000)), '{}')
    from jsonb_each_text(metadata)
    where moment_of(value) is not null
  );
