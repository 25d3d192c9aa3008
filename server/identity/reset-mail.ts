import { sql, type Kysely } from 'kysely'
import type { Platform } from '../context.ts'
import type { Queue } from '../jobs/jobs.ts'
import type { Message } from '../mail/mailer.ts'

/** Messages that set a forgotten password. They are of no organization; tried for about a quarter of an hour, of the hour that the link works. */
export const sendResetQueue: Queue = { name: 'send-reset', retryLimit: 20, retryDelaySeconds: 2, leaseSeconds: 30, timeLimitSeconds: 600 }

/** Says which token is to be sent and not what it is: whoever reads it can take the account, and jobs are read by others. */
export interface SendReset {
  resetId: string
}

export function enqueueReset(platform: Platform, resetId: string): Promise<void> {
  // oxlint-disable-next-line no-restricted-properties -- who has forgotten a password has no organization
  return platform.db.presenting({ kind: 'user_id', value: Buffer.alloc(0) }, (trx) =>
    platform.jobs.enqueue(trx, sendResetQueue, { resetId } satisfies SendReset),
  )
}

const prefix = 'reset-password:'

/** The id of a token that the sign-in library has just made. */
export async function resetIdOf(db: Kysely<unknown>, token: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from verification where identifier = ${`${prefix}${token}`}`.execute(db)
  return rows[0]?.id
}

/** What is to be sent; undefined once the token was used or its time is over. */
export async function resetMessage(
  db: Kysely<unknown>,
  { resetId, baseUrl }: SendReset & { baseUrl: string },
): Promise<Message | undefined> {
  const { rows } = await sql<{ identifier: string; email: string }>`
    select identifier, email from verification join "user" on "user".id::text = verification.value
    where verification.id = ${resetId} and identifier like ${`${prefix}%`} and expires_at > now()`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const address = `${baseUrl}/app/reset-password#${row.identifier.slice(prefix.length)}`
  return { id: resetId, to: row.email, subject: 'Set a new password', text: textWith(address) }
}

const textWith = (address: string): string => `Somebody asked to set a new password for this address on Groundwork.

Open this address to do that. It works once, for an hour:

${address}

If it was not you, ignore this message: nothing changes.
`
