import { wireId, type ListMails, type Mail } from '@groundwork/api'
import { sql } from 'kysely'
import { requireWholeOrganization, select, type Context } from '../context.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { MailRow, Transaction } from '../db/schema.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { grantableRoles } from '../identity/grantable-roles.ts'
import type { MailContext } from './mailer.ts'
import { retainedSince } from './retention.ts'

/**
 * Lists messages, newest first. Leaves out invitations to roles that the reader cannot grant, since their links grant the role,
 * and messages to deleted contacts.
 * @throws AppError `forbidden` for a token limited to some knowledge bases
 */
export async function listMails(ctx: MailContext, input: ListMails): Promise<{ data: Mail[]; nextCursor: string | null }> {
  requireWholeOrganization(ctx)
  const rows = await select(ctx, (db) => {
    let query = readable(ctx, db)
    if (input.state === 'withheld') query = query.where('withheld', 'is not', null)
    else if (input.state !== undefined) query = query.where('state', '=', input.state).where('withheld', 'is', null)
    if (input.proposalId !== undefined) query = query.where('proposal_id', '=', input.proposalId)
    return newestFirst(query, 'mail', input)
  })
  const { rows: page, nextCursor } = pageOf(rows, input.limit)
  return { data: page.map((row) => toMail(ctx, row)), nextCursor }
}

/** @throws AppError `not_found`, `forbidden` for a token limited to some knowledge bases */
export async function getMail(ctx: MailContext, mailId: string): Promise<Mail> {
  requireWholeOrganization(ctx)
  const [row] = await select(ctx, (db) => readable(ctx, db).where('id', '=', mailId))
  if (row === undefined) throw new AppError('not_found', 'There is no such message.')
  return toMail(ctx, row)
}

/** Returns the stored messages to a contact, newest first. */
export async function mailsTo(ctx: MailContext, contactId: string): Promise<Mail[]> {
  const rows = await select(ctx, (db) =>
    readable(ctx, db)
      .where('recipient_id', 'in', (of) => of.selectFrom('proposal_recipient').select('id').where('contact_id', '=', contactId))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc'),
  )
  return rows.map((row) => toMail(ctx, row))
}

const readable = (ctx: Context, db: Transaction) =>
  db
    .selectFrom('mail')
    .selectAll()
    .where('created_at', '>=', retainedSince(ctx.now()))
    .where(sql<boolean>`(gives_role is null or gives_role = any(${grantableRoles(ctx)}))`)
    .where((of) =>
      of.not(of.exists(of.selectFrom('contact').whereRef('contact.id', '=', 'mail.contact_id').where('deleted_at', 'is not', null))),
    )

const toMail = ({ mailer }: MailContext, row: MailRow): Mail => ({
  id: wireId('msg', row.id),
  kind: row.kind,
  to: row.recipient,
  subject: row.subject,
  // A queued message contains a link that only its recipient should have.
  text: mailer.kind === 'smtp' ? '' : row.text,
  state: row.withheld === null ? row.state : 'withheld',
  error: row.error,
  attempts: row.attempts,
  proposalId: row.proposal_id && wireId('prp', row.proposal_id),
  createdAt: row.created_at.toISOString(),
  sentAt: row.sent_at?.toISOString() ?? null,
})
