import type { Role } from '@groundwork/api'
import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import { enqueueWork, organizationWork, type OrganizationWork } from '../work.ts'
import type { Message } from './mailer.ts'

interface SendMail {
  mailId: string
}

/** What is older is forgotten: links in it have ended long before. */
const keptDays = 30

/** Sends a message; one that has gone is not sent again. Where it is written as a file, it can be read in the dashboard too. */
export const sendMailWork: OrganizationWork<SendMail> = {
  ...organizationWork<SendMail>('send-mail', sendMail),
  abandoned: (ctx, { mailId }) =>
    // Why it failed is kept, the secrets in it are not.
    withTransaction(ctx, async (trx) => void (await trx.updateTable('mail').set({ text: '' }).where('id', '=', mailId).execute())),
}

/** Has the message sent once the transaction is committed. `givesRole`: whoever has it can take this role. */
export async function enqueueMail(
  ctx: Context,
  trx: Transaction,
  { to, subject, text, givesRole }: Omit<Message, 'id'> & { givesRole?: Role },
): Promise<void> {
  const now = ctx.now()
  const id = newId(now.getTime())
  await trx
    .deleteFrom('mail')
    .where('created_at', '<', new Date(now.getTime() - keptDays * 86_400_000))
    .execute()
  await trx
    .insertInto('mail')
    .values({
      organization_id: ctx.organizationId,
      id,
      recipient: to,
      subject,
      text,
      gives_role: givesRole ?? null,
      error: null,
      created_at: now,
    })
    .execute()
  await enqueueWork(ctx, trx, sendMailWork, { mailId: id })
}

async function sendMail(ctx: Context, { mailId }: SendMail): Promise<void> {
  const mail = await withTransaction(ctx, (trx) => trx.selectFrom('mail').selectAll().where('id', '=', mailId).executeTakeFirst())
  if (mail === undefined) return
  try {
    await ctx.mailer.send({ id: mail.id, to: mail.recipient, subject: mail.subject, text: mail.text })
  } catch (error) {
    await withTransaction(ctx, (trx) =>
      trx
        .updateTable('mail')
        .set({ error: error instanceof Error ? error.message : String(error) })
        .where('id', '=', mailId)
        .execute(),
    )
    throw error
  }
  if (ctx.mailer.kind === 'smtp') await withTransaction(ctx, (trx) => trx.deleteFrom('mail').where('id', '=', mailId).execute())
}
