import type { Groundwork, Mail } from '@groundwork/sdk'

/** Returns all messages of the organization, newest first, or those in one state. */
export async function mailsOf(api: Pick<Groundwork, 'mails'>, state?: Mail['state']): Promise<Mail[]> {
  const all: Mail[] = []
  for await (const mail of api.mails.list({ limit: 100, ...(state && { state }) })) all.push(mail)
  return all
}
