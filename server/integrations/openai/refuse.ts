import type { AppError } from '../../lib/errors.ts'
import { statusOf, type IntegrationResponse } from '../integration.ts'

/** Converts an error to OpenAI's form. Its clients create their error classes from status, code and param. */
export function refuse(error: AppError): IntegrationResponse {
  const status = statusOf(error)
  const { message, field: param = null } = error
  return { status, body: { error: { message, type: typeOf(status), param, code: status === 401 ? 'invalid_api_key' : error.code } } }
}

function typeOf(status: number): string {
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}
