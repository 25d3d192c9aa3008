import type { IntegrationContext } from '../integration.ts'
import { addTask, getContactTool, identifyContactTool, logActivity } from './contacts.ts'
import { findContact } from './find-contact.ts'
import { getChunkTool } from './get-chunk.ts'
import { RpcError } from './json-rpc.ts'
import { listBasesTool } from './list-bases.ts'
import { getProposalTool, previewProposalTool, sendProposalTool, voidProposalTool } from './proposals.ts'
import { saveContact } from './save-contact.ts'
import { searchKnowledge } from './search-knowledge.ts'
import type { Tool } from './tool.ts'

const tools: readonly Tool[] = [
  searchKnowledge,
  getChunkTool,
  listBasesTool,
  identifyContactTool,
  findContact,
  getContactTool,
  saveContact,
  logActivity,
  addTask,
  previewProposalTool,
  sendProposalTool,
  getProposalTool,
  voidProposalTool,
]

/** Returns the tools that the token's scopes allow. */
export const toolsFor = ({ actor }: IntegrationContext): Tool[] => tools.filter(({ scope }) => actor?.scopes.includes(scope) === true)

/** @throws RpcError `invalidParams` if the tool does not exist or the token lacks its scope */
export function toolNamed(ctx: IntegrationContext, name: unknown): Tool {
  const named = tools.find((tool) => tool.name === name)
  if (named === undefined) throw new RpcError('invalidParams', 'There is no such tool.')
  if (!toolsFor(ctx).includes(named))
    throw new RpcError('invalidParams', `The API token lacks the scope ${named.scope}, which ${named.name} needs.`)
  return named
}
