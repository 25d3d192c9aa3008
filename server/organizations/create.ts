import { wireId, type CreateOrganization, type OwnOrganization, type Region } from '@groundwork/api'
import { audit } from '../audit/audit.ts'
import type { Author } from '../audit/entry.ts'
import { withTransaction, type Context } from '../context.ts'
import type { SessionContext } from '../identity/context.ts'
import type { Transaction } from '../db/schema.ts'
import { toOwnOrganization } from '../identity/me.ts'
import { addMember } from '../members/add.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { columnsOf } from './own.ts'

/** A user who belongs to this many organizations cannot create another one. */
const maxOrganizationsPerUser = 100

/** @throws AppError `conflict` if the user already belongs to the maximum number of organizations */
export async function createOrganization(sessionCtx: SessionContext, { name, ...region }: CreateOrganization): Promise<OwnOrganization> {
  const { user, memberships } = sessionCtx.session
  if (memberships.length >= maxOrganizationsPerUser)
    throw new AppError('conflict', `You already belong to ${maxOrganizationsPerUser} organizations, which is the maximum.`)
  const ctx: Context = { ...sessionCtx, organizationId: newId(sessionCtx.now().getTime()) }
  const created = await withTransaction(ctx, async (trx) => {
    const slug = await insertOrganization(ctx, trx, { name, ...region }, { type: 'user', id: user.id, ...sessionCtx.origin })
    await addMember(ctx, trx, { userId: user.id, role: 'owner' })
    return toOwnOrganization({ organizationId: ctx.organizationId, name, slug, role: 'owner' }, null)
  })
  sessionCtx.identity.invalidateSessions(user.id)
  return created
}

/**
 * Inserts an organization with the id of `ctx`, and its audit entry.
 * @returns its slug
 */
export async function insertOrganization(
  ctx: Context,
  trx: Transaction,
  { name, ...region }: { name: string } & Region,
  author: Author,
): Promise<string> {
  const { slug } = await trx
    .insertInto('organization')
    .values({ ...columnsOf(region), id: ctx.organizationId, name, created_at: ctx.now() })
    .returning('slug')
    .executeTakeFirstOrThrow()
  await audit(ctx, trx, { action: 'organization.created', target: wireId('org', ctx.organizationId) }, author)
  return slug
}

/** Sets the regional settings of an organization that the command line created without them. */
export async function setRegion(ctx: Context, trx: Transaction, region: Region): Promise<void> {
  const changes = columnsOf(region)
  if (Object.keys(changes).length > 0) await trx.updateTable('organization').set(changes).where('id', '=', ctx.organizationId).execute()
}
