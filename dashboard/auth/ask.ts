import { messagesOf } from '../messages/messages.ts'
import { sharedMessages } from '../messages/shared.ts'
import { ShownError } from '../lib/errors.ts'
import { authMessages } from './messages.ts'

/** An error response of the authentication endpoints, with a message for users. */
export class AuthRefusal extends ShownError {}

/** Calls an endpoint below /auth with the session of this browser. Does not validate the response against `T`. @throws AuthRefusal */
export async function askAuth<T>(path: string, body?: object): Promise<T> {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`/auth${path}`, { credentials: 'same-origin', ...init }).catch(() => {
    throw new AuthRefusal(messagesOf(sharedMessages).errors.connection)
  })
  const text = await response.text()
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T
  const fields: Readonly<Record<string, string>> = messagesOf(authMessages).refused.fields
  const field = fieldIn(text) ?? ''
  const message = fields[field]
  throw message === undefined ? new AuthRefusal(messageFor(path, response)) : new AuthRefusal(message, { field })
}

/** Returns the message for a refusal that names no field, by its status. */
function messageFor(path: string, { status, headers }: Response): string {
  const { refused, issuer } = messagesOf(authMessages)
  if (status === 429) return refused.tooMany(Math.ceil(Number(headers.get('retry-after') ?? 60) / 60))
  if (status >= 500 && path === '/sign-in/oidc') return issuer.unavailable
  if (status >= 500) return messagesOf(sharedMessages).errors.server
  if (status === 401) return path === '/sign-in/email' ? refused.credentials : refused.timedOut
  if (status === 413) return messagesOf(sharedMessages).errors.codes.payload_too_large
  return path === '/change-password' ? refused.noPassword : messagesOf(sharedMessages).errors.other
}

/** Returns the field that an error response names. A proxy responds with other texts. */
function fieldIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { field?: string } }).error?.field
  } catch {
    return undefined
  }
}
