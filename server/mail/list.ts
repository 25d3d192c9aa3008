import { wireId, type ListMails, type Mail } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { requireWholeOrganization, select, type Context } from '../context.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { MailTable, Transaction } from '../db/schema.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { grantableRoles } from '../identity/grantable-roles.ts'
import type { MailContext } from './mailer.ts'

/**
 * Lists the e-mails written as files because SMTP_URL is not set, newest first; none if it is set. Leaves out invitations to
 * roles that the reader cannot grant, since their links grant the role.
 * @throws AppError `forbidden` for a token limited to some knowledge bases
 */
export async function listMails(ctx: MailContext, input: ListMails): Promise<{ data: Mail[]; nextCursor: string | null }> {
  requireWholeOrganization(ctx)
  const rows = await select(ctx, (db) => newestFirst(readable(ctx, db), 'mail', input))
  const page = pageOf(ctx.mailer.kind === 'files' ? rows : [], input.limit)
  return { data: page.rows.map(toMail), nextCursor: page.nextCursor }
}

/** @throws AppError `not_found`, `forbidden` for a token limited to some knowledge bases */
export async function getMail(ctx: MailContext, mailId: string): Promise<Mail> {
  requireWholeOrganization(ctx)
  const [row] = await select(ctx, (db) => readable(ctx, db).where('id', '=', mailId))
  if (row === undefined || ctx.mailer.kind === 'smtp') throw new AppError('not_found', 'There is no such message.')
  return toMail(row)
}

const readable = (ctx: Context, db: Transaction) =>
  db
    .selectFrom('mail')
    .selectAll()
    .where(sql<boolean>`(gives_role is null or gives_role = any(${grantableRoles(ctx)}))`)

const toMail = ({ id, recipient, subject, text, created_at }: Selectable<MailTable>): Mail => ({
  id: wireId('msg', id),
  to: recipient,
  subject,
  text,
  createdAt: created_at.toISOString(),
})
