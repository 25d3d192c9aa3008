import type { Role } from '@groundwork/api'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'

/** Makes the user a member of the context's organization; whoever calls it writes down that it was done. */
export async function addMember(ctx: Context, trx: Transaction, { userId, role }: { userId: string; role: Role }): Promise<void> {
  await trx.insertInto('membership').values({ organization_id: ctx.organizationId, user_id: userId, role, created_at: ctx.now() }).execute()
}
