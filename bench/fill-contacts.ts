import { newId } from '@groundwork/server/lib/ids'
import { generatedContacts, type GeneratedContact } from '@groundwork/server/testing/generated-contacts'
import type pg from 'pg'

/** Contacts of one statement. */
const batch = 10_000

/**
 * Tags by the share of the contacts that have them. Contact number `at` of `n` was created a second after the one before.
 * `vip` is the one of contacts-search.
 */
const tags = {
  vip: 'at % 100 = 0',
  rare: 'at % (n / 20) = 1',
  few: 'at % (n / 2000) = 3',
  newest: 'at >= n - n / 50',
  oldest: 'at < n / 50',
  spread: 'at % 50 = 2',
  most: 'at % 5 > 0',
} as const

/** Adds generated contacts by SQL, one company to ten of them, two proposals and a call to each tenth, and 2,000 tasks. */
export async function fillContacts(
  database: pg.ClientBase,
  { organization, contacts, numberField }: { organization: string; contacts: number; numberField: string },
): Promise<GeneratedContact[]> {
  const made = [...generatedContacts(contacts)]
  // Building the index afterwards takes a fraction of the time.
  const indexes = ['contact_terms_terms', 'contact_facet_values', 'proposal_search']
  const { rows } = await database.query<{ definition: string }>(
    'select pg_get_indexdef(name::regclass) as definition from unnest($1::text[]) as name',
    [indexes],
  )
  await database.query(`drop index ${indexes.join(', ')}`)
  // The search for duplicates would compare all of them during the measurement.
  await database.query('alter table contact disable trigger compare_new_contact')
  await database.query(companies, [organization, contacts / 100])
  await database.query('insert into company_domain select organization_id, domains[1], id from company where organization_id = $1', [
    organization,
  ])
  for (let from = 0; from < contacts; from += batch) {
    const part = made.slice(from, from + batch)
    const column = (field: 'firstName' | 'lastName' | 'email' | 'phone'): string[] => part.map((contact) => contact[field])
    const columns = [column('firstName'), column('lastName'), column('email'), column('phone')]
    await database.query(insertion, [organization, part.map(() => newId()), ...columns, from, contacts, numberField])
    process.stdout.write('.')
  }
  await database.query('alter table contact enable trigger compare_new_contact')
  await database.query(proposals, [organization])
  await database.query(activities, [organization])
  await database.query(tasks, [organization, newId()])
  await database.query(consents, [organization])
  for (const { definition } of rows) await database.query(definition)
  await database.query('vacuum analyze contact, contact_terms, company, company_domain, proposal, activity, consent_change')
  process.stdout.write('\n')
  return made
}

const companies = `
  insert into company (organization_id, id, name, external_id, vat_id, domains, tags, address, created_at, updated_at)
  select $1, gen_random_uuid(), 'Company ' || n, 'crm-' || n, 'DE' || n, array['company' || n || '.example'],
    case when n % 100 = 7 then array['partner'] else '{}' end,
    jsonb_build_object('line1', null, 'line2', null, 'city', 'City ' || n % 1000, 'region', null, 'postalCode', null, 'country', 'DE'), now(), now()
  from generate_series(1, $2::integer) n`

const insertion = `
  insert into contact (organization_id, id, first_name, last_name, email, phone, tags, job_title, language, consent, custom_fields,
    company_id, last_interaction_at, time_zone, address, do_not_contact, created_at, updated_at)
  select $1, id, first_name, last_name, email, phone,
    array_remove(array[${Object.entries(tags)
      .map(([tag, has]) => `case when ${has} then '${tag}' end`)
      .join(', ')}], null),
    case when at % (n / 2000) = 4 then 'Nurse' end, case when at % 50 = 5 then 'de' else 'en' end,
    case when at % 50 = 6 then '{"email": "granted"}'::jsonb end, jsonb_build_object($9::text, at % 50000),
    case when at % 10 = 7 then company.ids[1 + at / 10 % cardinality(company.ids)] end,
    case when at % 10 = 8 then created end,
    case when at % (n / 20) = 9 then 'Asia/Tokyo' when at % 50 = 9 then 'Europe/Lisbon' end,
    case when at % (n / 2000) = 10 then '{"street": "Rua Nova 1", "city": "Porto", "postalCode": "4000-322", "region": null, "country": "PT"}'
      when at % 50 = 11 then '{"street": null, "city": "Lyon", "postalCode": null, "region": null, "country": "FR"}' end::jsonb,
    at % (n / 2000) = 12, created, created
  from (select array_agg(id order by name) as ids from company where organization_id = $1) as company,
    unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality as c (id, first_name, last_name, email, phone, number),
    lateral (select number + $7::integer - 1 as at, $8::integer as n) as counted,
    lateral (select timestamptz '2025-01-01' + at * interval '1 second' as created) as times`

const proposals = `
  insert into proposal (organization_id, id, number, title, contact_id, total_amount, currency, status, sent_at, completed_at,
    voided_at, void_reason, external_id, expires_at, created_at, updated_at, content_version, totals)
  select $1, gen_random_uuid(), number, case when number % 10000 = 5 then 'Roof' else 'Offer' end, id, number % 10000, case when number % 1000 = 0 then 'JPY' else 'EUR' end, status, created_at,
    case status when 'completed' then created_at end, case status when 'voided' then created_at end,
    case status when 'voided' then 'Twice' end, 'order-' || number, created_at + interval '14 days', created_at, created_at, 2,
    jsonb_build_object('subtotal', '1.00', 'discountTotal', '0.00', 'taxes', '[]'::jsonb, 'taxTotal', '0.00')
  from (
    select c.id, c.created_at, row_number() over (order by c.created_at) as number
    from contact c, generate_series(1, 2) where organization_id = $1 and (extract(epoch from created_at))::bigint % 10 = 9
  ) as offered, lateral (
    select case when number % 10000 = 0 then 'voided' when number % 100 = 1 then 'expired' when number % 10 = 3 then 'pending' else 'completed' end as status
  ) as states`

const activities = `
  insert into activity (organization_id, id, contact_id, type, direction, external_id, occurred_at, actor_type, created_at, updated_at)
  select $1, gen_random_uuid(), id, case when at % 1000 = 8 then 'meeting' else 'call' end,
    case when at % 100 = 8 then 'outbound' else 'inbound' end, 'call-' || at, created_at, 'system', created_at, created_at
  from (select *, (extract(epoch from created_at))::bigint as at from contact where organization_id = $1) as c where at % 10 = 8`

const tasks = `
  insert into activity (organization_id, id, contact_id, type, due_at, done_at, assignee_id, occurred_at, actor_type, created_at, updated_at)
  select $1, gen_random_uuid(), id, 'task', created_at + interval '1 day', case when at % 1000 = 14 then created_at end, $2::uuid, created_at,
    'system', created_at, created_at
  from (select *, (extract(epoch from created_at))::bigint as at from contact where organization_id = $1) as c where at % 500 = 14`

const consents = `
  insert into consent_change (organization_id, id, contact_id, channel, state, at, actor_type, created_at)
  select $1, gen_random_uuid(), id, 'email', 'granted', created_at, 'system', created_at
  from contact where organization_id = $1 and consent is not null`
