import { createHmac, timingSafeEqual } from 'node:crypto'
import { acceptedKeys, type SecretKeys } from '../lib/secrets.ts'

/** Name and signing keys of the session cookie that better-auth sets. */
export interface SessionCookie {
  readonly name: string
  /** Accepted keys of the HMAC-SHA256 signature, so that a session token read from the database is of no use on its own. */
  readonly secrets: SecretKeys
}

/** Returns the session token of a Cookie header; undefined without a valid signature. */
export function sessionToken(cookies: string, { name, secrets }: SessionCookie): string | undefined {
  const value = valueOf(cookies, name)
  const [, token, signature] = /^([\w-]{16,128})\.([\w+/]{43}=)$/.exec(value ?? '') ?? []
  if (token === undefined || signature === undefined) return undefined
  const given = Buffer.from(signature, 'base64')
  return acceptedKeys(secrets).some((secret) => isSigned(token, given, secret)) ? token : undefined
}

/**
 * Returns the Cookie header with current signatures in place of those of the previous secret, because better-auth accepts one
 * secret only.
 */
export function withCurrentSignatures(cookies: string, { current, previous }: SecretKeys): string {
  if (previous === null) return cookies
  return cookies
    .split(';')
    .map((pair) => {
      const [, name, value, signature] = /^([^=]*)=(.*)\.([^.]*)$/.exec(pair) ?? []
      if (name === undefined || value === undefined || signature === undefined) return pair
      const [text, given] = [decoded(value), Buffer.from(decoded(signature), 'base64')]
      return isSigned(text, given, previous) ? `${name}=${encodeURIComponent(`${text}.${hmac(text, current).toString('base64')}`)}` : pair
    })
    .join(';')
}

const hmac = (text: string, secret: string): Buffer => createHmac('sha256', secret).update(text).digest()

function isSigned(text: string, given: Buffer, secret: string): boolean {
  const expected = hmac(text, secret)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Returns an empty text for an invalid escape sequence. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

function valueOf(cookies: string, name: string): string | undefined {
  const pair = cookies.split(';').find((each) => each.trimStart().startsWith(`${name}=`))
  try {
    return pair && decodeURIComponent(pair.slice(pair.indexOf('=') + 1).trim())
  } catch {
    return undefined
  }
}
