import { wireId, type Organization, type UpdateOrganization, type Usage } from '@groundwork/api'
import type { Selectable, Updateable } from 'kysely'
import { audit } from '../audit/audit.ts'
import { withTransaction, type Context } from '../context.ts'
import { changedColumns, isEmpty } from '../db/changed-columns.ts'
import type { OrganizationTable, Transaction } from '../db/schema.ts'
import { violatedIndex } from '../db/violations.ts'
import type { FileContext } from '../files/context.ts'
import { AppError } from '../lib/errors.ts'
import { requireMarkdown } from '../lib/markdown.ts'
import { maySeeUsage, readUsage } from '../quotas/usage.ts'
import { readLogo, replaceLogo, toLogo } from './logo.ts'

/** Returns the context's organization. */
export function getOrganization(ctx: Context): Promise<Organization> {
  return withTransaction(ctx, async (trx) => {
    const [row, usage] = await Promise.all([own(ctx, trx).executeTakeFirstOrThrow(), usageFor(ctx, trx)])
    return toOrganization(row, usage)
  })
}

/**
 * Changes the given fields; null clears one.
 * @throws AppError `conflict`, field `slug`, if another organization uses it; `validation_error`, field `defaultTerms` or
 * `logo.storageUrl`; `unavailable` if the logo cannot be checked
 */
export async function updateOrganization(ctx: FileContext, { logo, ...input }: UpdateOrganization): Promise<Organization> {
  const file = logo && (await readLogo(ctx, logo.storageUrl))
  if (input.defaultTerms != null) requireMarkdown(input.defaultTerms, 'defaultTerms')
  const update = withTransaction(ctx, async (trx) => {
    const before = await own(ctx, trx).forNoKeyUpdate().executeTakeFirstOrThrow()
    const changes = changedColumns(before, {
      ...columnsOf(input),
      ...(file !== undefined && { logo: await replaceLogo(ctx, trx, file) }),
    })
    if (isEmpty(changes)) return toOrganization(before, await usageFor(ctx, trx))
    const row = await trx
      .updateTable('organization')
      .set(changes)
      .where('id', '=', ctx.organizationId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(ctx, trx, { action: 'organization.updated', target: wireId('org', row.id) })
    return toOrganization(row, await usageFor(ctx, trx))
  })
  return update.catch((error: unknown) => {
    if (violatedIndex(error) !== 'organization_slug') throw error
    throw new AppError('conflict', 'slug is used by another organization', { field: 'slug' })
  })
}

/** Returns the columns of the given fields. */
export function columnsOf({ name, slug, defaultCurrency, ...profile }: Omit<UpdateOrganization, 'logo'>): Updateable<OrganizationTable> {
  const { legalName, address, taxId, country, color, language, timeZone, replyTo, reminderDays, defaultTerms, expiryDays } = profile
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
    ...(defaultTerms !== undefined && { default_terms: defaultTerms }),
    ...(expiryDays !== undefined && { expiry_days: expiryDays }),
  }
}

const own = ({ organizationId }: Context, trx: Transaction) => trx.selectFrom('organization').selectAll().where('id', '=', organizationId)

/** Null for an actor that may not see the whole organization. */
const usageFor = async (ctx: Context, trx: Transaction): Promise<Usage | null> => (maySeeUsage(ctx) ? readUsage(trx) : null)

const toOrganization = (row: Selectable<OrganizationTable>, usage: Usage | null): Organization => ({
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
  defaultTerms: row.default_terms,
  expiryDays: row.expiry_days,
  logo: toLogo(row.logo),
  usage,
  createdAt: row.created_at.toISOString(),
})
