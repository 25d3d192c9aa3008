import type { ErrorCode, ErrorIssue } from '@groundwork/api'
import type { ZodError } from 'zod'
import { AppError } from './errors.ts'

/** A refusal by a schema, naming every field at fault; `code` says whether a path, a query or a body was refused. */
export function schemaError(code: ErrorCode, error: ZodError): AppError {
  const issues = error.issues.slice(0, maxIssues).flatMap((issue): ErrorIssue[] => {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, maxIssues).map((key) => ({
        field: [...path, key].join('.'),
        code: 'unknown_field',
        message: 'is not a field that is known here',
      }))
    }
    return [{ field: path.join('.'), code: issue.code, message: issue.message }]
  })
  const first = issues[0]
  if (first === undefined) return new AppError(code, 'the request is not valid', { cause: error })
  const message = first.field === '' ? first.message : `${first.field}: ${first.message}`
  return new AppError(code, message, { ...(first.field !== '' && { field: first.field }), issues, cause: error })
}

/** Faults told of at most: a body of nothing but wrong fields must not be answered by a larger one. */
const maxIssues = 50
