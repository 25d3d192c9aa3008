import { wireId, type Organization, type UpdateOrganization } from '@groundwork/api'
import type { Selectable, Updateable } from 'kysely'
import { audit } from '../audit/audit.ts'
import { withTransaction, type Context } from '../context.ts'
import type { OrganizationTable, Transaction } from '../db/schema.ts'
import { violatedIndex } from '../db/violations.ts'
import { AppError } from '../lib/errors.ts'

/** Returns the context's organization. */
export function getOrganization(ctx: Context): Promise<Organization> {
  return withTransaction(ctx, async (trx) => toOrganization(await own(ctx, trx).executeTakeFirstOrThrow()))
}

/**
 * Changes the given fields; null clears one.
 * @throws AppError `conflict`, field `slug`, if another organization uses it
 */
export async function updateOrganization(ctx: Context, input: UpdateOrganization): Promise<Organization> {
  const changes = columnsOf(input)
  const update = withTransaction(ctx, async (trx) => {
    const row =
      Object.keys(changes).length === 0
        ? await own(ctx, trx).executeTakeFirstOrThrow()
        : await trx.updateTable('organization').set(changes).where('id', '=', ctx.organizationId).returningAll().executeTakeFirstOrThrow()
    await audit(ctx, trx, { action: 'organization.updated', target: wireId('org', row.id) })
    return toOrganization(row)
  })
  return update.catch((error: unknown) => {
    if (violatedIndex(error) !== 'organization_slug') throw error
    throw new AppError('conflict', 'slug is used by another organization', { field: 'slug' })
  })
}

/** Returns the columns of the given fields. */
function columnsOf({ name, slug, defaultCurrency, ...profile }: UpdateOrganization): Updateable<OrganizationTable> {
  const { legalName, address, taxId, country, color, language, timeZone, replyTo, reminderDays } = profile
  return {
    ...(name !== undefined && { name }),
    ...(slug !== undefined && { slug }),
    ...(defaultCurrency !== undefined && { currency: defaultCurrency }),
    ...(legalName !== undefined && { legal_name: legalName }),
    ...(address !== undefined && { address }),
    ...(taxId !== undefined && { tax_id: taxId }),
    ...(country !== undefined && { country }),
    ...(color !== undefined && { color }),
    ...(language !== undefined && { language }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(replyTo !== undefined && { reply_to: replyTo }),
    ...(reminderDays !== undefined && { reminder_days: reminderDays }),
  }
}

const own = ({ organizationId }: Context, trx: Transaction) => trx.selectFrom('organization').selectAll().where('id', '=', organizationId)

const toOrganization = (row: Selectable<OrganizationTable>): Organization => ({
  id: wireId('org', row.id),
  name: row.name,
  slug: row.slug,
  defaultCurrency: row.currency,
  legalName: row.legal_name,
  address: row.address,
  taxId: row.tax_id,
  country: row.country,
  color: row.color,
  language: row.language,
  timeZone: row.time_zone,
  replyTo: row.reply_to,
  reminderDays: row.reminder_days,
  createdAt: row.created_at.toISOString(),
})
