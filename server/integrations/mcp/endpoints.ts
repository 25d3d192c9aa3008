import { errorStatus } from '@groundwork/api'
import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import type { IntegrationResponse, IntegrationRequest, IntegrationEndpoint } from '../integration.ts'
import { failure, idOf, readMessage, RpcError, success, type RpcMessage } from './json-rpc.ts'
import { revisionOf, revisionOfHeader } from './revision.ts'
import { serve } from './serve.ts'

const path = '/mcp'
/** Messages at most in one body. */
const maxBatch = 20

/**
 * The Model Context Protocol over streamable HTTP. There are no sessions: each POST is answered by one JSON body from what it
 * says itself, so any process can answer any request. Nothing is ever sent unasked, so there is no stream to GET.
 */
export const mcpEndpoints: readonly IntegrationEndpoint[] = [
  {
    via: 'mcp',
    method: 'POST',
    path,
    scope: null,
    formatError: refuse,
    async handle(ctx, asked) {
      refuseForeignOrigin(ctx, asked)
      return Array.isArray(asked.body) ? answerAll(ctx, asked, asked.body) : answer(ctx, asked, asked.body)
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
    message: 'this server answers POST alone: it keeps no session and sends nothing unasked',
    data: undefined,
  }),
}

/**
 * Refuses pages of foreign origins: DNS rebinding can make a browser reach an address on the network of its user.
 * @throws AppError `forbidden`
 */
function refuseForeignOrigin({ baseUrl, corsOrigins }: Context, { headers }: IntegrationRequest): void {
  const { origin } = headers
  if (origin === undefined || origin === new URL(baseUrl).origin || corsOrigins.includes(origin)) return
  throw new AppError('forbidden', 'pages of other origins may not ask here')
}

async function answer(ctx: Context, { headers }: IntegrationRequest, body: unknown): Promise<IntegrationResponse> {
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

/** One revision takes several messages at once; each counts against the limits. */
async function answerAll(ctx: Context, asked: IntegrationRequest, bodies: unknown[]): Promise<IntegrationResponse> {
  try {
    if (!revisionOfHeader(asked.headers).batches) throw refused('this revision of the protocol takes one message at a time')
    if (bodies.length === 0) throw refused('there is no message in it')
    if (bodies.length > maxBatch) throw refused(`at most ${maxBatch} messages are taken at once`)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return { status: error.status, body: failure(null, error) }
  }
  const answers = []
  for (const [index, body] of bodies.entries()) {
    if (index > 0) await asked.again()
    answers.push(isInitialize(body) ? refusedAlone(body) : (await answer(ctx, asked, body)).body)
  }
  const told = answers.filter((each) => each !== undefined)
  return told.length === 0 ? { status: 202 } : { status: 200, body: told }
}

const refused = (message: string): RpcError => new RpcError('invalidRequest', message, { status: 400 })

const isInitialize = (body: unknown): boolean => (body as Partial<RpcMessage> | null)?.method === 'initialize'

const refusedAlone = (body: unknown): object => failure(idOf(body), refused('initialize comes alone'))

/** What keeps a request from being looked at at all: the status tells it, and the body in JSON-RPC's form. */
function refuse(error: AppError, { requestId }: { requestId: string }): IntegrationResponse {
  const status = errorStatus[error.code]
  // What is wrong with a message is told by an RpcError: a bad request is none that could be read.
  const code = status >= 500 ? 'internalError' : error.code === 'bad_request' ? 'parseError' : 'invalidRequest'
  return { status, body: failure(null, { code, message: error.message, data: { code: error.code, requestId } }) }
}
