-- The key that seals PDFs of completed proposals.

-- It belongs to no organization, so it is in the schema that is closed to groundwork_app.
create table installation.pdf_signer (
  only_row boolean primary key default true check (only_row),
  -- PKCS #12 with the key and its self-signed certificate, encrypted under the secret key.
  sealed_p12 bytea not null,
  created_at timestamptz not null
);

-- The functions below run as their owner, because groundwork_app cannot access the table. Each has one purpose.

create function current_pdf_signer() returns bytea
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select sealed_p12 from installation.pdf_signer;
$$;

-- Stores a new key instead of `former`, or the first one if that is null. Of several concurrent calls, one stores its key.
create function replace_pdf_signer(sealed_p12 bytea, former bytea, at timestamptz) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
  insert into installation.pdf_signer as stored (sealed_p12, created_at) values ($1, $3)
    on conflict (only_row) do update set sealed_p12 = $1, created_at = $3 where stored.sealed_p12 = $2;
$$;

revoke execute on function current_pdf_signer(), replace_pdf_signer(bytea, bytea, timestamptz) from public;
grant execute on function current_pdf_signer(), replace_pdf_signer(bytea, bytea, timestamptz) to groundwork_app;
