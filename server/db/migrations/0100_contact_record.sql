-- Further e-mail addresses and phone numbers of contacts, and more about the person.

alter table contact
  -- All entries, the main one first; null if there are none besides email or phone as it was sent, without a label.
  add emails jsonb,
  add phones jsonb,
  add job_title text,
  add address jsonb,
  add language text,
  add time_zone text,
  -- A member. There is no foreign key, because an import adds contacts before memberships.
  add owner_id uuid,
  add do_not_contact boolean not null default false;

create function contact_owner_left() returns trigger
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
begin
  update contact set owner_id = null where organization_id = old.organization_id and owner_id = old.user_id;
  return null;
end $$;
revoke execute on function contact_owner_left() from public;
create trigger contact_owner_left after delete on membership for each row execute function contact_owner_left();

-- Returns the values of entries, separated by spaces.
create function contact_entry_values(entries jsonb) returns text
  language sql immutable parallel safe
  return (select string_agg(entry.value ->> 'value', ' ' order by entry.ordinality)
    from jsonb_array_elements(entries) with ordinality as entry);

-- Return the organization's contacts with the address, or with one of the numbers, in any of their entries. They run as their
-- owner, because row-level security keeps the operator of jsonb from using an index; so they compare the organization themselves.
create function contacts_with_email(wanted text) returns setof uuid
  language sql stable security definer rows 3
  set search_path = public, pg_temp
as $$
  select id from contact where organization_id = (select app_organization()) and deleted_at is null and email = wanted
  union
  select id from contact where organization_id = (select app_organization()) and deleted_at is null
    and emails @> jsonb_build_array(jsonb_build_object('value', wanted));
$$;
create function contacts_with_phone(numbers text[]) returns setof uuid
  language sql stable security definer rows 3
  set search_path = public, pg_temp
as $$
  select id from contact where organization_id = (select app_organization()) and deleted_at is null and phone = any (numbers)
  union
  select id from unnest(numbers) as number join contact on phones @> jsonb_build_array(jsonb_build_object('value', number))
    where organization_id = (select app_organization()) and deleted_at is null;
$$;
revoke execute on function contacts_with_email(text), contacts_with_phone(text[]) from public;
grant execute on function contacts_with_email(text), contacts_with_phone(text[]) to groundwork_app;
