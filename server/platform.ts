import type { Context, CoreServices } from './context.ts'
import type { ErasureServices } from './contacts/erase.ts'
import type { IdentityServices } from './identity/context.ts'
import type { AnswerServices } from './knowledge/answers/answer.ts'
import type { AuthenticationThrottle } from './limits/authentication-throttle.ts'
import type { MailServices } from './mail/mailer.ts'
import type { ProposalServices } from './proposals/context.ts'
import type { RequestLogServices } from './requests/log.ts'
import type { SystemServices } from './system/system.ts'
import type { TokenServices } from './tokens/tokens.ts'
import type { WebhookServices } from './webhooks/context.ts'

/** The services of all modules. The composition root creates them once. */
export interface Platform
  extends
    AnswerServices,
    CoreServices,
    ErasureServices,
    IdentityServices,
    MailServices,
    ProposalServices,
    RequestLogServices,
    SystemServices,
    TokenServices,
    WebhookServices {
  /** Origins allowed by CORS: their pages can use API tokens, but no sessions. */
  readonly corsOrigins: readonly string[]
  /** Limits database look-ups of unknown secrets by client address. */
  readonly authenticationThrottle: AuthenticationThrottle
}

/** A context with the services of all modules. */
export interface PlatformContext extends Context, Platform {}
