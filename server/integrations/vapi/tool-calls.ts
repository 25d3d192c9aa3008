import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { parsed, type IntegrationContext } from '../integration.ts'
import { toolOf } from '../tools/definitions.ts'
import { callerNumber } from './caller-number.ts'

const Arguments = z.union([z.record(z.string(), z.unknown()), z.string()]).optional()
const ToolCall = z.object({
  id: z.string().max(200),
  name: z.string().optional(),
  arguments: Arguments,
  function: z.object({ name: z.string(), arguments: Arguments }).optional(),
})
const Customer = z.object({ number: z.unknown().optional() }).nullish()

export const ToolCalls = z.object({
  message: z.object({
    type: z.literal('tool-calls'),
    toolCallList: z.array(ToolCall).min(1).max(20),
    call: z.object({ id: z.string().max(200).optional(), customer: Customer }).nullish(),
    customer: Customer,
  }),
})
type ToolCalls = z.output<typeof ToolCalls>['message']

interface Result {
  toolCallId: string
  result?: string
  error?: string
}

/** Runs the tools that a call asks for, one after the other. Invalid arguments become the error of a result, for the model. */
export async function answerToolCalls(ctx: IntegrationContext, body: unknown, again: () => Promise<void>): Promise<{ results: Result[] }> {
  const { message } = parsed(ToolCalls, body)
  const results: Result[] = []
  for (const [index, call] of message.toolCallList.entries()) {
    if (index > 0) await again()
    results.push(await answer(ctx, message, call))
  }
  return { results }
}

async function answer(ctx: IntegrationContext, message: ToolCalls, call: z.output<typeof ToolCall>): Promise<Result> {
  try {
    const tool = toolOf(ctx, call.function?.name ?? call.name)
    const given = readArguments(call.function?.arguments ?? call.arguments)
    const data = await tool.execute(ctx, withCall(given, tool.inputSchema.properties ?? {}, message, call.id))
    // Vapi reads a result of one line.
    return { toolCallId: call.id, result: JSON.stringify(data) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { toolCallId: call.id, error: error.message.replaceAll('\n', ' ') }
  }
}

/** @throws AppError `validation_error` if the text is no JSON object */
function readArguments(given: z.output<typeof Arguments>): Record<string, unknown> {
  let value: unknown = given ?? {}
  try {
    if (typeof value === 'string') value = JSON.parse(value === '' ? '{}' : value)
  } catch (cause) {
    throw new AppError('validation_error', 'The arguments are not valid JSON.', { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('validation_error', 'The arguments are not an object.')
  return value as Record<string, unknown>
}

/**
 * Adds the facts of the call to the arguments of the model. The phone number is always that of the caller, and the reference the id of
 * the call: values that the model gives are ignored. The id of the tool call makes a repeated request of Vapi harmless.
 * @throws AppError `validation_error` if neither the call nor the model says anything about the person
 */
function withCall(given: Record<string, unknown>, properties: object, { call, customer }: ToolCalls, toolCallId: string) {
  const { phone: _phone, reference: _reference, ...others } = given
  const rest = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null))
  const number = callerNumber(call?.customer?.number) ?? callerNumber(customer?.number)
  if ('phone' in properties && number === undefined && Object.keys(rest).length === 0) {
    const names = Object.keys(properties).filter((name) => name !== 'phone' && name !== 'reference')
    throw new AppError('validation_error', `The call has no phone number. Give at least one of ${names.join(', ')}.`)
  }
  const isNewRecord = 'externalId' in properties && 'text' in properties
  return {
    ...rest,
    ...('phone' in properties && number !== undefined && !('contactId' in rest) && { phone: number }),
    ...('reference' in properties && call?.id !== undefined && { reference: call.id }),
    ...(isNewRecord && rest['externalId'] === undefined && { externalId: `vapi ${call?.id ?? ''} ${toolCallId}`.slice(0, 200) }),
  }
}
