import { z } from 'zod'
import { route } from './route.ts'
import { clearable, createdAt, idInput, idOutput, timestampInput, pageOf, pageQuery, text, Timestamp, wholeNumber } from './schemas.ts'
import { scopes } from './scopes.ts'

/** Maximum time in seconds for which a former secret works after a rotation: 7 days. */
export const maxOverlapSeconds = 604_800

const Scope = z.enum(scopes).meta({ id: 'Scope', description: 'Permission to read or write a kind of resource.' })

/** Maximum number of requests per minute of a publishable token. */
const maxWidgetRequests = 600

const isOrigin = (value: string): boolean => URL.canParse(value) && /^https?:/.test(value) && new URL(value).origin === value

const Publishable = z
  .object({
    origins: z.array(z.string()).describe('Origins of the pages on which the widget can use the token.'),
    requestsPerMinute: z.number().int().describe('Maximum number of requests per minute of all visitors together.'),
  })
  .meta({ id: 'PublishableAccess', description: 'Limits of a publishable token, which works only in the search widget.' })

const PublishableInput = z
  .strictObject({
    origins: z
      .array(text(1, 300).refine(isOrigin, 'must be an origin such as https://www.example.com, without a path'))
      .min(1)
      .max(20)
      .transform((origins) => [...new Set(origins)])
      .meta({
        description: 'Origins of the pages on which the widget can use the token, 1 to 20: scheme, host and a port other than the default.',
        examples: [['https://www.example.com']],
      }),
    requestsPerMinute: wholeNumber(1, maxWidgetRequests).default(60).meta({
      description: 'Maximum number of requests per minute of all visitors together.',
    }),
  })
  .meta({ id: 'PublishableAccessInput', description: 'Limits of a publishable token.' })

export const ApiToken = z
  .object({
    id: idOutput('tok'),
    name: z.string().describe('Name of the token, for telling tokens apart.'),
    hint: z.string().nullable().describe('Last four characters of the secret; null for tokens created before these were stored.'),
    scopes: z.array(Scope).describe('Permissions of the token.'),
    baseIds: z.array(idOutput('kb')).nullable().describe('The only knowledge bases that the token can access; null for all.'),
    agent: z.boolean().describe('Whether the token is that of an agent, which cannot replace values that a person typed or verified.'),
    publishable: Publishable.nullable().describe(
      'Limits of a publishable token, whose secret may be in a public page: it works only in the search widget. Null for other tokens.',
    ),
    createdAt,
    createdBy: z
      .string()
      .nullable()
      .meta({
        description: 'Id of the token or the user that created this one; null if it was created on the command line.',
        examples: ['tok_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'],
      }),
    createdByName: z.string().nullable().describe('Name of that token or user; null if it was created on the command line.'),
    expiresAt: Timestamp.nullable().describe('Time at which the token stops working; null if it does not expire.'),
    lastUsedAt: Timestamp.nullable().describe(
      'Time of the last request, recorded with a delay of some seconds; null if the token was never used.',
    ),
    lastUsedAddress: z
      .string()
      .nullable()
      .meta({ description: 'IP address of the last request; null if the token was never used.', examples: ['192.0.2.7'] }),
    revokedAt: Timestamp.nullable().describe('Time of revocation; null if the token was not revoked.'),
  })
  .meta({ id: 'ApiToken', description: 'An API token, without its secret.' })
export type ApiToken = z.input<typeof ApiToken>

