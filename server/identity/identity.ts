import { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Origin } from '../context.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import type { Mailer } from '../mail/mailer.ts'
import { authenticationEventOf, type AuthenticationEvent } from './authentication-events.ts'
import { addressHeader, createLibrary, requestIdHeader, servedPaths } from './library.ts'
import type { Issuer } from './oidc/issuer.ts'
import { signInRedirect, errorCodeOf } from './oidc/sign-in-redirect.ts'
import { oidcCallbackPath, oidcPaths } from './oidc/plugin.ts'
import { resetIdOf, resetMessage } from './reset-mail.ts'
import { sessionToken, withCurrentSignatures, type SessionCookie } from './session-cookie.ts'
import { identitySecrets, secondFactorsUnder } from './second-factor.ts'
import { openSessions, type Session } from './sessions.ts'
import { bodySchemas, Profile, withValidatedBody } from './validated-body.ts'

export type { Session } from './sessions.ts'

/** Users and their sessions. better-auth stores users, credentials and sessions. */
export interface Identity {
  /** Host of the identity provider; null if none is configured. */
  readonly issuerHost: string | null
  /**
   * Handles a request below /auth.
   * @throws AppError for a path that is not served, or a body that breaks a rule of this service
   */
  handle(request: Request, origin: Origin): Promise<Response>
  /** Returns whether a Cookie header contains a session signed by this service, active or ended. */
  hasSessionCookie(cookies: string): boolean
  /**
   * Returns the session of a Cookie header, cached for less than a second.
   * @throws AppError `unauthorized` if there is none or it has ended
   */
  requireSession(cookies: string): Promise<Session>
  /** Returns the newest event of each organization of the user of a Cookie header, by organization; none without a session. */
  newestEvents(cookies: string): Promise<ReadonlyMap<string, string>>
  /** Returns the ids of the organizations of the user of a Cookie header; none without an active session. */
  organizationsOf(cookies: string): Promise<string[]>
  /**
   * Extends the session if its last extension is a day ago, and signs its cookie again if its key is being rotated. Returns the
   * Set-Cookie header; undefined if nothing changes.
   */
  renew(cookies: string): Promise<string | undefined>
  /** Starts a session of the browser that sent the request. Returns the Set-Cookie header. */
  signIn(user: { email: string; password: string }, visitor: { origin: Origin; userAgent: string }): Promise<string>
  /**
   * Sends a password reset email, unless its token has been used or has expired.
   * @throws Error if it cannot be sent
   */
  sendReset(resetId: string): Promise<void>
  hashPassword(password: string): Promise<string>
  /** Removes the sessions of this user, or of all users, from the cache, since memberships have changed. */
  invalidateSessions(userId?: string): void
}

export interface IdentityOptions {
  readonly baseUrl: string
  readonly secretKey: SecretKeys
  readonly mailer: Mailer
  /** The identity provider; null if none is configured. */
  readonly issuer: Issuer | null
  readonly log: Logger
  readonly now: () => Date
  /** Records the event in the audit log. */
  readonly record: (event: AuthenticationEvent, origin: Origin) => Promise<void>
  /** Enqueues a job that calls `sendReset` until it succeeds. */
  readonly enqueueReset: (resetId: string) => Promise<void>
}

/** Minimum time between two recorded sign-in failures of one user, so that password guessing does not fill the audit log. */
const failureLogIntervalMs = 60_000
/** Maximum number of users whose last recorded failure is remembered. */
const capacity = 10_000

