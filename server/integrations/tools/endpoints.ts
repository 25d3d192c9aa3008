import { errorStatus } from '@groundwork/api'
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { parsedQuery, type IntegrationContext, type IntegrationEndpoint, type IntegrationResponse } from '../integration.ts'
import type { Tool } from '../mcp/tool.ts'
import { contactTools, contactToolsFor, definitionOf, formats, givenArguments } from './definitions.ts'

const Query = z.strictObject({ format: z.enum(formats).default('json') })

/** Tools for agents that do not use MCP: definitions for a model, and their execution. */
export const toolEndpoints: readonly IntegrationEndpoint[] = [
  {
    via: 'api',
    method: 'GET',
    path: '/v1/tools',
    scope: null,
    formatError: refuse,
    async handle(ctx, { query }) {
      const { format } = parsedQuery(Query, query)
      return { status: 200, body: { data: contactToolsFor(ctx).map((tool) => definitionOf(tool, format, ctx.baseUrl)) } }
    },
  },
  {
    via: 'api',
    method: 'POST',
    path: '/v1/tools/{name}',
    scope: null,
    formatError: refuse,
    async handle(ctx, { params, body }) {
      if (body === undefined) throw new AppError('bad_request', 'The body must be a JSON object with the arguments.')
      return { status: 200, body: await toolOf(ctx, params['name']).execute(ctx, givenArguments(body)) }
    },
  },
]

/** @throws AppError `not_found`; `forbidden` if the token lacks the scope */
export function toolOf({ actor }: IntegrationContext, name: string | undefined): Tool {
  const tool = contactTools.find((each) => each.name === name)
  if (tool === undefined) throw new AppError('not_found', 'There is no such tool.')
  if (actor?.scopes.includes(tool.scope) !== true) throw new AppError('forbidden', `The API token lacks the scope ${tool.scope}.`)
  return tool
}

function refuse({ code, message, field, issues }: AppError, { requestId }: { requestId: string }): IntegrationResponse {
  return { status: errorStatus[code], body: { error: { code, message, ...(field && { field }), ...(issues && { issues }), requestId } } }
}
