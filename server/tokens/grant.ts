import { scopesOfRole, wireId } from '@groundwork/api'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { asScopes, type Grant, type NewToken } from './issue.ts'

/**
 * Checks that the actor holds all permissions of a new token. Reads the actor's row again and locks it until the transaction
 * ends, so that a token or member removed a moment ago, but still cached by this process, cannot create tokens.
 * @returns the creator columns of the new token
 * @throws AppError `forbidden` naming the missing permission, `unauthorized` if the actor's token or membership has ended
 */
export async function requireGrantable(ctx: Context, trx: Transaction, grant: Grant): Promise<NewToken['createdBy']> {
  const { actor } = ctx
  if (actor === undefined) throw new AppError('forbidden', 'Only a user or an API token can create tokens.')
  if (actor.kind === 'user') {
    requireWithin('Your role', await grantOfMember(trx, actor.userId), grant)
    return { created_by: null, created_by_user: actor.userId }
  }
  requireWithin('The API token', await grantOfToken(trx, actor.tokenId), grant)
  return { created_by: actor.tokenId, created_by_user: null }
}

async function grantOfMember(trx: Transaction, userId: string): Promise<Grant> {
  const own = await trx.selectFrom('membership').select('role').where('user_id', '=', userId).forShare().executeTakeFirst()
  if (own === undefined) throw new AppError('unauthorized', 'You are no longer a member of the organization.')
  return { scopes: scopesOfRole[own.role], baseIds: null, expiresAt: null, agent: false }
}

async function grantOfToken(trx: Transaction, tokenId: string): Promise<Grant> {
  const own = await trx
    .selectFrom('api_token')
    .select(['scopes', 'base_ids', 'expires_at', 'agent'])
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (own === undefined) throw new AppError('unauthorized', 'The API token is missing, unknown, expired or revoked.')
  return { scopes: asScopes(own.scopes), baseIds: own.base_ids, expiresAt: own.expires_at, agent: own.agent }
}

function requireWithin(holder: string, own: Grant, grant: Grant): void {
  const excess = (field: string, permission: string): AppError =>
    new AppError('forbidden', `${holder} cannot grant ${permission}.`, { field })
  if (own.agent && !grant.agent) throw excess('agent', 'a token that is not that of an agent')
  const scope = grant.scopes.find((each) => !own.scopes.includes(each))
  if (scope !== undefined) throw excess('scopes', `the scope ${scope}, which it does not have`)
  if (own.baseIds !== null) {
    const allowed = new Set(own.baseIds)
    if (grant.baseIds === null) throw excess('baseIds', 'access to all knowledge bases. List some of those that it can access in baseIds')
    const base = grant.baseIds.find((id) => !allowed.has(id))
    if (base !== undefined) throw excess('baseIds', `access to the knowledge base ${wireId('kb', base)}, which it does not have`)
  }
  if (own.expiresAt !== null && (grant.expiresAt === null || grant.expiresAt > own.expiresAt))
    throw excess('expiresAt', `an expiry later than its own, ${own.expiresAt.toISOString()}`)
}
