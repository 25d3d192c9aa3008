import type { Role } from '@groundwork/api'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'

/** Adds the user to the context's organization. The caller writes the audit entry. */
export async function addMember(ctx: Context, trx: Transaction, { userId, role }: { userId: string; role: Role }): Promise<void> {
  await trx.insertInto('membership').values({ organization_id: ctx.organizationId, user_id: userId, role, created_at: ctx.now() }).execute()
}
