import type { Role } from '@groundwork/api'
import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import { enqueueWork, organizationWork, type OrganizationWork } from '../work.ts'
import type { MailContext, Message } from './mailer.ts'

interface SendMail {
  mailId: string
}

/** E-mails are deleted after this time. Links in them expire earlier. */
const retentionDays = 30

/** Sends an e-mail, then deletes its row. E-mails written as files keep it, so that the dashboard can show them. */
export const sendMailWork: OrganizationWork<SendMail, MailContext> = {
  ...organizationWork('send-mail', sendMail),
  abandoned: (ctx, { mailId }) =>
    // Keeps the error and removes the text, which can contain secrets.
    withTransaction(ctx, async (trx) => void (await trx.updateTable('mail').set({ text: '' }).where('id', '=', mailId).execute())),
}

/** Enqueues an e-mail; it is sent after the transaction commits. `givesRole` is the role that its link grants. */
export async function enqueueMail(
  ctx: Context,
  trx: Transaction,
  { to, subject, text, givesRole }: Omit<Message, 'id'> & { givesRole?: Role },
): Promise<void> {
  const now = ctx.now()
  const id = newId(now.getTime())
  await trx
    .deleteFrom('mail')
    .where('created_at', '<', new Date(now.getTime() - retentionDays * 86_400_000))
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

async function sendMail(ctx: MailContext, { mailId }: SendMail): Promise<void> {
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
