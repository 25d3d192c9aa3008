import { personName } from '@groundwork/api'
import { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { schemaError } from '../lib/schema-error.ts'

/** The fields of their own that people change. */
const Profile = z.strictObject({ name: personName })

/**
 * Returns the request with its body as the rules for names leave it.
 * @throws AppError `bad_request` for a body that is not JSON, `validation_error` for another name or field
 */
export async function withProfile(request: Request): Promise<Request> {
  const body: unknown = await request.json().catch((cause: unknown) => {
    throw new AppError('bad_request', 'the body is not valid JSON', { cause })
  })
  const profile = Profile.safeParse(body)
  if (!profile.success) throw schemaError('validation_error', profile.error)
  return new Request(request, { method: 'POST', body: JSON.stringify(profile.data) })
}
