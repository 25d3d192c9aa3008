import { RpcError, type RpcMessage } from './json-rpc.ts'

/** Protocol revisions that start with `initialize`, newest first. */
export const handshakeRevisions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const
/** Protocol revisions without a handshake: each request names its revision and the capabilities of the client. */
const requestRevisions = ['2026-07-28'] as const
const revisions: readonly string[] = [...requestRevisions, ...handshakeRevisions]

export interface Revision {
  readonly name: string
  /** Whether each request names its revision, without a handshake. */
  readonly perRequest: boolean
  /** Whether a body can contain several messages. */
  readonly batches: boolean
}

const revisionNamed = (name: string): Revision => ({
  name,
  perRequest: requestRevisions.some((each) => each === name),
  batches: name === '2025-03-26',
})

/** The revision of requests that name none. The header was introduced in the revision after it. */
export const unnamedRevision = revisionNamed('2025-03-26')

export const supportedRevisions = (): string[] => [...revisions]

type Headers = Readonly<Record<string, string | undefined>>

const prefix = 'io.modelcontextprotocol/'

/**
 * Returns the revision in the header MCP-Protocol-Version.
 * @throws RpcError `unsupportedVersion`
 */
export function revisionOfHeader(headers: Headers): Revision {
  return supported(headers['mcp-protocol-version']) ?? unnamedRevision
}

/**
 * Returns the revision for one message. In revisions without a handshake, headers and message must match, since proxies may
 * read the headers and the server reads the message.
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
    throw new RpcError('invalidParams', `_meta must contain ${prefix}protocolVersion and ${prefix}clientCapabilities`, { status: 400 })
  }
  requireMatch('MCP-Protocol-Version', header, named)
  requireMatch('Mcp-Method', headers['mcp-method'], method)
  if (method === 'tools/call') requireMatch('Mcp-Name', decoded(headers['mcp-name']), params['name'])
  return revision
}

function supported(name: string | undefined): Revision | undefined {
  if (name === undefined) return undefined
  if (revisions.includes(name)) return revisionNamed(name)
  throw new RpcError('unsupportedVersion', 'This protocol revision is not supported.', {
    status: 400,
    data: { supported: supportedRevisions(), requested: name },
  })
}

function requireMatch(name: string, header: string | undefined, inMessage: unknown): void {
  if (header === inMessage) return
  const message = header === undefined ? `The header ${name} is missing.` : `The header ${name} does not match the message.`
  throw new RpcError('headerMismatch', message, { status: 400 })
}

/** Decodes a header value. Values with characters that headers cannot contain are Base64 with a marker. */
function decoded(header: string | undefined): string | undefined {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header ?? '')?.[1]
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString()
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
