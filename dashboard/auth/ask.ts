import { messagesOf } from '../messages/messages.ts'
import { authMessages } from './messages.ts'

/** An error response of the authentication endpoints. Its message can be shown to users. */
export class AuthRefusal extends Error {}

/** Calls an endpoint below /auth with the session of this browser. Does not validate the response against `T`. @throws AuthRefusal */
export async function askAuth<T>(path: string, body?: object): Promise<T> {
  const words = messagesOf(authMessages)
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`/auth${path}`, { credentials: 'same-origin', ...init }).catch(() => {
    throw new AuthRefusal(words.unreachable)
  })
  const text = await response.text()
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T
  throw new AuthRefusal(messageIn(text))
}

/** Returns the message of an error response, or the whole text if a proxy responded instead. */
function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message
  } catch {
    return text
  }
}
