import { wireId, type CreateOrganization, type OwnOrganization } from '@groundwork/api'
import { audit } from '../audit/audit.ts'
import type { Author } from '../audit/entry.ts'
import { withTransaction, type Context, type SessionContext } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { toOwnOrganization } from '../identity/me.ts'
import { addMember } from '../members/add.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'

/** Organizations that one user can be a member of by founding another. */
const maxOrganizationsPerUser = 100

/** @throws AppError `conflict` for who is in too many already */
export async function createOrganization(signedIn: SessionContext, { name }: CreateOrganization): Promise<OwnOrganization> {
  const { user, memberships } = signedIn.session
  if (memberships.length >= maxOrganizationsPerUser)
    throw new AppError('conflict', `nobody can found more organizations who is in ${maxOrganizationsPerUser} already`)
  const ctx: Context = { ...signedIn, organizationId: newId(signedIn.now().getTime()) }
  const made = await withTransaction(ctx, async (trx) => {
    const slug = await insertOrganization(ctx, trx, name, { type: 'user', id: user.id, ...signedIn.origin })
    await addMember(ctx, trx, { userId: user.id, role: 'owner' })
    return toOwnOrganization({ organizationId: ctx.organizationId, name, slug, role: 'owner' })
  })
  signedIn.identity.forget(user.id)
  return made
}

/** Makes the context's organization. @returns the slug that it was given */
export async function insertOrganization(ctx: Context, trx: Transaction, name: string, author: Author): Promise<string> {
  const { slug } = await trx
    .insertInto('organization')
    .values({ id: ctx.organizationId, name, created_at: ctx.now() })
    .returning('slug')
    .executeTakeFirstOrThrow()
  await audit(ctx, trx, { action: 'organization.created', target: wireId('org', ctx.organizationId) }, author)
  return slug
}
