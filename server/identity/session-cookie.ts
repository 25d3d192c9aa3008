import { createHmac, timingSafeEqual } from 'node:crypto'

/** Name and signing key of the session cookie that better-auth sets. */
export interface SessionCookie {
  readonly name: string
  /** Key of the HMAC-SHA256 signature, so that a session token read from the database is of no use on its own. */
  readonly secret: string
}

/** Returns the session token of a Cookie header; undefined without a valid signature. */
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
