import { z } from 'zod'
import { route } from './route.ts'
import { idInput, idOutput, pageOf, pageQuery, queryTime, Timestamp } from './schemas.ts'

/** Days for which API requests are kept. */
export const requestDays = 7

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const RequestActor = z
  .object({
    type: z.enum(['token', 'user']).describe('`token`: an API token; `user`: a signed-in user.'),
    id: z.string().meta({ description: 'Id of the token or the user.', examples: ['tok_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'] }),
    name: z.string().nullable().describe('Current name of the token or the user; null if it has none or no longer exists.'),
    hint: z.string().nullable().describe('Last four characters of the secret of the token; null for users.'),
  })
  .meta({ id: 'RequestActor', description: 'API token or user that sent a request.' })

export const ApiRequest = z
  .object({
    id: idOutput('req').describe('Request id, also in the header `X-Request-Id` of the response and in errors as `requestId`.'),
    method: z.string().meta({ description: 'HTTP method.', examples: ['POST'] }),
    route: z
      .string()
      .meta({ description: 'Path of the operation, with the names of its parameters.', examples: ['/v1/bases/{baseId}/search'] }),
    path: z.string().meta({
      description: 'Path of the request with its ids, without the query string. Values of other parameters are not kept.',
      examples: ['/v1/bases/kb_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8/search'],
    }),
    status: z
      .int()
      .min(100)
      .max(599)
      .meta({ description: 'HTTP status of the response.', examples: [200] }),
    durationMs: z
      .number()
      .min(0)
      .meta({ description: 'Duration in milliseconds, until the response was sent. Streams count until their end.' }),
    actor: RequestActor,
    createdAt: Timestamp.describe('Time at which the request arrived: UTC with milliseconds (ISO 8601).'),
  })
  .meta({ id: 'ApiRequest', description: 'A request to the API, without its body and query string.' })
export type ApiRequest = z.input<typeof ApiRequest>

const ListApiRequests = z.strictObject({
  ...pageQuery,
  method: z.enum(methods).optional().meta({ description: 'Only requests with this method.' }),
  status: z
    .string()
    .regex(/^[1-5](?:\d\d|xx)$/, 'must be a status such as 404, or a class such as 4xx')
    .optional()
    .meta({ description: 'Only responses with this status, or of this class.', examples: ['404', '4xx'] }),
  actorType: z.enum(['token', 'user']).optional().meta({ description: 'Only requests of API tokens, or only those of users.' }),
  tokenId: idInput('tok').optional().meta({ description: 'Only requests of this API token.' }),
  path: z
    .string()
    .min(1)
    .max(300)
    .regex(/^\/[!-~]*$/, 'must start with a slash, such as /v1/contacts')
    .optional()
    .meta({ description: 'Only requests whose `path` or `route` begins with this text.', examples: ['/v1/contacts'] }),
  requestId: idInput('req').optional().meta({ description: 'Only the request with this id.' }),
  since: queryTime.optional().meta({ description: 'Only requests at or after this time.' }),
  until: queryTime.optional().meta({ description: 'Only requests before this time.' }),
})
export type ListApiRequests = z.output<typeof ListApiRequests>

export const requests = {
  list: route({
    method: 'GET',
    path: '/v1/requests',
    summary: 'List API requests, newest first',
    description:
      'Every authenticated request of the last 7 days, also to the integrations, except those to this log. A request appears about a second after its response. Under extreme load some are left out. Tokens limited to certain knowledge bases get 403.',
    scope: 'audit:read',
    query: ListApiRequests,
    status: 200,
    reply: pageOf(ApiRequest),
  }),
  get: route({
    method: 'GET',
    path: '/v1/requests/{requestId}',
    summary: 'Get an API request',
    description: 'Tokens limited to certain knowledge bases get 403.',
    scope: 'audit:read',
    params: z.object({ requestId: idInput('req') }),
    status: 200,
    reply: ApiRequest,
  }),
}
