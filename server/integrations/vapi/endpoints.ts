import { idInput, type SearchMessage } from '@groundwork/api'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { searchBase } from '../../knowledge/search/search-base.ts'
import { answerToolCalls } from './tool-calls.ts'
import { AppError } from '../../lib/errors.ts'
import { parsed, statusOf, type IntegrationResponse, type IntegrationRequest, type IntegrationEndpoint } from '../integration.ts'

const KnowledgeBaseRequest = z.object({
  message: z.object({
    type: z.literal('knowledge-base-request'),
    messages: z.array(z.object({ role: z.string(), content: z.unknown().optional() })).max(10_000),
  }),
})

/** Maximum number of messages, the latest ones, from which the question is derived. */
const maxMessages = 20

/** Vapi's custom knowledge base, and its tool calls. In Vapi, `<URL>/vapi/bases/<id>` is the URL of its server. */
export const vapiEndpoints: readonly IntegrationEndpoint[] = [
  {
    via: 'vapi',
    method: 'POST',
    path: '/vapi/bases/{baseId}',
    scope: 'search:read',
    secretHeader: 'x-vapi-secret',
    formatError: refuse,
    async handle(ctx, request) {
      requireSignature(request)
      const base = idInput('kb').safeParse(request.params['baseId'])
      if (!base.success) throw new AppError('not_found', 'There is no such knowledge base.', { field: 'baseId' })
      const messages = latestMessages(parsed(KnowledgeBaseRequest, request.body).message.messages)
      // Without a message of the user there is no question.
      const hits = messages.some(({ role }) => role === 'user') ? (await searchBase(ctx, base.data, { messages })).data : []
      const documents = hits.map(({ chunkId, text, score }) => ({ content: text, similarity: score, uuid: chunkId }))
      return { status: 200, body: { documents } }
    },
  },
  {
    via: 'vapi',
    method: 'POST',
    path: '/vapi/tools',
    scope: null,
    secretHeader: 'x-vapi-secret',
    formatError: refuse,
    async handle(ctx, request) {
      requireSignature(request)
      return { status: 200, body: await answerToolCalls(ctx, request.body, request.again) }
    },
  },
]

/**
 * Verifies the signature if there is one, so that the body is unchanged since Vapi sent it. Vapi signs with the secret of its
 * server, the API token. The database only has a hash of the token, so the request must contain the token too.
 * @throws AppError `unauthorized`
 */
function requireSignature({ headers, secret, bytes }: IntegrationRequest): void {
  const signature = headers['x-vapi-signature']
  if (signature === undefined) return
  const expected = createHmac('sha256', secret).update(bytes).digest()
  const presented = Buffer.from(signature.replace(/^sha256=/, ''), 'hex')
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected))
    throw new AppError('unauthorized', 'x-vapi-signature is not the HMAC-SHA256 of the body with the API token as its key')
}

/** Returns the latest messages of user and assistant, without those that have no text. */
function latestMessages(messages: readonly { role: string; content?: unknown }[]): SearchMessage[] {
  const conversation = messages.flatMap(({ role, content }): SearchMessage[] => {
    return role === 'user' || role === 'assistant' ? [{ role, content: textOf(content) }] : []
  })
  return conversation.filter(({ content }) => content !== '').slice(-maxMessages)
}

/** Returns the text of a message, given as text or as parts. */
function textOf(content: unknown): string {
  if (Array.isArray(content))
    return content
      .map((part: unknown) => textOf(asPart(part).text))
      .join(' ')
      .trim()
  return typeof content === 'string' ? content.replaceAll('\u0000', ' ').trim() : ''
}

const asPart = (part: unknown): { text?: unknown } => (typeof part === 'object' && part !== null ? part : {})

function refuse(error: AppError, { requestId }: { requestId: string }): IntegrationResponse {
  return { status: statusOf(error), body: { error: error.message, requestId } }
}
