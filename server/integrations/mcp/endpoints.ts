import { errorStatus } from '@groundwork/api'
import { AppError } from '../../lib/errors.ts'
import type { IntegrationResponse, IntegrationRequest, IntegrationEndpoint, IntegrationContext } from '../integration.ts'
import { failure, idOf, readMessage, RpcError, success, type RpcMessage } from './json-rpc.ts'
import { revisionOf, revisionOfHeader } from './revision.ts'
import { serve } from './serve.ts'

const path = '/mcp'
/** Maximum number of messages in a batch. */
const maxBatch = 20

/**
 * The Model Context Protocol over streamable HTTP. There are no sessions: each POST is answered from its own content with one
 * JSON body, so any process can answer any request. The server sends no messages of its own, so GET has no stream.
 */
export const mcpEndpoints: readonly IntegrationEndpoint[] = [
  {
    via: 'mcp',
    method: 'POST',
    path,
    scope: null,
    formatError: refuse,
    async handle(ctx, request) {
      refuseForeignOrigin(ctx, request)
      return Array.isArray(request.body) ? answerAll(ctx, request, request.body) : answer(ctx, request, request.body)
    },
  },
  ...(['GET', 'DELETE'] as const).map((method): IntegrationEndpoint => ({
    via: 'mcp',
    method,
    path,
    scope: null,
    formatError: refuse,
    handle: async () => onlyPost,
  })),
]

const onlyPost: IntegrationResponse = {
  status: 405,
  headers: { Allow: 'POST' },
  body: failure(null, {
    code: 'invalidRequest',
    message: 'This server only accepts POST: it has no sessions and sends no messages of its own.',
    data: undefined,
  }),
}

/**
 * Refuses browser requests from other origins, since DNS rebinding can make a browser reach a server on the network of its
 * user.
 * @throws AppError `forbidden`
 */
function refuseForeignOrigin({ baseUrl, corsOrigins }: IntegrationContext, { headers }: IntegrationRequest): void {
  const { origin } = headers
  if (origin === undefined || origin === new URL(baseUrl).origin || corsOrigins.includes(origin)) return
  throw new AppError('forbidden', 'Requests from this origin are not allowed. Add it to CORS_ORIGINS.')
}

async function answer(ctx: IntegrationContext, { headers }: IntegrationRequest, body: unknown): Promise<IntegrationResponse> {
  try {
    const message = readMessage(body)
    if (message === null) return { status: 202 }
    const revision = revisionOf(message, headers)
    if (message.id === undefined) return { status: 202 }
    return { status: 200, body: success(message.id, await serve(ctx, message, revision)) }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return { status: error.status, body: failure(idOf(body), error) }
  }
}

/** Answers a batch, which one protocol revision supports. Each message counts against the rate limits. */
async function answerAll(ctx: IntegrationContext, request: IntegrationRequest, bodies: unknown[]): Promise<IntegrationResponse> {
  try {
    if (!revisionOfHeader(request.headers).batches) throw refused('This protocol revision does not support batches.')
    if (bodies.length === 0) throw refused('The batch is empty.')
    if (bodies.length > maxBatch) throw refused(`A batch can have at most ${maxBatch} messages.`)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return { status: error.status, body: failure(null, error) }
  }
  const answers = []
  for (const [index, body] of bodies.entries()) {
    if (index > 0) await request.again()
    answers.push(isInitialize(body) ? refuseInitialize(body) : (await answer(ctx, request, body)).body)
  }
  const responses = answers.filter((each) => each !== undefined)
  return responses.length === 0 ? { status: 202 } : { status: 200, body: responses }
}

const refused = (message: string): RpcError => new RpcError('invalidRequest', message, { status: 400 })

const isInitialize = (body: unknown): boolean => (body as Partial<RpcMessage> | null)?.method === 'initialize'

const refuseInitialize = (body: unknown): object => failure(idOf(body), refused('initialize cannot be part of a batch.'))

/** Converts errors that prevent a request from being processed, such as a missing token. Errors of a single message are RpcErrors. */
function refuse(error: AppError, { requestId }: { requestId: string }): IntegrationResponse {
  const status = errorStatus[error.code]
  // bad_request only occurs here if the body cannot be parsed.
  const code = status >= 500 ? 'internalError' : error.code === 'bad_request' ? 'parseError' : 'invalidRequest'
  return { status, body: failure(null, { code, message: error.message, data: { code: error.code, requestId } }) }
}
