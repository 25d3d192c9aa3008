/** What a token may be allowed: each resource to read or to write. */
export const scopes = [
  'contacts:read',
  'contacts:write',
  'proposals:read',
  'proposals:write',
  'bases:read',
  'bases:write',
  'sources:read',
  'sources:write',
  'search:read',
  'retrievals:read',
  'evaluations:read',
  'evaluations:write',
  'tokens:read',
  'tokens:write',
  'events:read',
  'audit:read',
  'webhooks:read',
  'webhooks:write',
] as const
export type Scope = (typeof scopes)[number]
