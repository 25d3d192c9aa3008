import { wireId, type Organization, type UpdateOrganization } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { audit } from '../audit/audit.ts'
import { withTransaction, type Context } from '../context.ts'
import type { OrganizationTable, Transaction } from '../db/schema.ts'
import { violatedIndex } from '../db/violations.ts'
import { AppError } from '../lib/errors.ts'

/** Returns the context's organization. */
export function getOrganization(ctx: Context): Promise<Organization> {
  return withTransaction(ctx, async (trx) => toOrganization(await own(ctx, trx).executeTakeFirstOrThrow()))
}

/** @throws AppError `conflict`, field `slug`, if another organization uses it */
export async function updateOrganization(ctx: Context, { name, slug, defaultCurrency }: UpdateOrganization): Promise<Organization> {
  const update = withTransaction(ctx, async (trx) => {
    const before = await own(ctx, trx).forNoKeyUpdate().executeTakeFirstOrThrow()
    const row = await trx
      .updateTable('organization')
      .set({ name: name ?? before.name, slug: slug ?? before.slug, currency: defaultCurrency ?? before.currency })
      .where('id', '=', ctx.organizationId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(ctx, trx, { action: 'organization.updated', target: wireId('org', row.id) })
    return toOrganization(row)
  })
  return update.catch((error: unknown) => {
    if (violatedIndex(error) !== 'organization_slug') throw error
    throw new AppError('conflict', 'slug is used by another organization', { field: 'slug' })
  })
}

const own = ({ organizationId }: Context, trx: Transaction) => trx.selectFrom('organization').selectAll().where('id', '=', organizationId)

function toOrganization({ id, name, slug, currency, created_at }: Selectable<OrganizationTable>): Organization {
  return { id: wireId('org', id), name, slug, defaultCurrency: currency, createdAt: created_at.toISOString() }
}
