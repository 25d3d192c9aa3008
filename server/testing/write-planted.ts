import type pg from 'pg'
import { newId } from '../lib/ids.ts'
import type { PlantedContact } from './duplicate-contacts.ts'

interface Planted {
  readonly contacts: readonly PlantedContact[]
  /** The id of each contact. */
  readonly ids: readonly string[]
  readonly companies: number
}

/** Contacts of one statement. */
const batch = 5000

/** Writes contacts with their companies, as the owner of the tables. */
export async function writePlanted(
  pool: Pick<pg.Pool, 'query'>,
  organizationId: string,
  { contacts, companies, ids }: Planted,
): Promise<void> {
  const companyIds = Array.from({ length: companies }, () => newId())
  await pool.query(
    `insert into company (organization_id, id, name, created_at, updated_at)
     select $1, id, 'Firm ' || at || ' GmbH', now(), now() from unnest($2::uuid[]) with ordinality as c (id, at)`,
    [organizationId, companyIds],
  )
  for (let from = 0; from < contacts.length; from += batch) {
    const part = contacts.slice(from, from + batch)
    await pool.query(
      `insert into contact (organization_id, id, first_name, last_name, email, phone, company_id, address, created_at, updated_at)
       select $1, unnest($2::uuid[]), unnest($3::text[]), unnest($4::text[]), unnest($5::text[]), unnest($6::text[]), unnest($7::uuid[]),
         unnest($8::jsonb[]), now(), now()`,
      [
        organizationId,
        ids.slice(from, from + batch),
        ...(['firstName', 'lastName', 'email', 'phone'] as const).map((field) => part.map((contact) => contact[field])),
        part.map(({ company }) => (company === null ? null : companyIds[company])),
        part.map(({ address }) => (address === null ? null : JSON.stringify({ region: null, country: null, ...address }))),
      ],
    )
  }
}
