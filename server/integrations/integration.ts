import { errorStatus, type Scope } from '@groundwork/api'
import type { z } from 'zod'
import type { Via } from '../context.ts'
import type { FileResponse } from '../handlers.ts'
import type { AppError } from '../lib/errors.ts'
import type { KnowledgeContext } from '../knowledge/context.ts'
import type { ProposalContext } from '../proposals/context.ts'
import { issueMessage, queryIssueMessage } from '../lib/issue-message.ts'
import { schemaError } from '../lib/schema-error.ts'

export interface IntegrationContext extends KnowledgeContext, ProposalContext {
  /** Origins allowed by CORS. */
  readonly corsOrigins: readonly string[]
}

/** An authenticated request to an integration. Parameters, headers and body are not validated yet. */
export interface IntegrationRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  /** Header names are lower case; of a repeated header only the first value is kept. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The parsed JSON; undefined without a body. */
  readonly body: unknown
  /** The raw body, as signatures need it. */
  readonly bytes: Buffer
  /** The API token of the request. */
  readonly secret: string
  /** Counts one more request against the rate limits, for each further message of a batch. */
  readonly again: () => Promise<void>
}

export interface IntegrationResponse {
  readonly status: number
  /** Sent as JSON; absent without a body. */
  readonly body?: unknown
  /** Sent in place of a body: whole, or the requested range. */
  readonly file?: FileResponse
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An endpoint that speaks the protocol of another product, with the paths, bodies and errors of that protocol. It is not one of
 * the routes of the API, but authentication, permissions and rate limits apply as for those.
 */
export interface IntegrationEndpoint {
  /** The protocol, recorded in the search log. */
  readonly via: Via
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: `/${string}`
  /** The scope that the token needs; null if it depends on the request. */
  readonly scope: Scope | null
  /** A further header that can contain the token. */
  readonly secretHeader?: string
  readonly handle: (ctx: IntegrationContext, asked: IntegrationRequest) => Promise<IntegrationResponse>
  /** Converts an error to a response of this protocol. `secret` is the presented token, empty if there was none. */
  readonly formatError: (error: AppError, request: { requestId: string; secret: string }) => IntegrationResponse
}

/**
 * Returns the value parsed by the schema.
 * @throws AppError `validation_error` that names every invalid field
 */
export function parsed<S extends z.ZodType>(schema: S, value: unknown, error = issueMessage): z.output<S> {
  const result = schema.safeParse(value, { error })
  if (!result.success) throw schemaError('validation_error', result.error)
  return result.data
}

/**
 * Returns the query string parsed by the schema.
 * @throws AppError `validation_error`
 */
export const parsedQuery = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => parsed(schema, value, queryIssueMessage)

/** Returns the HTTP status of an error for protocols that use 400 for every invalid request. */
export const statusOf = ({ code }: AppError): number => (code === 'validation_error' ? 400 : errorStatus[code])
