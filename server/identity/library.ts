import { betterAuth } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { sql, type Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Origin } from '../context.ts'
import { newId } from '../lib/ids.ts'
import { signInRateLimit } from './sign-in-rate-limit.ts'
import type { Issuer } from './oidc/issuer.ts'
import { oidc, oidcCallbackPath, oidcPaths } from './oidc/plugin.ts'

export interface LibraryOptions {
  /** Reaches the tables of people and nothing else. */
  readonly people: Kysely<unknown>
  readonly baseUrl: string
  readonly secret: string
  readonly log: Logger
  /** Has the token sent that sets a new password; returns at once. */
  readonly onResetAsked: (token: string) => void
  /** Told of a password that was set by such a token. */
  readonly onReset: (userId: string, origin: Origin) => Promise<void>
  /** Signs people in beside their passwords; null where the operator has none. */
  readonly issuer: Issuer | null
  /** Told of somebody whom the issuer let in, by an address that it has not verified. */
  readonly onRefused: (email: string, origin: Origin) => Promise<void>
}

/** Where the library finds whence a request came. Whoever hands it a request sets them. */
export const addressHeader = 'x-groundwork-address'
export const requestIdHeader = 'x-groundwork-request'

const days = (count: number): number => count * 24 * 60 * 60
const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** better-auth as it is used here: e-mail address and password, an identity provider, sessions in the database, a second factor by TOTP. */
export function createLibrary({ people, baseUrl, secret, log, onResetAsked, onReset, issuer, onRefused }: LibraryOptions) {
  const isInvited = async (email: string): Promise<boolean> => {
    const { rows } = await sql<{ invited: boolean }>`select is_invited(${email}) as invited`.execute(people)
    return rows[0]?.invited === true
  }
  return betterAuth({
    appName: 'Groundwork',
    baseURL: baseUrl,
    basePath: '/auth',
    secret,
    database: { db: people, type: 'postgres', transaction: true },
    telemetry: { enabled: false },
    // Errors that are no refusals reach the service's own error handler, which knows 503 from 500.
    onAPIError: { throw: true },
    // What it warns of are wrong passwords and the like, which their answers tell already.
    logger: { log: (level, message, ...more) => log[level === 'error' ? 'error' : 'debug']({ more: more.map(String) }, message) },
    emailAndPassword: {
      enabled: true,
      // People come by the setup address and by invitations.
      disableSignUp: true,
      minPasswordLength: 12,
      maxPasswordLength: 128,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ token }) => onResetAsked(token),
      onPasswordReset: ({ user }, request) => onReset(user.id, originOf(request?.headers)),
    },
    session: {
      expiresIn: days(30),
      updateAge: days(1),
      fields: { userId: 'user_id', expiresAt: 'expires_at', ipAddress: 'ip_address', userAgent: 'user_agent', ...timestamps },
    },
    user: { fields: { emailVerified: 'email_verified', ...timestamps } },
    account: {
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...timestamps,
      },
    },
    verification: { fields: { expiresAt: 'expires_at', ...timestamps } },
    hooks: { before: endOtherSessions },
    rateLimit: {
      enabled: true,
      customStorage: signInRateLimit(people),
      // Of one address: windows in seconds.
      customRules: {
        '/sign-in/*': { window: 60, max: 10 },
        [oidcCallbackPath]: { window: 60, max: 30 },
        '/two-factor/*': { window: 60, max: 10 },
        '/request-password-reset': { window: 60, max: 5 },
        '/reset-password': { window: 60, max: 10 },
        '/change-password': { window: 60, max: 10 },
      },
    },
    plugins: [
      askedWhateverTheWay(secondFactor()),
      ...(issuer === null ? [] : [oidc({ issuer, log, isInvited, onRefused: (email, headers) => onRefused(email, originOf(headers)) })]),
    ],
    advanced: {
      cookiePrefix: 'groundwork',
      useSecureCookies: baseUrl.startsWith('https:'),
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
  })
}

const secondFactor = () =>
  twoFactor({
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'two_factor',
        fields: {
          userId: 'user_id',
          backupCodes: 'backup_codes',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  })

/** Asks for the code also of who comes from the identity provider: that an account there was taken is not enough either. */
function askedWhateverTheWay(plugin: ReturnType<typeof secondFactor>): ReturnType<typeof secondFactor> {
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: (context: Parameters<typeof hook.matcher>[0]) => hook.matcher(context) || context.path === oidcCallbackPath,
  }))
  return { ...plugin, hooks: { ...plugin.hooks, after } }
}

const originOf = (headers: Headers | undefined): Origin => ({
  address: headers?.get(addressHeader) ?? '',
  requestId: headers?.get(requestIdHeader) ?? '',
})

/** Who changes the password may do so because somebody else knows it. */
const endOtherSessions = createAuthMiddleware(async ({ path, body }) => {
  if (path !== '/change-password') return undefined
  return { context: { body: { ...(body as object), revokeOtherSessions: true } } }
})

/** What is served of the library's endpoints, below /auth; whatever else it has is not there. */
export const servedPaths: ReadonlySet<string> = new Set([
  '/sign-in/email',
  ...oidcPaths,
  '/sign-out',
  '/get-session',
  '/list-sessions',
  '/revoke-session',
  '/revoke-sessions',
  '/revoke-other-sessions',
  '/change-password',
  '/request-password-reset',
  '/reset-password',
  '/update-user',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/generate-backup-codes',
])
