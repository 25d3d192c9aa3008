import type { ExpressionBuilder } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Schema, StoredLogo } from '../db/schema.ts'
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

/** Selects the organization of each proposal, with its profile. */
export const sellerColumn = (eb: ExpressionBuilder<Schema, 'proposal'>) =>
  jsonObjectFrom(
    eb
      .selectFrom('organization')
      .select(['name', 'legal_name', 'address', 'tax_id', 'color', 'language', 'time_zone', 'logo'])
      .whereRef('organization.id', '=', 'proposal.organization_id'),
  ).as('seller')

/** Returns the name under which the seller is known to its clients. */
export const sellerName = ({ legal_name, name }: Pick<Seller, 'legal_name' | 'name'>): string => legal_name ?? name

/** Returns the seller's color in a shade on which white text is readable; null for the default. */
export const sellerColor = ({ color }: Pick<Seller, 'color'>): string | null => (color === null ? null : readableColor(color))
