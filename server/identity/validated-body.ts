import { personName } from '@groundwork/api'
import { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { issueMessage } from '../lib/issue-message.ts'
import { schemaError } from '../lib/schema-error.ts'

/** The profile fields that users can change. */
export const Profile = z.strictObject({ name: personName })

/** Returns the schemas of the request bodies of better-auth by path. */
export function bodySchemas(endpoints: object): ReadonlyMap<string, z.ZodType> {
  const all = Object.values(endpoints) as { path?: string; options?: { body?: unknown } }[]
  return new Map(
    all.flatMap(({ path, options }) => (path !== undefined && options?.body instanceof z.ZodType ? [[path, options.body]] : [])),
  )
}

/**
 * Returns the POST request with the body as the schema parses it. better-auth validates bodies too, but with messages of zod.
 * @throws AppError `bad_request` if the body is not JSON, `validation_error` if it is invalid
 */
export async function withValidatedBody(request: Request, schema: z.ZodType): Promise<Request> {
  const { success, data, error } = schema.safeParse(parsedJson(await request.text()), { error: issueMessage })
  if (!success) throw schemaError('validation_error', error)
  return new Request(request.url, { method: 'POST', headers: request.headers, ...(data !== undefined && { body: JSON.stringify(data) }) })
}

/** Bodies are optional for some paths. */
function parsedJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch (cause) {
    throw new AppError('bad_request', 'The body is not valid JSON.', { cause })
  }
}
