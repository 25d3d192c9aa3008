import { sql, type Kysely } from 'kysely'
import type { CoreServices } from '../context.ts'
import { shortJobsQueue } from '../jobs/short-jobs.ts'
import type { Message } from '../mail/mailer.ts'

/** Handles the jobs of password reset emails, which belong to no organization. The link is valid for an hour. */
export const sendResetHandler = 'send-reset'

/** Contains the id of the token rather than the token itself, which gives access to the account. More code reads jobs. */
export interface SendReset {
  resetId: string
}

export function enqueueReset(services: CoreServices, resetId: string): Promise<void> {
  // oxlint-disable-next-line no-restricted-properties -- a password reset has no organization
  return services.db.presenting({ kind: 'user_id', value: Buffer.alloc(0) }, (trx) =>
    services.jobs.enqueue(trx, shortJobsQueue, { resetId } satisfies SendReset, { handler: sendResetHandler }),
  )
}

const prefix = 'reset-password:'

/** Returns the id of a token that better-auth has just created. */
export async function resetIdOf(db: Kysely<unknown>, token: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from verification where identifier = ${`${prefix}${token}`}`.execute(db)
  return rows[0]?.id
}

/** Returns the email; undefined if the token has been used or has expired. */
export async function resetMessage(
  db: Kysely<unknown>,
  { resetId, baseUrl }: SendReset & { baseUrl: string },
): Promise<Message | undefined> {
  const { rows } = await sql<{ identifier: string; email: string }>`
    select identifier, email from verification join "user" on "user".id::text = verification.value
    where verification.id = ${resetId} and identifier like ${`${prefix}%`} and expires_at > now()`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const url = `${baseUrl}/app/reset-password#${row.identifier.slice(prefix.length)}`
  return { id: resetId, to: row.email, subject: 'Reset your password', text: textWith(url) }
}

const textWith = (url: string): string => `Someone requested a password reset for your Groundwork account.

Open this link to set a new password. It works once and expires in one hour:

${url}

If you did not request this, ignore this email. Your password will not change.
`
