import { wordsOf } from '../words/words.ts'
import { authWords } from './words.ts'

/** A refusal by the sign-in part of the service; its message is for people. */
export class AuthRefusal extends Error {}

/** Asks below /auth with the session of this browser. The caller vouches for the type of the answer. @throws AuthRefusal */
export async function askAuth<T>(path: string, body?: object): Promise<T> {
  const words = wordsOf(authWords)
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`/auth${path}`, { credentials: 'same-origin', ...init }).catch(() => {
    throw new AuthRefusal(words.unreachable)
  })
  const text = await response.text()
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T
  throw new AuthRefusal(messageIn(text))
}

/** The message of a refusal, or the text that a proxy answered in its place. */
function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message
  } catch {
    return text
  }
}
