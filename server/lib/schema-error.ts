import type { ErrorCode, ErrorIssue } from '@groundwork/api'
import type { z } from 'zod'
import { AppError } from './errors.ts'

/** Maximum number of reported issues, which bounds the size of the response. */
const maxIssues = 50
/** Maximum length of a field name in a message. */
const maxNameLength = 100

/**
 * Converts a schema error to an AppError. Every issue is a sentence that names its field. `code` tells whether a path, a query
 * or a body was invalid.
 */
export function schemaError(code: ErrorCode, error: z.ZodError): AppError {
  const issues = error.issues.slice(0, maxIssues).flatMap((issue) => toIssues(issue, []))
  const [first] = issues
  if (first === undefined) return new AppError(code, 'The request is not valid.', { cause: error })
  const { field, message } = first
  return new AppError(code, message, { ...(field !== '' && { field }), issues: issues.slice(0, maxIssues), cause: error })
}

function toIssues(issue: z.core.$ZodIssue, outer: readonly PropertyKey[]): ErrorIssue[] {
  const path = [...outer, ...issue.path]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, maxIssues).map((key) => toIssue([...path, key], 'unknown_field', issue.message))
  if (issue.code === 'invalid_union') {
    const [meant, ...others] = issue.errors.filter((option) => option.some(isWithin) || !option.some(isOfType))
    if (meant !== undefined && others.length === 0) return meant.flatMap((each) => toIssues(each, path))
  }
  return [toIssue(path, issue.code, issue.message)]
}

const isWithin = ({ path }: z.core.$ZodIssue): boolean => path.length > 0
const isOfType = ({ code }: z.core.$ZodIssue): boolean => code === 'invalid_type' || code === 'invalid_value'

function toIssue(path: readonly PropertyKey[], code: string, predicate: string): ErrorIssue {
  const field = path.map((part) => shortened(String(part))).join('.')
  return { field, code, message: field === '' ? `The request ${predicate}.` : `${field} ${predicate}` }
}

const shortened = (name: string): string => (name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name)
