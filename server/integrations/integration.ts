import { errorStatus, type Scope } from '@groundwork/api'
import type { z } from 'zod'
import type { Context, Via } from '../context.ts'
import type { AppError } from '../lib/errors.ts'
import { issueMessage, queryIssueMessage } from '../lib/issue-message.ts'
import { schemaError } from '../lib/schema-error.ts'

/** What a door is given of a request: who asks is known, everything else is as it came. */
export interface IntegrationRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  /** By their names in lower case; of a repeated one the first value. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The parsed JSON; undefined where there is no body. */
  readonly body: unknown
  /** The body as it came. */
  readonly bytes: Buffer
  /** The token that was presented. */
  readonly secret: string
  /** Counts one more request against the limits. */
  readonly again: () => Promise<void>
}

export interface IntegrationResponse {
  readonly status: number
  /** Sent as JSON; absent where there is no body. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An address at which a protocol of somebody else's is spoken: its paths, bodies and errors are theirs, so it is none of the
 * routes of the API. Who asks, what it may do and how often is decided as for those.
 */
export interface IntegrationEndpoint {
  /** Whose protocol it is. */
  readonly via: Via
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: `/${string}`
  /** What the token must be allowed; null where that depends on what is asked. */
  readonly scope: Scope | null
  /** A header that may carry the token, beside those of the API. */
  readonly secretHeader?: string
  readonly handle: (ctx: Context, asked: IntegrationRequest) => Promise<IntegrationResponse>
  /** How this protocol tells a failure; `secret` is what was presented as a token, empty where nothing was. */
  readonly formatError: (error: AppError, request: { requestId: string; secret: string }) => IntegrationResponse
}

/** @throws AppError `validation_error`, naming every field at fault */
export function parsed<S extends z.ZodType>(schema: S, value: unknown, error = issueMessage): z.output<S> {
  const result = schema.safeParse(value, { error })
  if (!result.success) throw schemaError('validation_error', result.error)
  return result.data
}

/** Does the same for a query. @throws AppError `validation_error` */
export const parsedQuery = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => parsed(schema, value, queryIssueMessage)

/** The status of a failure where a protocol knows 400 alone for whatever is wrong with a request. */
export const statusOf = ({ code }: AppError): number => (code === 'validation_error' ? 400 : errorStatus[code])
