import type pg from 'pg'

/** Proposals of one statement. */
const batch = 50_000
const contacts = 10_000

/**
 * Adds proposals with a recipient each by SQL, spread over four years: most are completed, one of a hundred has expired, and one of
 * 33 is about the harbour.
 */
export async function fillProposals(
  database: pg.Client,
  { organization, proposals }: { organization: string; proposals: number },
): Promise<{ contactId: string }> {
  await database.query(
    `insert into contact (organization_id, id, first_name, last_name, email, created_at, updated_at)
     select $1, gen_random_uuid(), 'Rental', 'Desk ' || n, 'desk-' || n || '@example.com', now(), now() from generate_series(1, ${contacts}) n`,
    [organization],
  )
  // Building the index afterwards takes a fraction of the time.
  const [search] = (await database.query<{ definition: string }>(`select pg_get_indexdef('proposal_search'::regclass) as definition`)).rows
  await database.query('drop index proposal_search')
  for (let from = 0; from < proposals; from += batch) {
    await database.query(insertion, [organization, from, Math.min(from + batch, proposals) - 1])
    process.stdout.write('.')
  }
  await database.query(recipients, [organization])
  process.stdout.write('.')
  await database.query(search?.definition ?? '')
  await database.query('vacuum analyze proposal, proposal_recipient, contact')
  process.stdout.write('\n')
  const text =
    'select contact_id as "contactId" from proposal where organization_id = $1 group by contact_id order by count(*) desc limit 1'
  const [contact] = (await database.query<{ contactId: string }>(text, [organization])).rows
  if (contact === undefined) throw new Error('there are no contacts')
  return contact
}

const insertion = `
  with person as materialized (
    select array_agg(id order by id) as ids from contact where organization_id = $1
  ),
  drawn as (
    select n, random() as state, round((20 + 9980 * random())::numeric, 2) as total, random() as money,
      timestamptz '2022-11-01' + n * interval '4 years' / 1000000 as at
    from generate_series($2::integer, $3::integer) n
  ),
  made as (
    select *, case when state < .9 then 'completed' when state < .95 then 'pending' when state < .96 then 'expired'
      when state < .98 then 'rejected' else 'draft' end as status
    from drawn
  )
  insert into proposal (organization_id, id, number, title, contact_id, total_amount, currency, status, items, message, sent_at,
    viewed_at, completed_at, rejected_at, expires_at, created_at, updated_at, content_version, totals)
  select $1, gen_random_uuid(), case when status <> 'draft' then n + 1001 end,
    (array['Six', 'Ten', 'Two', 'Forty'])[1 + n % 4] || ' bicycles for ' || (array['a week', 'three days', 'the summer'])[1 + n % 3]
      || case when n % 33 = 0 then ' at the harbour' else '' end || case when n % 100003 = 0 then ' with a unicorn' else '' end,
    person.ids[1 + n % ${contacts}], total, case when money < .01 then 'JPY' when money < .5 then 'EUR' else 'GBP' end, status,
    jsonb_build_array(jsonb_build_object('description', 'Bicycle, number ' || n, 'quantity', '1', 'unitPrice', total::text,
      'discount', '0.00', 'discountPercent', null, 'taxRate', '0', 'taxes', '[]'::jsonb, 'optional', false, 'preselected', false,
      'group', null, 'quantityRange', null, 'net', total::text, 'total', total::text)),
    'Thank you for your visit on day ' || n % 365 || '. This is our offer as discussed.',
    case when status <> 'draft' then at end, case when status = 'completed' then at end, case when status = 'completed' then at end,
    case when status = 'rejected' then at end, case when status = 'expired' then at end, at, at, 2,
    jsonb_build_object('subtotal', total::text, 'discountTotal', '0.00', 'taxes', '[]'::jsonb, 'taxTotal', '0.00')
  from made, person`

const recipients = `
  insert into proposal_recipient (organization_id, id, proposal_id, position, role, contact_id, name, email, signed_at, declined_at)
  select organization_id, gen_random_uuid(), id, 0, 'signer', contact_id, 'Rental Desk', 'desk@example.com', completed_at, rejected_at
  from proposal where organization_id = $1`
