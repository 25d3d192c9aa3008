import { z } from 'zod'
import { route } from './route.ts'

const System = z
  .object({
    version: z.string().describe('Version of the Groundwork program.'),
    database: z.enum(['embedded', 'postgresql']).describe('`embedded`: the bundled database engine; `postgresql`: a PostgreSQL server.'),
    storage: z.enum(['local', 's3']).describe('Storage of files: `local` is a folder of the service, `s3` a bucket.'),
    embedder: z
      .object({
        kind: z
          .enum(['bundled', 'local', 'remote'])
          .describe(
            '`bundled`: the model of the program; `local`: a model in a folder of the operator; `remote`: an endpoint of the operator.',
          ),
        model: z.string().describe('Name of the embedding model.'),
        dimensions: z.number().int().describe('Number of components of its vectors.'),
        ready: z.boolean().describe('Whether the embedder answered the last check, at most one minute ago.'),
        error: z.string().nullable().describe('Error of the last check; null if the embedder is ready.'),
      })
      .describe('Embedding model of the program.'),
    reranker: z
      .object({ model: z.string().nullable().describe('Name of the model in requests to the reranker; null if none is configured.') })
      .nullable()
      .describe('Reranker of the operator; null without one.'),
    chat: z
      .object({ model: z.string().describe('Name of the model.') })
      .nullable()
      .describe('Chat model of the operator, which writes answers; null without one.'),
    mail: z
      .object({
        kind: z
          .enum(['smtp', 'files'])
          .describe('`smtp`: messages go to a mail server; `files`: they are only stored, see `GET /v1/mails`.'),
        lastError: z
          .string()
          .nullable()
          .describe(
            'Error of the newest unsent message of the organization, or a note that messages for resetting passwords cannot be sent; null without a failure.',
          ),
      })
      .describe('Delivery of email messages.'),
    oidc: z.boolean().describe('Whether users can sign in through an OpenID Connect provider of the operator.'),
  })
  .meta({ id: 'System', description: 'Configuration and health of the service.' })
export type System = z.input<typeof System>

export const system = {
  get: route({
    method: 'GET',
    path: '/v1/system',
    summary: 'Get the configuration of the service',
    answer: 'The configuration of the service.',
    scope: 'organization:read',
    status: 200,
    reply: System,
  }),
}
