import type { ErrorCode, ErrorIssue } from '@groundwork/api'
import type { z } from 'zod'
import { AppError } from './errors.ts'

/** Issues reported at most, so that a body of nothing but faults is not answered by a larger one. */
const maxIssues = 50
/** Characters of a name that a field may contribute to a message. */
const maxNameLength = 100

/**
 * Returns the refusal of a value by a schema. Every issue is a sentence that names its field; `code` says whether a path,
 * a query, or a body was refused.
 */
export function schemaError(code: ErrorCode, error: z.ZodError): AppError {
  const issues = error.issues.slice(0, maxIssues).flatMap((issue) => toldIssues(issue, []))
  const [first] = issues
  if (first === undefined) return new AppError(code, 'The request is not valid.', { cause: error })
  const { field, message } = first
  return new AppError(code, message, { ...(field !== '' && { field }), issues: issues.slice(0, maxIssues), cause: error })
}

function toldIssues(issue: z.core.$ZodIssue, outer: readonly PropertyKey[]): ErrorIssue[] {
  const path = [...outer, ...issue.path]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, maxIssues).map((key) => told([...path, key], 'unknown_field', issue.message))
  if (issue.code === 'invalid_union') {
    const [meant, ...others] = issue.errors.filter((option) => option.some(isWithin) || !option.some(isOfType))
    if (meant !== undefined && others.length === 0) return meant.flatMap((each) => toldIssues(each, path))
  }
  return [told(path, issue.code, issue.message)]
}

const isWithin = ({ path }: z.core.$ZodIssue): boolean => path.length > 0
const isOfType = ({ code }: z.core.$ZodIssue): boolean => code === 'invalid_type' || code === 'invalid_value'

function told(path: readonly PropertyKey[], code: string, predicate: string): ErrorIssue {
  const field = path.map((part) => shortened(String(part))).join('.')
  return { field, code, message: `${field === '' ? 'the request' : field} ${predicate}` }
}

const shortened = (name: string): string => (name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name)
