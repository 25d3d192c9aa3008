import { wordsOf } from '../words/words.ts'
import { authWords } from './words.ts'

/** Why the sign-in part of the service refused something; `message` is for people. */
export class AuthRefusal extends Error {
  readonly status: number
  /** Stable, such as INVALID_PASSWORD; empty where there is none. */
  readonly code: string

  constructor(message: string, status: number, code: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Asks what is below /auth, with the session of this browser. What the caller says of the answer is taken as true. @throws AuthRefusal */
export async function askAuth<T>(path: string, body?: object): Promise<T> {
  const words = wordsOf(authWords)
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`/auth${path}`, { credentials: 'same-origin', ...init }).catch(() => {
    throw new AuthRefusal(words.unreachable, 0, '')
  })
  const text = await response.text()
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T
  const { code, message } = refusalIn(text)
  throw new AuthRefusal(words.refused[code] ?? (response.status === 429 ? words.tooMany : message), response.status, code)
}

function refusalIn(text: string): { code: string; message: string } {
  try {
    const {
      code = '',
      message = text,
      error,
    } = JSON.parse(text) as { code?: string; message?: string; error?: { code: string; message: string } }
    return error ?? { code, message }
  } catch {
    return { code: '', message: text }
  }
}
