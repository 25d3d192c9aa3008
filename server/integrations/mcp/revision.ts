import { RpcError, type RpcMessage } from './json-rpc.ts'

/** Revisions of the protocol that begin with `initialize`, newest first. */
export const handshakeRevisions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const
/** Revisions in which every request says for itself what it is. */
const requestRevisions = ['2026-07-28'] as const
const revisions: readonly string[] = [...requestRevisions, ...handshakeRevisions]

export interface Revision {
  readonly name: string
  /** Whether every request says for itself what it is. */
  readonly perRequest: boolean
  /** Whether several messages may come in one body. */
  readonly batches: boolean
}

const revisionNamed = (name: string): Revision => ({
  name,
  perRequest: requestRevisions.some((each) => each === name),
  batches: name === '2025-03-26',
})

/** What counts where a request names no revision: the header came with the one after it. */
export const unnamedRevision = revisionNamed('2025-03-26')

/** Every revision that is spoken here. */
export const supportedRevisions = (): string[] => [...revisions]

type Headers = Readonly<Record<string, string | undefined>>

const prefix = 'io.modelcontextprotocol/'

/**
 * The revision that the header names.
 * @throws RpcError `unsupportedVersion`
 */
export function revisionOfHeader(headers: Headers): Revision {
  return supported(headers['mcp-protocol-version']) ?? unnamedRevision
}

/**
 * The revision by which one message is to be answered. Of those in which every request says for itself what it is, header and
 * message have to agree, since what stands between client and server may go by the one, and the server goes by the other.
 * @throws RpcError `unsupportedVersion`, `headerMismatch`, `invalidParams`
 */
export function revisionOf({ method, params, id }: RpcMessage, headers: Headers): Revision {
  const meta = isRecord(params['_meta']) ? params['_meta'] : {}
  const header = headers['mcp-protocol-version']
  const named = meta[`${prefix}protocolVersion`]
  const revision = supported(typeof named === 'string' ? named : header) ?? unnamedRevision
  if (!revision.perRequest) return revisionOfHeader(headers)
  if (id === undefined) return revision
  if (named === undefined || !isRecord(meta[`${prefix}clientCapabilities`])) {
    throw new RpcError('invalidParams', `_meta needs ${prefix}protocolVersion and ${prefix}clientCapabilities`, { status: 400 })
  }
  mustAgree('MCP-Protocol-Version', header, named)
  mustAgree('Mcp-Method', headers['mcp-method'], method)
  if (method === 'tools/call') mustAgree('Mcp-Name', decoded(headers['mcp-name']), params['name'])
  return revision
}

function supported(name: string | undefined): Revision | undefined {
  if (name === undefined) return undefined
  if (revisions.includes(name)) return revisionNamed(name)
  throw new RpcError('unsupportedVersion', 'this revision of the protocol is not spoken here', {
    status: 400,
    data: { supported: supportedRevisions(), requested: name },
  })
}

function mustAgree(name: string, header: string | undefined, inMessage: unknown): void {
  if (header === inMessage) return
  const message = header === undefined ? `the header ${name} is missing` : `the header ${name} says other than the message`
  throw new RpcError('headerMismatch', message, { status: 400 })
}

/** What no header can carry as it is comes in Base64, marked as such. */
function decoded(header: string | undefined): string | undefined {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header ?? '')?.[1]
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString()
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
