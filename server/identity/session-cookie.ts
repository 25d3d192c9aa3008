import { createHmac, timingSafeEqual } from 'node:crypto'

/** How the cookie of a session is called and signed: as the sign-in library does, which sets it. */
export interface SessionCookie {
  readonly name: string
  /** Signs the token of a session (HMAC-SHA256), so that one read from the database opens nothing. */
  readonly secret: string
}

/** The token in the field Cookie of a request; undefined where there is none that was signed here. */
export function sessionToken(cookies: string, { name, secret }: SessionCookie): string | undefined {
  const value = valueOf(cookies, name)
  const [, token, signature] = /^([\w-]{16,128})\.([\w+/]{43}=)$/.exec(value ?? '') ?? []
  if (token === undefined || signature === undefined) return undefined
  const expected = createHmac('sha256', secret).update(token).digest()
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : undefined
}

function valueOf(cookies: string, name: string): string | undefined {
  const pair = cookies.split(';').find((each) => each.trimStart().startsWith(`${name}=`))
  try {
    return pair && decodeURIComponent(pair.slice(pair.indexOf('=') + 1).trim())
  } catch {
    return undefined
  }
}
