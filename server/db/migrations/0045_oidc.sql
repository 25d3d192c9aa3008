-- Whether an address has an invitation that is still open, in whatever organization: who comes from the operator's identity
-- provider and has no user yet is let in by that alone. The sign-in library is told this and no more.
create function identity.is_invited(address text) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select exists (select from public.invitation i where lower(i.email) = lower(address) and i.expires_at > now());
$$;
revoke execute on function identity.is_invited(text) from public;
grant execute on function identity.is_invited(text) to groundwork_identity;
