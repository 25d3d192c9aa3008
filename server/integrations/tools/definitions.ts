import type { IntegrationContext } from '../integration.ts'
import type { ToolFormat } from '@groundwork/api'
import { AppError } from '../../lib/errors.ts'
import { addTask, getContactTool, identifyContactTool, logActivity } from '../mcp/contacts.ts'
import { findContact } from '../mcp/find-contact.ts'
import { saveContact } from '../mcp/save-contact.ts'
import type { ObjectSchema, Tool } from '../mcp/tool.ts'

/** Tools that agents without MCP can use. None deletes, merges or erases. */
export const contactTools: readonly Tool[] = [identifyContactTool, findContact, getContactTool, saveContact, logActivity, addTask]

/** Returns the tools that the token's scopes allow. */
export const contactToolsFor = ({ actor }: IntegrationContext): Tool[] =>
  contactTools.filter(({ scope }) => actor?.scopes.includes(scope) === true)

/** @throws AppError `not_found`; `forbidden` if the token lacks the scope */
export function toolOf({ actor }: IntegrationContext, name: string | undefined): Tool {
  const tool = contactTools.find((each) => each.name === name)
  if (tool === undefined) throw new AppError('not_found', 'There is no such tool.')
  if (actor?.scopes.includes(tool.scope) !== true) throw new AppError('forbidden', `The API token lacks the scope ${tool.scope}.`)
  return tool
}

/** Returns the definition of a tool in a format. `baseUrl` is that of this service. */
export function definitionOf(tool: Tool, format: ToolFormat, baseUrl: string): object {
  const { name, description, inputSchema } = tool
  if (format === 'json') return tool.listing
  const parameters = format === 'vapi' ? withoutCall(tool) : inputSchema
  const definition = {
    type: 'function',
    function: { name, description, parameters: strict(parameters), ...(format === 'openai' && { strict: true }) },
  }
  return format === 'vapi' ? { ...definition, server: { url: `${baseUrl}/vapi/tools` } } : definition
}

/** Vapi tells the number of the caller and the id of the call itself, so the model cannot give others. */
function withoutCall({ inputSchema }: Tool): ObjectSchema {
  const { phone: _phone, reference: _reference, ...properties } = inputSchema.properties ?? {}
  return { ...inputSchema, properties }
}

const keptKeywords = new Set(['type', 'enum', 'const', 'items', 'anyOf', 'description', 'minimum', 'maximum'])

/**
 * Returns the schema in the subset of JSON Schema that OpenAI's strict mode accepts: every property is required, and an optional one
 * can be null.
 */
function strict(schema: ObjectSchema): ObjectSchema {
  if (schema.properties === undefined) return plain(schema)
  const required = schema.required ?? []
  const properties = Object.entries(schema.properties).map(([name, property]): [string, ObjectSchema] => [
    name,
    required.includes(name) ? strict(property) : nullable(strict(property)),
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  }
}

function nullable(schema: ObjectSchema): ObjectSchema {
  const options = schema['anyOf'] as ObjectSchema[] | undefined
  if (options?.some(({ type }) => type === 'null')) return schema
  const { description, ...rest } = schema
  return { ...(description !== undefined && { description }), anyOf: [rest, { type: 'null' }] }
}

function plain(schema: ObjectSchema): ObjectSchema {
  const kept = Object.entries(schema).filter(([keyword]) => keptKeywords.has(keyword))
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      keyword === 'items' ? strict(value as ObjectSchema) : keyword === 'anyOf' ? (value as ObjectSchema[]).map(strict) : value,
    ]),
  )
}
