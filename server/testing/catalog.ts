import type { Pool } from 'pg'

/** Schemas of the migrations. pg-boss migrates its own. */
const namespaces = `array['public', 'identity', 'installation', 'pacing']::regnamespace[]`
const notOfExtension = (catalog: string, oid: string): string =>
  `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`
const grants = (acl: string): string =>
  `(select string_agg(distinct concat_ws(' ', case when grantee = 0 then 'public' else grantee::regrole::text end, privilege_type, is_grantable), ', ') from aclexplode(${acl}))`

/** One query per kind of object, each with one text column. Positions of columns and comments in functions are left out. */
const queries = {
  extensions: 'select extname from pg_extension',
  schemas: `select concat_ws(' ', nspname, ${grants('nspacl')}) from pg_namespace where oid = any (${namespaces})`,
  relations: `select concat_ws(' ', c.oid::regclass, relkind, pg_get_userbyid(relowner), relrowsecurity, relforcerowsecurity, reloptions,
      pg_get_expr(relpartbound, c.oid), pg_get_partkeydef(c.oid),
      ${grants(`coalesce(relacl, acldefault(case when relkind = 'S' then 's' else 'r' end::"char", relowner))`)})
    from pg_class c where relnamespace = any (${namespaces}) and relkind in ('r', 'p', 'v', 'm', 'S')`,
  columns: `select concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
      attstorage, attcollation::regcollation, pg_get_expr(adbin, adrelid), ${grants('attacl')})
    from pg_attribute a join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = any (${namespaces}) and relkind in ('r', 'p') and attnum > 0 and not attisdropped`,
  constraints: `select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated, condeferrable)
    from pg_constraint where connamespace = any (${namespaces})`,
  indexes: `select concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid) from pg_index i join pg_class c on c.oid = indexrelid
    where relnamespace = any (${namespaces})`,
  policies: `select concat_ws(' ', polrelid::regclass, polname, polcmd, polpermissive, polroles::regrole[],
      pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
    from pg_policy`,
  triggers: `select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = tgrelid
    where relnamespace = any (${namespaces}) and not tgisinternal`,
  functions: `select concat_ws(' ', regexp_replace(pg_get_functiondef(p.oid), '\\s*--[^\\n]*', '', 'g'), pg_get_userbyid(proowner),
      ${grants(`coalesce(proacl, acldefault('f', proowner))`)})
    from pg_proc p where pronamespace = any (${namespaces}) and ${notOfExtension('pg_proc', 'p.oid')}`,
  sequences: `select concat_ws(' ', seqrelid::regclass, seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle)
    from pg_sequence s join pg_class c on c.oid = seqrelid where relnamespace = any (${namespaces})`,
} as const

export type Catalog = Readonly<Record<keyof typeof queries, readonly string[]>>

/** Returns a sorted description of the schema, to compare two databases. */
export async function catalogOf(pool: Pool): Promise<Catalog> {
  const read = async (kind: keyof typeof queries): Promise<string[]> => {
    const { rows } = await pool.query<[string]>({ text: queries[kind], rowMode: 'array' })
    return rows.map(([text]) => text).toSorted()
  }
  return {
    extensions: await read('extensions'),
    schemas: await read('schemas'),
    relations: await read('relations'),
    columns: await read('columns'),
    constraints: await read('constraints'),
    indexes: await read('indexes'),
    policies: await read('policies'),
    triggers: await read('triggers'),
    functions: await read('functions'),
    sequences: await read('sequences'),
  }
}
