import { z } from 'zod'
import { route } from './route.ts'
import { clearable, idInput, idOutput, momentInput, pageOf, pageQuery, text, Timestamp, wholeNumber } from './schemas.ts'
import { scopes } from './scopes.ts'

/** Seconds that a secret can go on working after its rotation: 7 days. */
export const maxOverlapSeconds = 604_800

const Scope = z.enum(scopes).meta({ id: 'Scope' })

export const ApiToken = z
  .object({
    id: idOutput('tok'),
    name: z.string(),
    hint: z.string().nullable().meta({ description: 'The last four characters of the secret; null for tokens made before they were kept' }),
    scopes: z.array(Scope),
    baseIds: z.array(idOutput('kb')).nullable().meta({ description: 'The only knowledge bases that the token may see; null for all' }),
    createdAt: Timestamp,
    createdBy: z
      .string()
      .nullable()
      .meta({
        description: 'The token or the user that made it; null for the command line',
        examples: ['tok_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'],
      }),
    createdByName: z.string().nullable().meta({ description: 'Of that token or user, who may have left since' }),
    expiresAt: Timestamp.nullable(),
    lastUsedAt: Timestamp.nullable().meta({ description: 'Up to some seconds late' }),
    lastUsedAddress: z.string().nullable(),
    revokedAt: Timestamp.nullable(),
  })
  .meta({ id: 'ApiToken' })
export type ApiToken = z.input<typeof ApiToken>

export const ApiTokenWithSecret = ApiToken.extend({
  token: z.string().meta({ description: 'The secret. It is shown this once and cannot be found out again.' }),
}).meta({ id: 'ApiTokenWithSecret' })
export type ApiTokenWithSecret = z.input<typeof ApiTokenWithSecret>

const unique = <T>(values: T[]): T[] => [...new Set(values)]

const CreateApiToken = z
  .strictObject({
    name: text(1, 200),
    scopes: z.array(Scope).min(1).max(100).transform(unique).meta({ description: 'Among those of the token that asks' }),
    baseIds: clearable(z.array(idInput('kb')).min(1).max(100).transform(unique)).meta({
      description: 'The only knowledge bases that the token may see; all when absent. It can then make no other ones.',
    }),
    expiresAt: clearable(
      momentInput
        .transform((value) => new Date(value))
        .refine((moment) => moment.getTime() < Date.UTC(10_000, 0), 'must be before the year 10000'),
    ).meta({ description: 'In the future; at most when the token that asks expires' }),
  })
  .meta({
    id: 'CreateApiToken',
    examples: [{ name: 'Voice agent', scopes: ['search:read'], baseIds: ['kb_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'] }],
  })
export type CreateApiToken = z.output<typeof CreateApiToken>

const UpdateApiToken = z
  .strictObject({ name: text(1, 200) })
  .partial()
  .meta({ id: 'UpdateApiToken', examples: [{ name: 'Voice agent, Berlin' }] })
export type UpdateApiToken = z.output<typeof UpdateApiToken>

const RotateApiToken = z
  .strictObject({
    overlapSeconds: wholeNumber(0, maxOverlapSeconds).default(0).meta({
      description: 'How long the secret of before goes on working. A further rotation ends that at once.',
    }),
  })
  .meta({ id: 'RotateApiToken', examples: [{ overlapSeconds: 3600 }] })
export type RotateApiToken = z.output<typeof RotateApiToken>

const RevokePresentedToken = z
  .strictObject({ token: text(1, 1000) })
  .meta({ id: 'RevokePresentedToken', examples: [{ token: 'gw_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' }] })

const ListApiTokens = z.strictObject({
  ...pageQuery,
  createdBy: idInput('usr').optional().meta({ description: 'Only those that this user made' }),
})
export type ListApiTokens = z.output<typeof ListApiTokens>

const params = z.object({ tokenId: idInput('tok') })

export const tokens = {
  create: route({
    method: 'POST',
    path: '/v1/tokens',
    summary: 'Make an API token',
    description:
      'A token can grant no more than it has: a scope, a base, or a time that the asking token does not have is answered with 403. The secret is in this answer and in no other.',
    scope: 'tokens:write',
    body: CreateApiToken,
    status: 201,
    reply: ApiTokenWithSecret,
  }),
  list: route({
    method: 'GET',
    path: '/v1/tokens',
    summary: 'List API tokens',
    description: 'Newest first, revoked and expired ones included.',
    scope: 'tokens:read',
    query: ListApiTokens,
    status: 200,
    reply: pageOf(ApiToken),
  }),
  get: route({
    method: 'GET',
    path: '/v1/tokens/{tokenId}',
    summary: 'Get an API token',
    scope: 'tokens:read',
    params,
    status: 200,
    reply: ApiToken,
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/tokens/{tokenId}',
    summary: 'Rename an API token',
    scope: 'tokens:write',
    params,
    body: UpdateApiToken,
    status: 200,
    reply: ApiToken,
  }),
  rotate: route({
    method: 'POST',
    path: '/v1/tokens/{tokenId}/rotate',
    summary: 'Give an API token a new secret',
    description:
      'Everything else about the token stays. 403 for a token that may do more than the asking one, 409 for one that is revoked or expired.',
    scope: 'tokens:write',
    params,
    body: RotateApiToken,
    status: 200,
    reply: ApiTokenWithSecret,
    errors: ['conflict'],
  }),
  revoke: route({
    method: 'DELETE',
    path: '/v1/tokens/{tokenId}',
    summary: 'Revoke an API token',
    description: 'Final. Every process refuses it within a second; its record stays.',
    scope: 'tokens:write',
    params,
    status: 204,
  }),
  revokePresented: route({
    method: 'POST',
    path: '/v1/tokens/revoke',
    summary: 'Revoke an API token by presenting it',
    description:
      'For whoever finds a leaked secret: having it is enough. The answer is the same whether it was one or not. A secret that was rotated away and still works ends alone; its token stays.',
    scope: 'public',
    body: RevokePresentedToken,
    status: 204,
  }),
}
