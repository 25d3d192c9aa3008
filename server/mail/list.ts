import { wireId, type ListMails, type Mail } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { select, type Context } from '../context.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { MailTable } from '../db/schema.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'

/** Messages that were written as files because there is no mail server, newest first; none where there is one. */
export async function listMails(ctx: Context, input: ListMails): Promise<{ data: Mail[]; nextCursor: string | null }> {
  const rows = await select(ctx, (db) => newestFirst(db.selectFrom('mail').selectAll(), 'mail', input))
  const page = pageOf(ctx.mailer.kind === 'files' ? rows : [], input.limit)
  return { data: page.rows.map(toMail), nextCursor: page.nextCursor }
}

/** @throws AppError `not_found` */
export async function getMail(ctx: Context, mailId: string): Promise<Mail> {
  const [row] = await select(ctx, (db) => db.selectFrom('mail').selectAll().where('id', '=', mailId))
  if (row === undefined || ctx.mailer.kind === 'smtp') throw new AppError('not_found', 'there is no such message')
  return toMail(row)
}

const toMail = ({ id, recipient, subject, text, created_at }: Selectable<MailTable>): Mail => ({
  id: wireId('msg', id),
  to: recipient,
  subject,
  text,
  createdAt: created_at.toISOString(),
})
