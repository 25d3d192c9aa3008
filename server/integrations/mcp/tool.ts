import type { Scope } from '@groundwork/api'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { parsed } from '../integration.ts'
import { asUntrustedContent } from './untrusted-content.ts'

interface Definition<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string
  readonly title: string
  /** For the model that chooses. */
  readonly description: string
  readonly scope: Scope
  readonly input: I
  readonly output: O
  /** What is found as data, and as text for a model to read. */
  readonly find: (ctx: Context, input: z.output<I>) => Promise<{ data: z.input<O>; text: string }>
}

export interface ToolResult {
  content: { type: 'text'; text: string }[]
  structuredContent?: object
  isError?: true
}

export interface Tool {
  readonly name: string
  readonly scope: Scope
  /** As tools/list shows it. */
  readonly shown: object
  /** What fails is a result too: the model that asked is to read why. Only what is a defect or passing is thrown. */
  call(ctx: Context, input: unknown): Promise<ToolResult>
}

export function tool<I extends z.ZodObject, O extends z.ZodObject>(definition: Definition<I, O>): Tool {
  const { name, title, description, scope, input, output, find } = definition
  return {
    name,
    scope,
    shown: {
      name,
      title,
      description,
      inputSchema: jsonSchema(input),
      outputSchema: jsonSchema(output),
      annotations: { title, readOnlyHint: true, openWorldHint: false },
    },
    async call(ctx, given) {
      try {
        const { data, text } = await find(ctx, parsed(input, given))
        return { content: [{ type: 'text', text: asUntrustedContent(text) }], structuredContent: output.parse(data) }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return { content: [{ type: 'text', text: error.message }], isError: true }
      }
    },
  }
}

/** As callers send and receive it: of a default or a transformation, what comes in. */
function jsonSchema(schema: z.ZodObject): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  return rest
}
