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
  readonly run: (ctx: IntegrationContext, input: Given<z.output<I>>) => Promise<{ data: z.input<O>; text: string }>
}

/** Arguments without those that are null: models that fill in every argument send null for one that they leave out. */
type Given<T> = { [K in keyof T]: Exclude<T[K], null> }

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

/** A tool whose arguments another schema has parsed. */
export interface TypedTool<I extends z.ZodObject, O extends z.ZodObject> extends Tool {
  perform(ctx: IntegrationContext, input: z.output<I>): Promise<z.output<O>>
}

export function tool<I extends z.ZodObject, O extends z.ZodObject>(definition: Definition<I, O>): TypedTool<I, O> {
  const { name, title, description, scope, changes, input, output, run } = definition
  const inputSchema = jsonSchema(input)
  const perform = async (ctx: IntegrationContext, args: z.output<I>) => {
    const { data, text } = await run(ctx, withoutNull(args))
    return { data: output.parse(data), text }
  }
  const execute = (ctx: IntegrationContext, given: unknown) => perform(ctx, parsed(input, given))
  return {
    name,
    scope,
    description,
    inputSchema,
    perform: async (ctx, args) => (await perform(ctx, args)).data,
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

/** Safe cast: the entries with null are left out. */
const withoutNull = <T extends object>(args: T): Given<T> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null && value !== undefined)) as Given<T>

/** Returns the JSON Schema of values on the wire: for defaults and transformations, the input side. */
function jsonSchema(schema: z.ZodObject): ObjectSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  return rest as ObjectSchema
}
