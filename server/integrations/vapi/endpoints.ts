import { idInput, type SearchMessage } from '@groundwork/api'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { searchBase } from '../../knowledge/search/search-base.ts'
import { AppError } from '../../lib/errors.ts'
import { parsed, statusOf, type IntegrationResponse, type IntegrationRequest, type IntegrationEndpoint } from '../integration.ts'

const KnowledgeBaseRequest = z.object({
  message: z.object({
    type: z.literal('knowledge-base-request'),
    messages: z.array(z.object({ role: z.string(), content: z.unknown().optional() })).max(10_000),
  }),
})

/** Turns at most that a question is looked for in. */
const maxTurns = 20

/** A custom knowledge base of Vapi's, to be created with `<address>/vapi/bases/<id>` as its server's address. */
export const vapiEndpoints: readonly IntegrationEndpoint[] = [
  {
    via: 'vapi',
    method: 'POST',
    path: '/vapi/bases/{baseId}',
    scope: 'search:read',
    secretHeader: 'x-vapi-secret',
    formatError: refuse,
    async handle(ctx, asked) {
      requireSignature(asked)
      const base = idInput('kb').safeParse(asked.params['baseId'])
      if (!base.success) throw new AppError('not_found', 'there is no such knowledge base', { field: 'baseId' })
      const messages = turnsIn(parsed(KnowledgeBaseRequest, asked.body).message.messages)
      // Before the caller has said anything there is nothing to look for.
      const hits = messages.some(({ role }) => role === 'user') ? (await searchBase(ctx, base.data, { messages })).data : []
      const documents = hits.map(({ chunkId, text, score }) => ({ content: text, similarity: score, uuid: chunkId }))
      return { status: 200, body: { documents } }
    },
  },
]

/**
 * Vapi signs with the secret of the server that it is told of; that is the API token, of which nothing but a hash is kept, so it
 * has to be presented as well. A signature that comes has to be right: then nothing between Vapi and here has changed the body.
 * @throws AppError `unauthorized`
 */
function requireSignature({ headers, secret, bytes }: IntegrationRequest): void {
  const signature = headers['x-vapi-signature']
  if (signature === undefined) return
  const expected = createHmac('sha256', secret).update(bytes).digest()
  const presented = Buffer.from(signature.replace(/^sha256=/, ''), 'hex')
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected))
    throw new AppError('unauthorized', 'x-vapi-signature is not the HMAC-SHA256 of the body with the API token as its secret')
}

/** What caller and assistant said last, without what has no text. */
function turnsIn(messages: readonly { role: string; content?: unknown }[]): SearchMessage[] {
  const turns = messages.flatMap(({ role, content }): SearchMessage[] => {
    return role === 'user' || role === 'assistant' ? [{ role, content: textOf(content) }] : []
  })
  return turns.filter(({ content }) => content !== '').slice(-maxTurns)
}

/** A turn is text, or parts of which some are text. */
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