export const ApiTokenWithSecret = ApiToken.extend({
  token: z.string().meta({
    description: 'The secret for requests. It is returned only once and cannot be recovered.',
    examples: ['gw_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
  }),
}).meta({ id: 'ApiTokenWithSecret', description: 'An API token with its secret.' })
export type ApiTokenWithSecret = z.input<typeof ApiTokenWithSecret>

const unique = <T>(values: T[]): T[] => [...new Set(values)]

const name = text(1, 200).meta({ description: 'Name of the token, for telling tokens apart.' })

const CreateApiToken = z
  .strictObject({
    name,
    scopes: z.array(Scope).min(1).max(100).transform(unique).meta({ description: 'Permissions of the token, among those of the caller.' }),
    baseIds: clearable(z.array(idInput('kb')).min(1).max(100).transform(unique)).meta({
      description:
        'The only knowledge bases that the token can access, 1 to 100; all by default. A limited token cannot create knowledge bases.',
    }),
    agent: z
      .boolean()
      .optional()
      .describe(
        'true for the token of an agent: it fills empty fields of contacts, but a value that a person typed or verified stays, and its own becomes a suggestion. false by default. The tokens that it creates must be those of agents too.',
      ),
    publishable: clearable(PublishableInput).meta({
      description:
        'Makes the token publishable: it works only in the search widget, on pages of these origins. It needs the scope `search:read` alone and exactly one knowledge base.',
    }),
    expiresAt: clearable(
      timestampInput
        .transform((value) => new Date(value))
        .refine((moment) => moment.getTime() < Date.UTC(10_000, 0), 'must be before the year 10000'),
    ).meta({
      description: 'Time in the future at which the token stops working, not after the expiry of the creating token. Never by default.',
    }),
  })
  .meta({
    id: 'CreateApiToken',
    description: 'A new API token.',
    examples: [{ name: 'Voice agent', scopes: ['search:read'], baseIds: ['kb_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'] }],
  })
export type CreateApiToken = z.output<typeof CreateApiToken>

const UpdateApiToken = z
  .strictObject({ name })
  .partial()
  .meta({ id: 'UpdateApiToken', description: 'Changes to an API token.', examples: [{ name: 'Voice agent, Berlin' }] })
export type UpdateApiToken = z.output<typeof UpdateApiToken>

const RotateApiToken = z
  .strictObject({
    overlapSeconds: wholeNumber(0, maxOverlapSeconds).default(0).meta({
      description: 'Time in seconds for which the former secret still works, at most 7 days. Another rotation ends it at once.',
    }),
  })
  .meta({ id: 'RotateApiToken', description: 'Options of the rotation.', examples: [{ overlapSeconds: 3600 }] })
export type RotateApiToken = z.output<typeof RotateApiToken>

const RevokePresentedToken = z.strictObject({ token: text(0, 1000).meta({ description: 'Secret of the API token to revoke.' }) }).meta({
  id: 'RevokePresentedToken',
  description: 'The secret to revoke.',
  examples: [{ token: 'gw_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' }],
})

const ListApiTokens = z.strictObject({
  ...pageQuery,
  createdBy: idInput('usr').optional().meta({ description: 'Only tokens created by this user.' }),
})
export type ListApiTokens = z.output<typeof ListApiTokens>

const params = z.object({ tokenId: idInput('tok') })

export const tokens = {
  create: route({
    method: 'POST',
    path: '/v1/tokens',
    summary: 'Create an API token',
    description:
      'The secret is only in this response. The secret of a publishable token begins with `gwp_`, that of others with `gw_`. A token can only grant its own permissions: 403 for scopes, knowledge bases or an expiry beyond those of the caller.',
    scope: 'tokens:write',
    body: CreateApiToken,
    status: 201,
    reply: ApiTokenWithSecret,
  }),
  list: route({
    method: 'GET',
    path: '/v1/tokens',
    summary: 'List API tokens, newest first',
    description: 'Includes revoked and expired tokens.',
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
    summary: 'Rotate the secret of an API token',
    answer: 'The token with its new secret.',
    description:
      'Replaces the secret and keeps everything else. The new secret is only in this response. 403 for a token with more permissions than the caller, 409 for a revoked or expired token.',
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
    description: 'Permanent. Every process rejects the token within a second. Its record stays in the list.',
    scope: 'tokens:write',
    params,
    status: 204,
  }),
  revokePresented: route({
    method: 'POST',
    path: '/v1/tokens/revoke',
    summary: 'Revoke a leaked API token by its secret',
    description:
      'Needs no credentials besides the secret. The response is the same whether or not the secret exists. A former secret that still works after a rotation ends without revoking its token.',
    scope: 'public',
    body: RevokePresentedToken,
    status: 204,
  }),
}
