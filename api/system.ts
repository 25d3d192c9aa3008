import { z } from 'zod'
import { route } from './route.ts'

const System = z
  .object({
    version: z.string(),
    database: z.enum(['embedded', 'postgresql']),
    storage: z.enum(['local']),
    embedder: z.object({
      kind: z.enum(['bundled', 'remote']),
      model: z.string(),
      dimensions: z.number().int(),
      ready: z.boolean().meta({ description: 'Whether it answered when it was last asked, a minute ago at most' }),
      error: z.string().nullable(),
    }),
    reranker: z.object({ model: z.string().nullable() }).nullable(),
    mail: z.object({
      kind: z.enum(['smtp', 'files']),
      lastError: z.string().nullable().meta({
        description:
          'Of the newest message of the organization that could not be sent, or that one which sets a forgotten password could not',
      }),
    }),
    oidc: z.boolean().meta({ description: 'Whether people can sign in by a provider of the operator' }),
  })
  .meta({ id: 'System' })
export type System = z.input<typeof System>

export const system = {
  get: route({
    method: 'GET',
    path: '/v1/system',
    summary: 'Tell how the service is set up',
    scope: 'organization:read',
    status: 200,
    reply: System,
  }),
}
