import { z } from 'zod'

/** Error codes of JSON-RPC 2.0 and of the Model Context Protocol. */
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

/** The failure of a request. A failure within a tool is a result with `isError` instead. */
export class RpcError extends Error {
  readonly code: RpcCode
  readonly data: unknown
  /** Status of the HTTP response. */
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
 * Returns the message; null for a response, since this server sends no requests.
 * @throws RpcError `invalidRequest`
 */
export function readMessage(value: unknown): RpcMessage | null {
  const { success, data } = Message.safeParse(value)
  if (!success) throw new RpcError('invalidRequest', 'The body is not a JSON-RPC 2.0 message.', { status: 400 })
  const { id, method, params = {} } = data
  if (method !== undefined) return { id, method, params }
  if (typeof value === 'object' && value !== null && ('result' in value || 'error' in value)) return null
  throw new RpcError('invalidRequest', 'The JSON-RPC 2.0 message has no method.', { status: 400 })
}

/** Returns the id of a message; null without a valid id. */
export function idOf(value: unknown): RpcId | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

export const success = (id: RpcId, result: object): object => ({ jsonrpc: '2.0', id, result })

export function failure(id: RpcId | null, { code, message, data }: Pick<RpcError, 'code' | 'message' | 'data'>): object {
  return { jsonrpc: '2.0', id, error: { code: rpcCodes[code], message, ...(data !== undefined && { data }) } }
}
