import { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Origin } from '../context.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import type { Mailer } from '../mail/mailer.ts'
import { authenticationEventOf, type AuthenticationEvent } from './authentication-events.ts'
import { addressHeader, createLibrary, requestIdHeader, servedPaths } from './library.ts'
import type { Issuer } from './oidc/issuer.ts'
import { landing, refusalIn } from './oidc/landing.ts'
import { oidcCallbackPath, oidcPaths } from './oidc/plugin.ts'
import { resetIdOf, resetMessage } from './reset-mail.ts'
import { withProfile } from './profile.ts'
import { sessionToken, type SessionCookie } from './session-cookie.ts'
import { identitySecret } from './second-factor.ts'
import { openSessions, type Session } from './sessions.ts'

export type { Session } from './sessions.ts'

/** People: who signs in, and whose session it is. The library behind it keeps users, credentials and sessions. */
export interface Identity {
  /** The host of the identity provider that people can sign in by; null where there is none. */
  readonly issuerHost: string | null
  /** Answers a request below /auth. @throws AppError for a path that is not served, or a body that a rule of ours refuses */
  handle(request: Request, origin: Origin): Promise<Response>
  /** Whether the field Cookie of a request has a session of ours, ended or not. */
  presentsSession(cookies: string): boolean
  /**
   * The session of the field Cookie, remembered for less than a second.
   * @throws AppError `unauthorized` where there is none, or it has ended
   */
  sessionOf(cookies: string): Promise<Session>
  /** Lengthens the session when a day of it has passed: the field Set-Cookie of the answer; undefined when nothing changes. */
  renew(cookies: string): Promise<string | undefined>
  /** Begins a session of the user: the field Set-Cookie of the answer. */
  signIn(user: { email: string; password: string }, origin: Origin): Promise<string>
  /** Sends the message that sets a new password, unless it is of no use any more. @throws Error when it could not be sent */
  sendReset(resetId: string): Promise<void>
  hashPassword(password: string): Promise<string>
  /** Asks the database again about this user's sessions: his memberships have changed. */
  forget(userId: string): void
}

export interface IdentityOptions {
  readonly baseUrl: string
  readonly secretKey: string
  readonly mailer: Mailer
  /** The operator's identity provider; null where there is none. */
  readonly issuer: Issuer | null
  readonly log: Logger
  readonly now: () => Date
  /** Writes down what a user did. */
  readonly record: (happening: AuthenticationEvent, origin: Origin) => Promise<void>
  /** Has `sendReset` called until it works. */
  readonly enqueueReset: (resetId: string) => Promise<void>
}

/** Failed sign-ins of one user that are written down: one in so long, so that guessing does not fill the log. */
const failuresToldEveryMs = 60_000
/** Users remembered for that at most. */
const capacity = 10_000

export function createIdentity(database: Database, options: IdentityOptions): Identity {
  const { baseUrl, secretKey, mailer, issuer, log, now } = options
  const secret = identitySecret(secretKey)
  const cookie: SessionCookie = { name: `${baseUrl.startsWith('https:') ? '__Secure-' : ''}groundwork.session_token`, secret }
  const sessions = openSessions(database, { now })
  const failures = new Map<string, number>()

  const people = new Kysely<unknown>({ dialect: database.identity })
  const library = createLibrary({
    people,
    baseUrl,
    secret,
    log,
    onResetAsked: (token) =>
      void enqueueReset(token).catch((error: unknown) => log.error({ err: error }, 'a message to set a new password could not be queued')),
    onReset: (userId, origin) => record({ userId, action: 'user.password_reset' }, origin),
    issuer,
    onRefused: (email, origin) => recordFailure(email, origin),
  })

  /** What was done stays done, also where it cannot be written down. */
  const record = (happening: AuthenticationEvent, origin: Origin): Promise<void> =>
    options
      .record(happening, origin)
      .catch((error: unknown) => log.error({ err: error, ...happening }, 'an entry of the audit log was lost'))

  // Nobody waits for the job: how long it takes would tell whether the address is known.
  const enqueueReset = async (token: string): Promise<void> => {
    const resetId = await resetIdOf(people, token)
    if (resetId !== undefined) await options.enqueueReset(resetId)
  }

  const recordFailure = async (email: unknown, origin: Origin): Promise<void> => {
    if (typeof email !== 'string') return
    const found = await (await library.$context).internalAdapter.findUserByEmail(email)
    if (found === null) return
    const at = now().getTime()
    if (at < (failures.get(found.user.id) ?? 0)) return
    if (failures.size >= capacity) failures.clear()
    failures.set(found.user.id, at + failuresToldEveryMs)
    await record({ userId: found.user.id, action: 'user.sign_in_failed' }, origin)
  }

  /** Whom a request to sign in by password is about. */
  const emailIn = async (request: Request): Promise<unknown> => ((await request.json()) as { email?: unknown }).email

  const sessionCookieIn = (headers: Headers): string | undefined =>
    headers.getSetCookie().find((each) => each.startsWith(`${cookie.name}=`))

  const sessionIn = async (cookies: string): Promise<Session | undefined> => {
    const token = sessionToken(cookies, cookie)
    return token === undefined ? undefined : sessions.find(token)
  }

  return {
    async handle(request, origin) {
      const path = new URL(request.url).pathname.slice('/auth'.length)
      if (!servedPaths.has(path) || (issuer === null && oidcPaths.has(path)))
        throw new AppError('not_found', `there is no ${request.method} /auth${path}`)
      request.headers.set(addressHeader, origin.address)
      request.headers.set(requestIdHeader, origin.requestId)
      const before = await sessionIn(request.headers.get('cookie') ?? '')
      const copy = path === '/sign-in/email' ? request.clone() : undefined
      const changesProfile = path === '/update-user' && request.method === 'POST' && before !== undefined
      const answer = await library.handler(changesProfile ? await withProfile(request) : request)
      // Sessions and users may have changed.
      if (request.method !== 'GET') sessions.forget()
      if (answer.status >= 400) {
        if (copy !== undefined && answer.status === 401) await recordFailure(await emailIn(copy), origin)
        return path === oidcCallbackPath ? landing(answer, await refusalIn(answer)) : answer
      }
      const begun = await sessionIn(sessionCookieIn(answer.headers)?.split(';', 1)[0] ?? '')
      const happening = authenticationEventOf(path, before, begun)
      if (happening !== undefined) await record(happening, origin)
      // Who has a second factor has no session yet.
      return path === oidcCallbackPath ? landing(answer, begun === undefined ? 'code' : 'done') : answer
    },
    issuerHost: issuer?.host ?? null,
    presentsSession: (cookies) => sessionToken(cookies, cookie) !== undefined,
    async sessionOf(cookies) {
      const session = await sessionIn(cookies)
      if (session === undefined) throw new AppError('unauthorized', 'nobody is signed in, or the session has ended')
      return session
    },
    async renew(cookies) {
      const { headers } = await library.api.getSession({ headers: new Headers({ cookie: cookies }), returnHeaders: true })
      return sessionCookieIn(headers)
    },
    async signIn(body, { address }) {
      const { headers } = await library.api.signInEmail({ body, headers: new Headers({ [addressHeader]: address }), returnHeaders: true })
      const set = sessionCookieIn(headers)
      if (set === undefined) throw new Error('the sign-in set no cookie')
      return set
    },
    async sendReset(resetId) {
      const message = await resetMessage(people, { resetId, baseUrl })
      if (message !== undefined) await mailer.send(message)
    },
    hashPassword: async (password) => (await library.$context).password.hash(password),
    forget: (userId) => sessions.forget(userId),
  }
}
