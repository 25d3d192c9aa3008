import { personName } from '@groundwork/api'
import { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { schemaError } from '../lib/schema-error.ts'

/** The profile fields that users can change. */
const Profile = z.strictObject({ name: personName })

/**
 * Returns the POST request for the library's handler, with a validated and normalized body.
 * @throws AppError `bad_request` if the body is not JSON, `validation_error` for an invalid name or an unknown field
 */
export async function withValidatedProfile(request: Request): Promise<Request> {
  const body: unknown = await request.json().catch((cause: unknown) => {
    throw new AppError('bad_request', 'The body is not valid JSON.', { cause })
  })
  const profile = Profile.safeParse(body)
  if (!profile.success) throw schemaError('validation_error', profile.error)
  return new Request(request, { method: 'POST', body: JSON.stringify(profile.data) })
}
