import { z } from 'zod'

/** JSON-RPC 2.0, and what the Model Context Protocol adds to it. */
export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const
export type RpcCode = keyof typeof rpcCodes

export type RpcId = string | number

/** A request is refused as a whole; what goes wrong within a tool is a result of it instead. */
export class RpcError extends Error {
  readonly code: RpcCode
  readonly data: unknown
  /** Of the HTTP answer. */
  readonly status: number

  constructor(code: RpcCode, message: string, { status = 200, data }: { status?: number; data?: unknown } = {}) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.status = status
    this.data = data
  }
}

const Message = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
})

export interface RpcMessage {
  /** Absent in a notification. */
  readonly id?: RpcId | undefined
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * The message, or null for an answer: nothing was asked of the client, so there is nothing to do with one.
 * @throws RpcError `invalidRequest`
 */
export function readMessage(value: unknown): RpcMessage | null {
  const { success, data } = Message.safeParse(value)
  if (!success) throw new RpcError('invalidRequest', 'this is no JSON-RPC 2.0 message', { status: 400 })
  const { id, method, params = {} } = data
  if (method !== undefined) return { id, method, params }
  if (typeof value === 'object' && value !== null && ('result' in value || 'error' in value)) return null
  throw new RpcError('invalidRequest', 'a JSON-RPC 2.0 message has a method', { status: 400 })
}

/** The id that a message has, if it can be read. */
export function idOf(value: unknown): RpcId | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

export const success = (id: RpcId, result: object): object => ({ jsonrpc: '2.0', id, result })

export function failure(id: RpcId | null, { code, message, data }: Pick<RpcError, 'code' | 'message' | 'data'>): object {
  return { jsonrpc: '2.0', id, error: { code: rpcCodes[code], message, ...(data !== undefined && { data }) } }
}
