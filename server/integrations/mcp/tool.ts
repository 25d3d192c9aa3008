import type { Scope } from '@groundwork/api'
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import type { IntegrationContext } from '../integration.ts'
import { parsed } from '../integration.ts'
import { asUntrustedContent } from '../../lib/untrusted-content.ts'

interface Definition<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string
  readonly title: string
  /** Shown to the model that selects a tool. */
  readonly description: string
  readonly scope: Scope
  /**
   * `creates`: the tool only adds records; `replaces`: it overwrites fields, and a repeated call changes nothing more; `ends`: what it
   * does cannot be undone. Without it, the tool only reads.
   */
  readonly changes?: 'creates' | 'replaces' | 'ends'
  readonly input: I
  readonly output: O
  /** Returns the result as structured content and as text for a model. */
  readonly run: (ctx: IntegrationContext, input: z.output<I>) => Promise<{ data: z.input<O>; text: string }>
}

export interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: object
  isError?: true
}

export interface ObjectSchema {
  readonly [keyword: string]: unknown
  readonly properties?: Readonly<Record<string, ObjectSchema>>
  readonly required?: readonly string[]
}

export interface Tool {
  readonly name: string
  readonly scope: Scope
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: ObjectSchema
  /** The tool in the form of tools/list. */
  readonly listing: object
  /**
   * Runs the tool, and returns its structured content.
   * @throws AppError `validation_error` for invalid arguments, and others of the tool
   */
  execute(ctx: IntegrationContext, input: unknown): Promise<object>
  /**
   * Runs the tool. Invalid input and other AppErrors become a result with `isError`, so that the model can read the message.
   * Other errors are thrown.
   */
  call(ctx: IntegrationContext, input: unknown): Promise<ToolResult>
}

export function tool<I extends z.ZodObject, O extends z.ZodObject>(definition: Definition<I, O>): Tool {
  const { name, title, description, scope, changes, input, output, run } = definition
  const inputSchema = jsonSchema(input)
  const execute = async (ctx: IntegrationContext, given: unknown) => {
    const { data, text } = await run(ctx, parsed(input, given))
    return { data: output.parse(data), text }
  }
  return {
    name,
    scope,
    description,
    inputSchema,
    execute: async (ctx, given) => (await execute(ctx, given)).data,
    listing: {
      name,
      title,
      description,
      inputSchema,
      outputSchema: jsonSchema(output),
      annotations: {
        title,
        readOnlyHint: changes === undefined,
        ...(changes !== undefined && { destructiveHint: changes !== 'creates', idempotentHint: changes === 'replaces' }),
        openWorldHint: false,
      },
    },
    async call(ctx, given) {
      try {
        const { data, text } = await execute(ctx, given)
        return { content: [{ type: 'text', text: asUntrustedContent(text) }], structuredContent: data }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return { content: [{ type: 'text', text: error.message }], isError: true }
      }
    },
  }
}

/** Returns the JSON Schema of values on the wire: for defaults and transformations, the input side. */
function jsonSchema(schema: z.ZodObject): ObjectSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  return rest as ObjectSchema
}
