import { betterAuth } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { sql, type Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Origin } from '../context.ts'
import { newId } from '../lib/ids.ts'
import { decryptIdentity, encryptIdentity, type IdentitySecrets } from './second-factor.ts'
import { signInRateLimit } from './sign-in-rate-limit.ts'
import { singleUseCodes } from './single-use-codes.ts'
import type { Issuer } from './oidc/issuer.ts'
import { oidc, oidcCallbackPath, oidcPaths } from './oidc/plugin.ts'

export interface LibraryOptions {
  /** Connects with a role that can access only the tables of users and sessions. */
  readonly identityDb: Kysely<unknown>
  readonly baseUrl: string
  /** The current secret, and the previous one while it is rotated. */
  readonly secrets: IdentitySecrets
  readonly log: Logger
  /** Enqueues the password reset email with this token. Returns immediately. */
  readonly onPasswordResetRequested: (token: string) => void
  /** Called after a password was set with a reset token. */
  readonly onPasswordReset: (userId: string, origin: Origin) => Promise<void>
  /** The identity provider for sign-in in addition to passwords; null if none is configured. */
  readonly issuer: Issuer | null
  /** Called after a sign-in was refused because the issuer has not verified the email address. */
  readonly onUnverifiedEmail: (email: string, origin: Origin) => Promise<void>
}

/** Request headers with the client address and request id. Set them on every request passed to better-auth. */
export const addressHeader = 'x-groundwork-address'
export const requestIdHeader = 'x-groundwork-request'

const days = (count: number): number => count * 24 * 60 * 60
const timestamps = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** Configures better-auth: email address and password, an identity provider, sessions in the database, TOTP as second factor. */
export function createLibrary({
  identityDb,
  baseUrl,
  secrets,
  log,
  onPasswordResetRequested,
  onPasswordReset,
  issuer,
  onUnverifiedEmail,
}: LibraryOptions) {
  const isInvited = async (email: string): Promise<boolean> => {
    const { rows } = await sql<{ invited: boolean }>`select is_invited(${email}) as invited`.execute(identityDb)
    return rows[0]?.invited === true
  }
  return betterAuth({
    appName: 'Groundwork',
    baseURL: baseUrl,
    basePath: '/auth',
    secret: secrets.current,
    database: { db: identityDb, type: 'postgres', transaction: true },
    telemetry: { enabled: false },
    // Unexpected errors reach the service's error handler, which distinguishes 503 from 500.
    onAPIError: { throw: true },
    // Its warnings are about wrong passwords and similar, which the responses already report.
    logger: { log: (level, message, ...more) => log[level === 'error' ? 'error' : 'debug']({ more: more.map(String) }, message) },
    emailAndPassword: {
      enabled: true,
      // New users come from the setup link and invitations only.
      disableSignUp: true,
      minPasswordLength: 12,
      maxPasswordLength: 128,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ token }) => onPasswordResetRequested(token),
      onPasswordReset: ({ user }, request) => onPasswordReset(user.id, originOf(request?.headers)),
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
    hooks: { before: revokeOtherSessions },
    rateLimit: {
      enabled: true,
      customStorage: signInRateLimit(identityDb),
      // Limits by client address; windows in seconds.
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
      alsoAfterOidc(secondFactor(secrets)),
      { id: 'single-use-codes', hooks: { before: [singleUseCodes(identityDb, secrets)] } },
      ...(issuer === null
        ? []
        : [oidc({ issuer, log, isInvited, onUnverifiedEmail: (email, headers) => onUnverifiedEmail(email, originOf(headers)) })]),
    ],
    advanced: {
      cookiePrefix: 'groundwork',
      useSecureCookies: baseUrl.startsWith('https:'),
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
  })
}

const secondFactor = (secrets: IdentitySecrets) =>
  twoFactor({
    backupCodeOptions: {
      storeBackupCodes: { encrypt: (codes) => encryptIdentity(codes, secrets), decrypt: (codes) => decryptIdentity(codes, secrets) },
    },
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

/** Requires the second factor after OIDC sign-in too, so that a stolen account at the identity provider is not enough. */
function alsoAfterOidc(plugin: ReturnType<typeof secondFactor>): ReturnType<typeof secondFactor> {
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

/** Ends all other sessions when the password changes: someone else may know the old one. */
const revokeOtherSessions = createAuthMiddleware(async ({ path, body }) => {
  if (path !== '/change-password') return undefined
  return { context: { body: { ...(body as object), revokeOtherSessions: true } } }
})

/** The better-auth endpoints that are served below /auth. All others answer 404. */
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
