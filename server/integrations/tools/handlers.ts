import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../../handlers.ts'
import type { Platform } from '../../platform.ts'
import { addTask, getContactTool, identifyContactTool, logActivity } from '../mcp/contacts.ts'
import { findContact } from '../mcp/find-contact.ts'
import { saveContact } from '../mcp/save-contact.ts'
import { contactToolsFor, definitionOf } from './definitions.ts'

/** Tools for agents that do not use MCP: definitions for a model, and a route that runs each. */
export const toolHandlers: Handlers<GroundworkApi, Platform>['tools'] = {
  list: async (ctx, { query }) => ({ data: contactToolsFor(ctx).map((tool) => ({ ...definitionOf(tool, query.format, ctx.baseUrl) })) }),
  identifyContact: (ctx, { body }) => identifyContactTool.perform(ctx, body),
  findContact: (ctx, { body }) => findContact.perform(ctx, body),
  getContact: (ctx, { body }) => getContactTool.perform(ctx, body),
  saveContact: (ctx, { body }) => saveContact.perform(ctx, body),
  logActivity: (ctx, { body }) => logActivity.perform(ctx, body),
  addTask: (ctx, { body }) => addTask.perform(ctx, body),
}
