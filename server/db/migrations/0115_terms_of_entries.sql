-- All addresses and numbers of a contact are found.

-- Returns the main value with those of further entries. The first entry is the main value, unless a former version has changed it alone.
create function contact_values(main text, entries jsonb) returns text[]
  language plpgsql immutable parallel safe
as $$
begin
  if entries is null then return array_remove(array[main], null); end if;
  return array(select distinct value from (
    select entry ->> 'value' as value from jsonb_array_elements(entries) with ordinality as entries (entry, at) where at > 1
    union all select main
  ) as values where value is not null);
end $$;

create or replace function store_contact_terms(c contact) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
declare
  forms contact_name_forms := contact_name_forms(c.first_name, c.last_name);
  addresses text[] := contact_values(c.email, c.emails);
begin
  insert into contact_terms (organization_id, contact_id, names, terms)
    values (c.organization_id, c.id, contact_names(forms, addresses), contact_terms_of(forms, addresses, contact_values(c.phone, c.phones)))
    on conflict (organization_id, contact_id) do update set names = excluded.names, terms = excluded.terms;
end $$;

drop trigger write_terms_of_changed_contact on contact;
create trigger write_terms_of_changed_contact after update of first_name, last_name, email, phone, emails, phones, deleted_at on contact
  for each row
  when ((old.first_name, old.last_name, old.email, old.phone, old.emails, old.phones, old.deleted_at)
    is distinct from (new.first_name, new.last_name, new.email, new.phone, new.emails, new.phones, new.deleted_at))
  execute function write_contact_terms();
