import type { Context } from '../../context.ts'
import { findContact } from './find-contact.ts'
import { getChunkTool } from './get-chunk.ts'
import { RpcError } from './json-rpc.ts'
import { listBasesTool } from './list-bases.ts'
import { searchKnowledge } from './search-knowledge.ts'
import type { Tool } from './tool.ts'

const tools: readonly Tool[] = [searchKnowledge, getChunkTool, listBasesTool, findContact]

/** Those that the token may use. */
export const toolsFor = ({ actor }: Context): Tool[] => tools.filter(({ scope }) => actor?.scopes.includes(scope) === true)

/** @throws RpcError `invalidParams` where there is no such tool, or not for this token */
export function toolNamed(ctx: Context, name: unknown): Tool {
  const named = tools.find((tool) => tool.name === name)
  if (named === undefined) throw new RpcError('invalidParams', 'there is no tool of this name')
  if (!toolsFor(ctx).includes(named))
    throw new RpcError('invalidParams', `the API token lacks the scope ${named.scope}, which ${named.name} needs`)
  return named
}