export function createIdentity(database: Database, options: IdentityOptions): Identity {
  const { baseUrl, secretKey, mailer, issuer, log, now } = options
  const secrets = identitySecrets(secretKey)
  const cookie: SessionCookie = { name: `${baseUrl.startsWith('https:') ? '__Secure-' : ''}groundwork.session_token`, secrets }
  const sessions = openSessions(database, { now })
  const failures = new Map<string, number>()

  const identityDb = new Kysely<unknown>({ dialect: database.identity, plugins: [secondFactorsUnder(secrets)] })
  const library = createLibrary({
    identityDb,
    baseUrl,
    secrets,
    log,
    onPasswordResetRequested: (token) =>
      void enqueueReset(token).catch((error: unknown) => log.error({ err: error }, 'password reset email could not be queued')),
    onPasswordReset: (userId, origin) => record({ userId, action: 'user.password_reset' }, origin),
    issuer,
    onUnverifiedEmail: (email, origin) => recordFailure(email, origin),
  })

  const schemas = bodySchemas(library.api)

  /** The action has taken effect, so a failure to record it is only logged. */
  const record = (event: AuthenticationEvent, origin: Origin): Promise<void> =>
    options.record(event, origin).catch((error: unknown) => log.error({ err: error, ...event }, 'audit log entry lost'))

  // The response does not wait for the job: its duration would reveal whether the address is known.
  const enqueueReset = async (token: string): Promise<void> => {
    const resetId = await resetIdOf(identityDb, token)
    if (resetId !== undefined) await options.enqueueReset(resetId)
  }

  const recordFailure = async (email: unknown, origin: Origin): Promise<void> => {
    if (typeof email !== 'string') return
    const found = await (await library.$context).internalAdapter.findUserByEmail(email)
    if (found === null) return
    const at = now().getTime()
    if (at < (failures.get(found.user.id) ?? 0)) return
    if (failures.size >= capacity) failures.clear()
    failures.set(found.user.id, at + failureLogIntervalMs)
    await record({ userId: found.user.id, action: 'user.sign_in_failed' }, origin)
  }

  /** Returns the address in the body of a sign-in request. */
  const emailIn = async (request: Request): Promise<unknown> => ((await request.json()) as { email?: unknown }).email

  const sessionCookieIn = (headers: Headers): string | undefined =>
    headers.getSetCookie().find((each) => each.startsWith(`${cookie.name}=`))

  /** Returns the Set-Cookie header of the session in a Cookie header. */
  const sessionCookieOf = async (cookies: string): Promise<string | undefined> => {
    const { sessionToken: session, dontRememberToken } = (await library.$context).authCookies
    const pairs = cookies.split(';').map((pair) => pair.trim())
    const pair = pairs.find((each) => each.startsWith(`${session.name}=`))
    // A session that ends with the browser has no Max-Age.
    const endsWithBrowser = pairs.some((each) => each.startsWith(`${dontRememberToken.name}=`))
    const { maxAge, secure } = session.attributes
    const lifetime = endsWithBrowser || maxAge === undefined ? '' : `; Max-Age=${maxAge}`
    return pair && `${pair}${lifetime}; Path=/; HttpOnly; SameSite=Lax${secure === true ? '; Secure' : ''}`
  }

  const sessionIn = async (cookies: string): Promise<Session | undefined> => {
    const token = sessionToken(cookies, cookie)
    return token === undefined ? undefined : sessions.find(token)
  }

  return {
    async handle(request, origin) {
      const path = new URL(request.url).pathname.slice('/auth'.length)
      if (!servedPaths.has(path) || (issuer === null && oidcPaths.has(path)))
        throw new AppError('not_found', `There is no route ${request.method} /auth${path}.`)
      request.headers.set(addressHeader, origin.address)
      request.headers.set(requestIdHeader, origin.requestId)
      request.headers.set('cookie', withCurrentSignatures(request.headers.get('cookie') ?? '', secrets))
      const before = await sessionIn(request.headers.get('cookie') ?? '')
      const copy = path === '/sign-in/email' ? request.clone() : undefined
      const schema = path === '/update-user' && before !== undefined ? Profile : schemas.get(path)
      const isValidated = request.method === 'POST' && schema !== undefined
      const response = await library.handler(isValidated ? await withValidatedBody(request, schema) : request)
      // Any request other than GET can change sessions and users.
      if (request.method !== 'GET') sessions.invalidate()
      if (response.status >= 400) {
        if (copy !== undefined && response.status === 401) await recordFailure(await emailIn(copy), origin)
        return path === oidcCallbackPath ? signInRedirect(response, await errorCodeOf(response)) : response
      }
      const begun = await sessionIn(sessionCookieIn(response.headers)?.split(';', 1)[0] ?? '')
      const event = authenticationEventOf(path, before, begun)
      if (event !== undefined) await record(event, origin)
      // A user with a second factor has no session until the code is verified.
      return path === oidcCallbackPath ? signInRedirect(response, begun === undefined ? 'code' : 'done') : response
    },
    issuerHost: issuer?.host ?? null,
    hasSessionCookie: (cookies) => sessionToken(cookies, cookie) !== undefined,
    organizationsOf: async (cookies) => (await sessionIn(cookies))?.memberships.map(({ organizationId }) => organizationId) ?? [],
    async newestEvents(cookies) {
      const token = sessionToken(cookies, cookie)
      return token === undefined ? new Map() : sessions.newestEvents(token)
    },
    async requireSession(cookies) {
      const session = await sessionIn(cookies)
      if (session === undefined) throw new AppError('unauthorized', 'You are not signed in, or your session has ended.')
      return session
    },
    async renew(cookies) {
      const signed = withCurrentSignatures(cookies, secrets)
      const { headers } = await library.api.getSession({ headers: new Headers({ cookie: signed }), returnHeaders: true })
      return sessionCookieIn(headers) ?? (signed === cookies ? undefined : await sessionCookieOf(signed))
    },
    async signIn(body, { origin: { address }, userAgent }) {
      const sent = new Headers({ [addressHeader]: address, 'user-agent': userAgent })
      const { headers } = await library.api.signInEmail({ body, headers: sent, returnHeaders: true })
      const set = sessionCookieIn(headers)
      if (set === undefined) throw new Error('better-auth set no session cookie')
      return set
    },
    async sendReset(resetId) {
      const message = await resetMessage(identityDb, { resetId, baseUrl })
      if (message !== undefined) await mailer.send(message)
    },
    hashPassword: async (password) => (await library.$context).password.hash(password),
    invalidateSessions: (userId) => sessions.invalidate(userId),
  }
}
