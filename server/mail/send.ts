import type { MailKind, Role } from '@groundwork/api'
import { sql, type Updateable } from 'kysely'
import { select, withTransaction, type Context } from '../context.ts'
import { defer } from '../db/deferred.ts'
import type { MailRow, MailTable, Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import { withdrawIfRefused } from '../proposals/mail/withhold.ts'
import { enqueueWork, organizationWork, type OrganizationWork } from '../work.ts'
import { interrupted, MailError } from './mail-error.ts'
import type { MailContext, Message } from './mailer.ts'
import { deleteExpiredMails } from './retention.ts'

interface SendMail {
  mailId: string
}

/** A new message. `givesRole` is the role that its link grants. */
export interface NewMail extends Omit<Message, 'id'> {
  readonly kind: MailKind
  readonly givesRole?: Role
  readonly proposal?: {
    readonly proposalId: string
    readonly recipientId: string
    readonly contactId: string | null
    /** Distinguishes messages of the same kind to the same recipient; 0 by default. */
    readonly occurrence?: number
  }
  /** Reason not to send the message: it is stored without its content. */
  readonly withheld?: string | null
}

/** The columns of a message that is not sent. Its content has a link that only its recipient should have. */
const withheldMail = (reason: string) => ({ state: 'failed', withheld: reason, error: reason, text: '', html: null }) as const

/** A message is given up this long after it was created. RFC 5321 recommends days; after a day, a person should know. */
const retryForMs = 24 * 3_600_000
/** Between two series of attempts, each of about 15 minutes. */
const pauseSeconds = 900

/** Sends a message at most once: see docs/mail.md. */
export const sendMailWork: OrganizationWork<SendMail, MailContext> = {
  ...organizationWork('send-mail', sendMail),
  abandoned: (ctx, { mailId }) =>
    withTransaction(ctx, async (trx) => {
      const mail = await trx.selectFrom('mail').selectAll().where('id', '=', mailId).where('state', '=', 'queued').executeTakeFirst()
      if (mail === undefined) return
      if (ctx.now().getTime() - mail.created_at.getTime() > retryForMs) return settle(ctx, trx, mail, { state: 'failed' })
      await enqueueWork(ctx, trx, sendMailWork, { mailId }, { delaySeconds: pauseSeconds })
    }),
}

/**
 * Enqueues a message; it is sent after the transaction commits, unless it is withheld. Returns false, and does nothing, if the same
 * message about a proposal was enqueued before.
 */
export async function enqueueMail(
  ctx: Context,
  trx: Transaction,
  { to, subject, text, html, replyTo, kind, givesRole, proposal, withheld = null }: NewMail,
): Promise<boolean> {
  const now = ctx.now()
  const added = await trx
    .insertInto('mail')
    .values({
      organization_id: ctx.organizationId,
      id: newId(now.getTime()),
      kind,
      recipient: to,
      subject,
      text,
      html: html ?? null,
      reply_to: replyTo ?? null,
      gives_role: givesRole ?? null,
      proposal_id: proposal?.proposalId ?? null,
      recipient_id: proposal?.recipientId ?? null,
      contact_id: proposal?.contactId ?? null,
      occurrence: proposal?.occurrence ?? 0,
      created_at: now,
      ...(withheld !== null && withheldMail(withheld)),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined) return false
  if (withheld === null) await enqueueWork(ctx, trx, sendMailWork, { mailId: added.id })
  return true
}

async function sendMail(ctx: MailContext, { mailId }: SendMail): Promise<void> {
  const mail = await beginAttempt(ctx, mailId)
  if (mail === undefined) return
  const settled = (changes: Changes): Promise<void> => withTransaction(ctx, (trx) => settle(ctx, trx, mail, changes))
  if (mail.handed_over_at !== null) return settled({ state: 'failed', error: interrupted })
  let isOurs = true
  const beforeEnd = async (): Promise<void> => {
    isOurs = await recordHandOver(ctx, mailId)
    if (!isOurs) throw new Error('The message was withdrawn, or another worker is sending it.')
  }
  try {
    await ctx.mailer.send({ ...messageOf(mail), attachments: await ctx.attachmentsOf(ctx, mail) }, beforeEnd)
  } catch (error) {
    // Withdrawn meanwhile: that is no failure.
    if ((await stateOf(ctx, mailId)) !== 'queued') return
    if (isOurs) await settled(afterFailure(error))
    throw error
  }
  await settled({ state: 'sent', error: null })
  // The contact may have been erased while the file was written.
  if (ctx.mailer.kind === 'files' && (await stateOf(ctx, mailId)) === undefined) await ctx.mailer.deleteFile(mailId)
}

/** Returns the state of a message; undefined if it is not stored any more. */
async function stateOf(ctx: Context, mailId: string): Promise<MailRow['state'] | undefined> {
  const [row] = await select(ctx, (db) => db.selectFrom('mail').select('state').where('id', '=', mailId))
  return row?.state
}

function beginAttempt(ctx: Context, mailId: string): Promise<MailRow | undefined> {
  return withTransaction(ctx, async (trx) => {
    await withdrawIfRefused(trx, mailId)
    return trx
      .updateTable('mail')
      .set({ attempts: sql`attempts + 1` })
      .where('id', '=', mailId)
      .where('state', '=', 'queued')
      .returningAll()
      .executeTakeFirst()
  })
}

/**
 * Commits that the mail server may accept the message from now on. Returns false if the message was withdrawn, or if another
 * worker has done this before.
 */
async function recordHandOver(ctx: Context, mailId: string): Promise<boolean> {
  const handedOver = await withTransaction(ctx, (trx) =>
    trx
      .updateTable('mail')
      .set({ handed_over_at: ctx.now() })
      .where('id', '=', mailId)
      .where('state', '=', 'queued')
      .where('handed_over_at', 'is', null)
      .returning('id')
      .executeTakeFirst(),
  )
  return handedOver !== undefined
}

type Changes = Pick<Updateable<MailTable>, 'state' | 'error'>

function afterFailure(error: unknown): Changes {
  const failure = error instanceof MailError ? error.failure : 'temporary'
  if (failure === 'unknown') return { state: 'failed', error: interrupted }
  return { state: failure === 'refused' ? 'failed' : 'queued', error: error instanceof Error ? error.message : String(error) }
}

/**
 * Records the outcome of an attempt. With a mail server, a message that is sent or has failed loses its content with its link.
 * Deletes expired messages here, since the transaction that enqueues a message should be short.
 */
async function settle(ctx: MailContext, trx: Transaction, mail: MailRow, changes: Changes): Promise<void> {
  const { kind } = ctx.mailer
  const { proposal_id: proposalId } = mail
  // The proposal shows the state of its delivery. It is locked before the message, as by transactions that close a proposal.
  if (proposalId !== null && mail.kind === 'sent') {
    const isQueued = trx.selectFrom('mail').select('id').where('id', '=', mail.id).where('state', '=', 'queued')
    await defer(
      trx,
      trx
        .updateTable('proposal')
        .set({ updated_at: sql`greatest(updated_at, ${ctx.now()})` })
        .where('id', '=', proposalId)
        .where((is) => is.exists(isQueued))
        .compile(),
    )
  }
  await deleteExpiredMails(trx, ctx.now())
  await trx
    .updateTable('mail')
    .set({
      ...changes,
      ...(changes.state === 'queued' && { handed_over_at: null }),
      ...(changes.state === 'sent' && { sent_at: ctx.now(), via: kind }),
      ...(changes.state !== 'queued' && kind === 'smtp' && { text: '', html: null }),
    })
    .where('id', '=', mail.id)
    .where('state', '<>', 'sent')
    .execute()
  if (changes.state === 'failed') await ctx.onMailFailed(ctx, trx, mail)
}

const messageOf = (mail: MailRow): Message => ({
  id: mail.id,
  to: mail.recipient,
  subject: mail.subject,
  text: mail.text,
  html: mail.html ?? undefined,
  replyTo: mail.reply_to ?? undefined,
})
