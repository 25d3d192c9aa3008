import { sql, type RawBuilder } from 'kysely'
import type { StoredLogo } from '../db/schema.ts'
import { readableColor } from '../lib/readable-color.ts'

/** The organization of a proposal, as its page, PDF and emails show it. */
export interface Seller {
  readonly name: string
  readonly legal_name: string | null
  readonly address: string | null
  readonly tax_id: string | null
  readonly color: string | null
  readonly language: string
  readonly time_zone: string
  readonly logo: StoredLogo | null
}

/** The columns that stay as the first signer saw them. Logos are not kept: all proposals show the present one. */
const kept = sql.raw('name, legal_name, address, tax_id, color, language, time_zone')

/** Selects the columns of the organization that `proposal_acceptance` keeps. */
export const presentSeller: RawBuilder<string> = sql<string>`(select to_jsonb(profile) from (select ${kept} from organization) as profile)`

/** Selects the organization of each proposal, with its profile at the first signature, or else the present one. */
export const sellerColumn = sql<Seller | null>`(
  select to_jsonb(profile) || coalesce((select accepted.seller from proposal_acceptance as accepted
    where accepted.organization_id = proposal.organization_id and accepted.proposal_id = proposal.id), '{}')
  from (select ${kept}, logo from organization where organization.id = proposal.organization_id) as profile)`.as('seller')

/** Returns the name under which the seller is known to its clients. */
export const sellerName = ({ legal_name, name }: Pick<Seller, 'legal_name' | 'name'>): string => legal_name ?? name

/** Returns the seller's color in a shade on which white text is readable; null for the default. */
export const sellerColor = ({ color }: Pick<Seller, 'color'>): string | null => (color === null ? null : readableColor(color))
